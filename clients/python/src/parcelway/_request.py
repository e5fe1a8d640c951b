"""Makes requests, and says what a failed one means. Nothing here waits: both callers share it."""

from __future__ import annotations

import json
import random
import re
import ssl
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

import httpx2

from ._errors import ParcelwayConnectionError, ParcelwayError
from ._files import encode_upload
from ._generated.routes import ROUTES
from ._options import ResponseInfo, RetryNotice, Settings, check_options, checked_retries, checked_timeout
from ._response import Response, read_content, read_data
from ._retry import may_repeat, needs_key, wait_before

ATTEMPT_S = 30.0
"""An attempt gets no more than this of the time of a call: a response which never comes leaves some for another."""

MAX_RESPONSE_BYTES = 32 * 1024 * 1024
"""Far above the largest response of the platform, a file of 10 MB."""


def _in_query(value: object) -> str:
    """A value as the platform reads it in a query: lists with commas."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(_in_query(each) for each in value)
    return str(value)


def encode_path(path: str, parameters: Mapping[str, str], query: Mapping[str, object]) -> str:
    """A path with its parameters in place, and the query; values that are None are left out."""

    def fill(match: re.Match[str]) -> str:
        value = parameters.get(match.group(1))
        # An empty segment would lead to another route.
        if not isinstance(value, str) or value == "":
            raise TypeError(f"{match.group(1)} must be a str that is not empty")
        return quote(value, safe="")

    filled = re.sub(r"\{([a-z_]+)\}", fill, path)
    given = [(name, _in_query(value)) for name, value in query.items() if value is not None]
    return f"{filled}?{urlencode(given)}" if given else filled


@dataclass(frozen=True)
class Call:
    """A call on its way: every attempt sends the same."""

    route_id: str
    method: str
    url: str
    origin: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = field(repr=False)
    options: Mapping[str, Any]
    max_retries: int
    end: float
    """time.monotonic() at which the call is over."""

    def attempt_seconds(self) -> float:
        """Seconds for an attempt that begins now."""
        return max(0.001, min(ATTEMPT_S, self.end - time.monotonic()))

    def read(self, response: Response, attempt: int) -> Any:
        """The result. Raises ParcelwayError."""
        read = read_content if ROUTES[self.route_id].kind == "file" else read_data
        result = read(response, self.origin)
        self.report(response.status, response.headers, attempt)
        return result

    def report(self, status: int, headers: Mapping[str, str], attempt: int) -> None:
        """Gives what came back to `on_response`."""
        on_response = self.options.get("on_response")
        if on_response is not None:
            on_response(ResponseInfo(headers.get("x-request-id"), status, headers, attempt))

    def wait_after(self, error: ParcelwayError, attempt: int) -> float:
        """Seconds to wait before the next attempt. Raises the error when there is none."""
        if attempt > self.max_retries or not may_repeat(self.route_id, error):
            raise error
        wait = wait_before(attempt, error, random.random())
        # There is no sense in a wait that uses up the time: the caller hears of the failure now.
        if time.monotonic() + wait >= self.end:
            raise error
        on_retry = self.options.get("on_retry")
        if on_retry is not None:
            on_retry(RetryNotice(error, wait, attempt))
        return wait

    def timed_out(self, seconds: float) -> ParcelwayConnectionError:
        """The error of an attempt whose time is over."""
        what = f"did not send a complete response to {self.route_id} within {seconds:.1f} s"
        return ParcelwayConnectionError("timeout", f"{self.origin} {what}")


def prepare(
    settings: Settings,
    route_id: str,
    *,
    path: Mapping[str, str],
    query: Mapping[str, object],
    body: object,
    upload: tuple[str, bytes] | None,
    form: Mapping[str, object],
    options: Mapping[str, Any],
    origin: str | None,
) -> Call:
    """A call of a route. Raises TypeError for arguments that cannot be sent."""
    route = ROUTES[route_id]
    check_options(route_id, options)
    timeout = checked_timeout(options.get("timeout", settings.timeout))
    headers = {
        "accept": "*/*" if route.kind == "file" else "application/json",
        "user-agent": settings.user_agent,
    }
    if not route.public:
        headers["x-api-key"] = settings.api_key
    content: bytes | None = None
    if upload is not None:
        headers["content-type"], content = encode_upload(*upload, form)
    elif body is not None:
        headers["content-type"] = "application/json; charset=utf-8"
        content = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    key = options.get("idempotency_key") or (str(uuid.uuid4()) if needs_key(route_id) else None)
    if key is not None:
        headers["idempotency-key"] = key
    if options.get("if_version") is not None:
        headers["if-match"] = f'"{options["if_version"]}"'
    base_url = origin if origin is not None else settings.base_url
    return Call(
        route_id=route_id,
        method=route.method,
        url=base_url + encode_path(route.path, path, query),
        origin=base_url,
        headers=headers,
        body=content,
        options=options,
        max_retries=checked_retries(options.get("max_retries", settings.max_retries)),
        end=time.monotonic() + timeout,
    )


def headers_of(response: httpx2.Response) -> dict[str, str]:
    """The headers of a response, with names in lower case."""
    return {name.lower(): value for name, value in response.headers.items()}


def _is_untrusted(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError) or "CERTIFICATE_VERIFY_FAILED" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def connection_error(error: httpx2.TransportError, call: Call, seconds: float) -> ParcelwayConnectionError:
    """What a failed connection is to a caller."""
    origin = call.origin
    if _is_untrusted(error):
        todo = (
            "pass the file with the certificate of its authority as ca_file; for a local installation, "
            "ca_file in quickstart.json names the file"
        )
        return ParcelwayConnectionError(
            "untrusted_certificate", f"The certificate of {origin} is not trusted ({error}): {todo}"
        )
    if isinstance(error, (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.ProxyError, httpx2.UnsupportedProtocol)):
        reason = str(error) or type(error).__name__
        return ParcelwayConnectionError(
            "unreachable", f"Cannot reach the platform at {origin} ({reason}); check base_url"
        )
    if isinstance(error, httpx2.TimeoutException):
        return call.timed_out(seconds)
    reason = str(error) or type(error).__name__
    return ParcelwayConnectionError(
        "connection_lost", f"The connection to {origin} ended before the response ({reason})"
    )


@contextmanager
def failures_of(call: Call, seconds: float) -> Iterator[None]:
    """Raises the errors of a connection as a caller knows them.

    seconds: time that the attempt, or each read of it, may take.
    """
    try:
        yield
    except httpx2.TransportError as error:
        raise connection_error(error, call, seconds) from error
    except httpx2.DecodingError as error:
        raise ParcelwayConnectionError("connection_lost", f"The response cannot be decoded: {error}") from error
