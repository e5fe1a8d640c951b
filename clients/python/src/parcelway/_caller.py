"""Calls routes: sends, tries again, reads."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import httpx2

from ._errors import ParcelwayConnectionError, ParcelwayError
from ._files import FileSource, read_upload
from ._options import Settings
from ._request import MAX_RESPONSE_BYTES, Call, failures_of, headers_of, prepare
from ._response import Response
from ._stream import ContentStream


class Caller:
    """Calls routes over connections that it keeps. Threads may share it."""

    def __init__(self, settings: Settings, http: httpx2.Client) -> None:
        self._settings = settings
        self._http = http

    def call(
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
        """Calls a route.

        origin: where it is called instead of the client's base URL; only for files, which need no key.
        Returns `data` of the response, or the file.
        Raises ParcelwayError, and TypeError for arguments that cannot be sent.
        """
        call = prepare(
            self._settings,
            route_id,
            path=path or {},
            query=query or {},
            body=body,
            upload=None if upload is None else read_upload(*upload),
            form=form or {},
            options=options or {},
            origin=origin,
        )
        attempt = 1
        while True:
            try:
                return call.read(self._attempt(call), attempt)
            except ParcelwayError as error:
                wait = call.wait_after(error, attempt)
            time.sleep(wait)
            attempt += 1

    def stream(
        self, route_id: str, *, query: Mapping[str, object], options: Mapping[str, Any] | None = None
    ) -> ContentStream:
        """Calls a route whose content comes as it is made. Until it begins, the call is like others.

        Raises ParcelwayError, and TypeError for arguments that cannot be sent.
        """
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
                return self._begin(call, attempt)
            except ParcelwayError as error:
                wait = call.wait_after(error, attempt)
            time.sleep(wait)
            attempt += 1

    def _begin(self, call: Call, attempt: int) -> ContentStream:
        seconds = call.attempt_seconds()
        with failures_of(call, seconds):
            response = self._send(call, seconds)
            if response.status_code != 200:
                call.read(self._read(response, call, time.monotonic() + seconds, seconds), attempt)
        call.report(response.status_code, headers_of(response), attempt)
        return ContentStream(call, seconds, response)

    def _attempt(self, call: Call) -> Response:
        seconds = call.attempt_seconds()
        end = time.monotonic() + seconds
        with failures_of(call, seconds):
            return self._read(self._send(call, seconds), call, end, seconds)

    def _send(self, call: Call, seconds: float) -> httpx2.Response:
        request = self._http.build_request(
            call.method, call.url, headers=call.headers, content=call.body, timeout=httpx2.Timeout(seconds)
        )
        return self._http.send(request, stream=True)

    def _read(self, response: httpx2.Response, call: Call, end: float, seconds: float) -> Response:
        try:
            body = bytearray()
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > MAX_RESPONSE_BYTES:
                    raise ParcelwayConnectionError(
                        "connection_lost", f"The response has more than {MAX_RESPONSE_BYTES} bytes"
                    )
                # The time of httpx2 is for each read: a response that drips would take any number of them.
                if time.monotonic() > end:
                    raise call.timed_out(seconds)
        finally:
            response.close()
        return Response(response.status_code, headers_of(response), bytes(body))
