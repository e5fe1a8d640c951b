"""Calls routes with asyncio: sends, tries again, reads."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import httpx2

from ._errors import ParcelwayConnectionError, ParcelwayError
from ._files import FileSource, read_upload
from ._options import Settings
from ._request import MAX_RESPONSE_BYTES, Call, connection_error, headers_of, prepare
from ._response import Response


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

    async def _attempt(self, call: Call) -> Response:
        seconds = call.attempt_seconds()
        try:
            return await asyncio.wait_for(self._send(call, seconds), seconds)
        except asyncio.TimeoutError as error:
            raise call.timed_out(seconds) from error
        except httpx2.TransportError as error:
            raise connection_error(error, call, seconds) from error
        except httpx2.DecodingError as error:
            raise ParcelwayConnectionError("connection_lost", f"The response cannot be decoded: {error}") from error

    async def _send(self, call: Call, seconds: float) -> Response:
        request = self._http.build_request(
            call.method, call.url, headers=call.headers, content=call.body, timeout=httpx2.Timeout(seconds)
        )
        response = await self._http.send(request, stream=True)
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
