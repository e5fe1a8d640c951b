"""Contents that come as the platform makes them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from types import TracebackType

import httpx2

from ._request import Call, failures_of


class ContentStream:
    """A content that comes as the platform makes it: a loop over it gives its bytes, part by part.

    Read it to its end, or close it, as a `with` statement does: until then it has a connection of its own. When the
    connection breaks, the loop raises ParcelwayConnectionError; what came until then is incomplete.
    """

    media_type: str
    """Such as `text/csv; charset=utf-8`."""

    def __init__(self, call: Call, seconds: float, response: httpx2.Response) -> None:
        self.media_type = response.headers.get("content-type", "")
        self._call = call
        self._seconds = seconds
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        try:
            with failures_of(self._call, self._seconds):
                yield from self._response.iter_bytes()
        finally:
            self.close()

    def __enter__(self) -> ContentStream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Gives the connection back. May be called several times."""
        self._response.close()


class AsyncContentStream:
    """As ContentStream, for asyncio."""

    media_type: str
    """Such as `text/csv; charset=utf-8`."""

    def __init__(self, call: Call, seconds: float, response: httpx2.Response) -> None:
        self.media_type = response.headers.get("content-type", "")
        self._call = call
        self._seconds = seconds
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            with failures_of(self._call, self._seconds):
                async for part in self._response.aiter_bytes():
                    yield part
        finally:
            await self.aclose()

    async def __aenter__(self) -> AsyncContentStream:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Gives the connection back. May be called several times."""
        await self._response.aclose()
