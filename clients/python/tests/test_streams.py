"""Tables that come as the platform makes them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from parcelway import AsyncParcelway, Parcelway, ParcelwayConnectionError, ResponseInfo

from .api_server import ApiServer, Reply, fail
from .either import either

CSV = {"content-type": "text/csv; charset=utf-8", "x-request-id": "req_1"}


def read(kind: str, url: str, on_part: Callable[[bytes], object], **options: Any) -> str:
    """Reads an export with a client of one of the two kinds. Returns its media type."""
    settings: dict[str, Any] = {"api_key": "pf_test_key", "base_url": url, "max_retries": 2}
    if kind == "sync":
        with Parcelway(**settings) as client, client.forecasts.export_csv(**options) as table:
            for part in table:
                on_part(part)
            return table.media_type

    async def run() -> str:
        async with AsyncParcelway(**settings) as client, await client.forecasts.export_csv(**options) as table:
            async for part in table:
                on_part(part)
            return table.media_type

    return asyncio.run(run())


@either
def test_the_first_part_comes_before_the_last_one_is_sent(server: ApiServer, kind: str) -> None:
    has_head = threading.Event()

    def body() -> Iterator[bytes]:
        yield b"head\r\n"
        # The client has the head, or the test fails.
        yield b"row\r\n" if has_head.wait(10) else b"late\r\n"

    server.respond = lambda _seen, _nth: Reply(200, body(), CSV)
    parts: list[bytes] = []

    def on_part(part: bytes) -> None:
        parts.append(part)
        has_head.set()

    reported: list[ResponseInfo] = []
    assert read(kind, server.url, on_part, status=5, on_response=reported.append) == CSV["content-type"]
    assert parts == [b"head\r\n", b"row\r\n"]
    assert server.seen[0].url == "/open/v1/forecasts.csv?status=5"
    assert [(info.request_id, info.http_status) for info in reported] == [("req_1", 200)]


@either
def test_a_table_may_be_larger_than_other_responses(
    server: ApiServer, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parcelway._caller.MAX_RESPONSE_BYTES", 1000)
    monkeypatch.setattr("parcelway._async_caller.MAX_RESPONSE_BYTES", 1000)
    server.respond = lambda _seen, _nth: Reply(200, (b"x" * 1001 for _part in range(20)), CSV)
    sizes: list[int] = []
    read(kind, server.url, lambda part: sizes.append(len(part)))
    assert sum(sizes) == 20 * 1001


@either
def test_an_export_is_tried_again_until_it_begins(server: ApiServer, kind: str) -> None:
    unavailable = fail(503, "50301", headers={"retry-after": "0"})
    server.respond = lambda _seen, nth: None if nth == 0 else unavailable if nth == 1 else Reply(200, b"table", CSV)
    parts: list[bytes] = []
    read(kind, server.url, parts.append)
    assert (parts, len(server.seen)) == ([b"table"], 3)


@either
def test_a_refused_export_says_why(server: ApiServer, kind: str) -> None:
    server.respond = lambda _seen, _nth: fail(422, "42201")
    with pytest.raises(Exception, match="42201"):
        read(kind, server.url, lambda _part: None)


@either
def test_a_connection_that_breaks_is_no_end(server: ApiServer, kind: str) -> None:
    server.respond = lambda _seen, _nth: Reply(200, iter([b"head\r\n", b""]), CSV)
    parts: list[bytes] = []
    with pytest.raises(ParcelwayConnectionError, match="ended before the response"):
        read(kind, server.url, parts.append)
    assert (parts, len(server.seen)) == ([b"head\r\n"], 1)
