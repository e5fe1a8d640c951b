"""Calls routes with asyncio: sends, tries again, reads."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

import httpx2

from ._errors import ParcelwayConnectionError, ParcelwayError
from ._files import FileSource, read_upload
from ._options import Settings
from ._request import MAX_RESPONSE_BYTES, Call, failures_of, headers_of, prepare
from ._response import Response
from ._stream import AsyncContentStream

T = TypeVar("T")


class AsyncCaller:
    """Calls routes over connections that it keeps, within one event loop."""

    def __init__(self, settings: Settings, http: httpx2.AsyncClient) -> None:
        self._settings = settings
        self._http = http

    async def call(
        self,
        route_id: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, object] | None = None,
        body: object = None,
        upload: tuple[FileSource, str | None] | None = None,
        form: Mapping[str, object] | None = None,
        options: Mapping[str, Any] | None = None,
        origin: str | None = None,
    ) -> Any:
        """As Caller.call."""
        # A file is read beside the loop, which a slow disk would hold up.
        content = None if upload is None else await asyncio.to_thread(read_upload, *upload)
        call = prepare(
            self._settings,
            route_id,
            path=path or {},
            query=query or {},
            body=body,
            upload=content,
            form=form or {},
            options=options or {},
            origin=origin,
        )
        attempt = 1
        while True:
            try:
                return call.read(await self._attempt(call), attempt)
            except ParcelwayError as error:
                wait = call.wait_after(error, attempt)
            await asyncio.sleep(wait)
            attempt += 1

    async def stream(
        self, route_id: str, *, query: Mapping[str, object], options: Mapping[str, Any] | None = None
    ) -> AsyncContentStream:
        """As Caller.stream."""
        call = prepare(
            self._settings,
            route_id,
            path={},
            query=query,
            body=None,
            upload=None,
            form={},
            options=options or {},
            origin=None,
        )
        attempt = 1
        while True:
            try:
                return await self._begin(call, attempt)
            except ParcelwayError as error:
                wait = call.wait_after(error, attempt)
            await asyncio.sleep(wait)
            attempt += 1

    async def _begin(self, call: Call, attempt: int) -> AsyncContentStream:
        async def begun(seconds: float) -> AsyncContentStream:
            response = await self._send(call, seconds)
            if response.status_code != 200:
                call.read(await self._read(response), attempt)
            call.report(response.status_code, headers_of(response), attempt)
            return AsyncContentStream(call, seconds, response)

        return await self._within(call, begun)

    async def _attempt(self, call: Call) -> Response:
        async def complete(seconds: float) -> Response:
            return await self._read(await self._send(call, seconds))

        return await self._within(call, complete)

    async def _within(self, call: Call, attempt: Callable[[float], Awaitable[T]]) -> T:
        seconds = call.attempt_seconds()
        try:
            with failures_of(call, seconds):
                return await asyncio.wait_for(attempt(seconds), seconds)
        except asyncio.TimeoutError as error:
            raise call.timed_out(seconds) from error

    async def _send(self, call: Call, seconds: float) -> httpx2.Response:
        request = self._http.build_request(
            call.method, call.url, headers=call.headers, content=call.body, timeout=httpx2.Timeout(seconds)
        )
        return await self._http.send(request, stream=True)

    async def _read(self, response: httpx2.Response) -> Response:
        try:
            body = bytearray()
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > MAX_RESPONSE_BYTES:
                    raise ParcelwayConnectionError(
                        "connection_lost", f"The response has more than {MAX_RESPONSE_BYTES} bytes"
                    )
        finally:
            await response.aclose()
        return Response(response.status_code, headers_of(response), bytes(body))
