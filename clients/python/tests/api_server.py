"""A platform whose responses a test decides."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Seen:
    """A request as the platform got it."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Reply:
    """A response. A reply of None breaks the connection."""

    status: int
    body: bytes | Iterator[bytes]
    """Parts are sent as they come; one that is empty breaks the connection."""
    headers: Mapping[str, str]


Responding = Callable[[Seen, int], "Reply | None"]


def succeed(data: object, headers: Mapping[str, str] | None = None) -> Reply:
    """`data` in the envelope of success."""
    body = json.dumps({"code": "0", "message": "success", "data": data}).encode()
    return Reply(200, body, {"x-request-id": "req_1", **(headers or {})})


def fail(
    status: int,
    code: str,
    *,
    data: object = None,
    message: str = "It failed",
    headers: Mapping[str, str] | None = None,
) -> Reply:
    """A failure in the envelope."""
    body = json.dumps({"code": code, "message": message, "data": data}).encode()
    return Reply(status, body, {"x-request-id": "req_1", **(headers or {})})


class ApiServer:
    """Listens on the loopback address; responds with success and no data unless the test sets another response."""

    def __init__(self) -> None:
        self.seen: list[Seen] = []
        self.respond: Responding = lambda _seen, _nth: succeed({})
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _serve(self) -> None:
                length = int(self.headers.get("content-length", "0"))
                headers = {name.lower(): value for name, value in self.headers.items()}
                seen = Seen(self.command, self.path, headers, self.rfile.read(length))
                nth = len(owner.seen)
                owner.seen.append(seen)
                reply = owner.respond(seen, nth)
                self.close_connection = reply is None
                if reply is None:
                    return
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                if isinstance(reply.body, bytes):
                    self.send_header("content-length", str(len(reply.body)))
                    self.end_headers()
                    self.wfile.write(reply.body)
                    return
                self.send_header("transfer-encoding", "chunked")
                self.end_headers()
                for part in reply.body:
                    self.close_connection = part == b""
                    if self.close_connection:
                        return
                    self.wfile.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
                self.wfile.write(b"0\r\n\r\n")

            do_GET = do_POST = do_PATCH = do_DELETE = _serve

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: object, client_address: object) -> None:
                """Says nothing: a client that hangs up is part of a test."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        """Stops listening."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
