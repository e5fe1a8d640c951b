"""The clients."""

from __future__ import annotations

import os
import platform
import re
import ssl
from types import TracebackType
from typing import Union
from urllib.parse import urlsplit

import httpx2

from ._async_caller import AsyncCaller
from ._caller import Caller
from ._generated.async_resources import AsyncResources
from ._generated.resources import Resources
from ._options import Settings, checked_retries, checked_timeout
from ._quickstart import DEFAULT_QUICKSTART, read_quickstart
from ._version import __version__

DEFAULT_TIMEOUT_S = 60.0
DEFAULT_RETRIES = 3

LIMITS = httpx2.Limits(max_connections=64, max_keepalive_connections=64, keepalive_expiry=30.0)

FilePath = Union[str, "os.PathLike[str]"]


def _base_url(value: object) -> str:
    try:
        parts = urlsplit(value) if isinstance(value, str) else None
        _ = parts and parts.port
    except ValueError:
        parts = None
    if parts is None or parts.scheme not in ("https", "http") or not parts.hostname:
        raise TypeError(
            f"base_url must be the https:// address of a platform, such as https://localhost:8443; {value} is not"
        )
    # A proxy may put a path in front of the platform, but none of these.
    own = re.search(r"/((open|warehouse|sandbox)/v[0-9]+|docs|console)(/.*)?$", parts.path)
    if own is not None:
        raise TypeError(f"base_url must be the address of a platform without its paths: leave out {own.group()}")
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}".rstrip("/")


def _settings(api_key: object, base_url: object, timeout: object, max_retries: object) -> Settings:
    # Header values are visible ASCII. The key is never shown.
    if not isinstance(api_key, str) or not re.fullmatch(r"[\x21-\x7e]+", api_key):
        raise TypeError(
            "api_key must be a key of the platform (pf_test_… or pf_live_…); it is missing or has invalid characters"
        )
    return Settings(
        api_key=api_key,
        base_url=_base_url(base_url),
        timeout=checked_timeout(timeout),
        max_retries=checked_retries(max_retries),
        user_agent=f"parcelway-python/{__version__} python/{platform.python_version()}",
    )


def _trust(verify: bool | ssl.SSLContext, ca_file: FilePath | None) -> bool | ssl.SSLContext:
    if ca_file is None:
        return verify
    if verify is not True:
        raise TypeError(
            "ca_file adds to the authorities that are trusted: leave out verify, or load the file into its context"
        )
    context = httpx2.create_ssl_context()
    file = os.fspath(ca_file)
    try:
        context.load_verify_locations(cafile=file)
    except ssl.SSLError as error:
        raise TypeError(f"ca_file must hold certificates in PEM; {file} does not") from error
    except OSError as error:
        raise type(error)(error.errno, f"ca_file cannot be read: {error.strerror}", file) from error
    return context


class Parcelway(Resources):
    """A client of the API of a platform: one for each key, used for as long as the program runs. Threads may share it.

    In a `with` statement it closes its connections at the end.
    """

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str,
        timeout: float = DEFAULT_TIMEOUT_S,
        max_retries: int = DEFAULT_RETRIES,
        ca_file: FilePath | None = None,
        verify: bool | ssl.SSLContext = True,
    ) -> None:
        """Makes a client. Raises TypeError that names the argument and what is allowed.

        api_key: key of a tenant or a warehouse, `pf_test_…` in the sandbox, `pf_live_…` in production.
        base_url: address of the platform, such as `https://localhost:8443`.
        timeout: seconds for a whole call, its retries and the waits between them included.
        max_retries: further attempts after the first, 0 to 10. Only what may be repeated safely is.
        ca_file: file with certificates of further authorities, in PEM: for a local installation `ca_file` of
        quickstart.json. OSError when it cannot be read.
        verify: a context of your own; False trusts everybody, and is for nothing but an experiment.
        """
        settings = _settings(api_key, base_url, timeout, max_retries)
        self._http = httpx2.Client(verify=_trust(verify, ca_file), limits=LIMITS)
        super().__init__(Caller(settings, self._http))

    @classmethod
    def from_quickstart(
        cls,
        path: FilePath = DEFAULT_QUICKSTART,
        *,
        timeout: float = DEFAULT_TIMEOUT_S,
        max_retries: int = DEFAULT_RETRIES,
    ) -> Parcelway:
        """Makes a client of a sandbox on this machine, for its demo tenant.

        path: of the quickstart.json that the sandbox writes into its data directory; address, key and certificate are
        in it. Raises FileNotFoundError when there is none, and ValueError when it is something else.
        """
        found = read_quickstart(path)
        return cls(
            api_key=found.api_key,
            base_url=found.base_url,
            ca_file=found.ca_file,
            timeout=timeout,
            max_retries=max_retries,
        )

    def close(self) -> None:
        """Closes the connections that are kept open for later calls."""
        self._http.close()

    def __enter__(self) -> Parcelway:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncParcelway(AsyncResources):
    """A client for asyncio: one for each key, used for as long as the event loop runs.

    In an `async with` statement it closes its connections at the end.
    """

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str,
        timeout: float = DEFAULT_TIMEOUT_S,
        max_retries: int = DEFAULT_RETRIES,
        ca_file: FilePath | None = None,
        verify: bool | ssl.SSLContext = True,
    ) -> None:
        """Makes a client, with the arguments of Parcelway.

        Raises TypeError that names the argument and what is allowed.
        """
        settings = _settings(api_key, base_url, timeout, max_retries)
        self._http = httpx2.AsyncClient(verify=_trust(verify, ca_file), limits=LIMITS)
        super().__init__(AsyncCaller(settings, self._http))

    @classmethod
    def from_quickstart(
        cls,
        path: FilePath = DEFAULT_QUICKSTART,
        *,
        timeout: float = DEFAULT_TIMEOUT_S,
        max_retries: int = DEFAULT_RETRIES,
    ) -> AsyncParcelway:
        """Makes a client of a sandbox on this machine, for its demo tenant.

        path: of the quickstart.json that the sandbox writes into its data directory; address, key and certificate are
        in it. Raises FileNotFoundError when there is none, and ValueError when it is something else.
        """
        found = read_quickstart(path)
        return cls(
            api_key=found.api_key,
            base_url=found.base_url,
            ca_file=found.ca_file,
            timeout=timeout,
            max_retries=max_retries,
        )

    async def close(self) -> None:
        """Closes the connections that are kept open for later calls."""
        await self._http.aclose()

    async def __aenter__(self) -> AsyncParcelway:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
