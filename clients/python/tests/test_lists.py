"""Lists in pages, and the feed."""

from __future__ import annotations

import asyncio
import threading

import pytest

from parcelway import AsyncParcelway, Parcelway, ParcelwayError

from .api_server import ApiServer, Reply, Seen, fail, succeed
from .either import Either, either


def page(items: list[str], cursor: str | None) -> Reply:
    return succeed({"forecasts": [{"po_number": item} for item in items], "next_cursor": cursor})


@either
def test_a_loop_is_all_items(server: ApiServer, kind: str) -> None:
    server.respond = lambda _seen, nth: page(["A", "B"], "c 1") if nth == 0 else page(["C"], None)
    found = Either(kind, server.url).call("forecasts.list", status="WEIGHED")
    assert [each["po_number"] for each in found] == ["A", "B", "C"]
    assert [seen.url for seen in server.seen] == [
        "/open/v1/forecasts?status=WEIGHED",
        "/open/v1/forecasts?status=WEIGHED&cursor=c+1",
    ]


def test_pages_are_asked_for_when_they_are_needed(server: ApiServer, client: Parcelway) -> None:
    server.respond = lambda _seen, nth: page([str(nth)], f"c{nth}")
    pages = client.forecasts.list(cursor="mine").pages()
    assert next(pages)["next_cursor"] == "c0"
    assert [seen.url for seen in server.seen] == ["/open/v1/forecasts?cursor=mine"]
    assert client.forecasts.list().first_page()["forecasts"][0]["po_number"] == "1"

    async def first() -> str | None:
        async with AsyncParcelway(api_key="k", base_url=server.url) as other:
            return (await other.forecasts.list().first_page())["next_cursor"]

    assert asyncio.run(first()) == "c2"


@either
def test_a_list_that_would_never_end_fails(server: ApiServer, kind: str) -> None:
    server.respond = lambda _seen, _nth: page([], "same")
    with pytest.raises(RuntimeError, match="never end"):
        Either(kind, server.url).call("forecasts.list")


def events(numbers: list[int], cursor: str, *, has_more: bool = False) -> Reply:
    found = [{"type": "parcel.weighed", "data": {"event_id": f"evt_{number}"}} for number in numbers]
    return succeed({"events": found, "next_cursor": cursor, "has_more": has_more})


@either
def test_the_feed_ends_with_the_newest_event(server: ApiServer, kind: str) -> None:
    server.respond = lambda _seen, nth: events([nth], f"c{nth}", has_more=nth == 0)
    found = Either(kind, server.url).call("events.list", since="2026-11-21T00:00:00Z")
    assert [each["data"]["event_id"] for each in found] == ["evt_0", "evt_1"]
    assert server.seen[1].url == "/open/v1/events?after=c0"


def following(_seen: Seen, nth: int) -> Reply:
    """An event, nothing new, an outage, another event."""
    replies = [events([0], "c0"), events([], "c0"), fail(503, "50301"), events([1], "c1")]
    return replies[min(nth, 3)]


def test_a_followed_feed_waits_for_events_and_through_outages(server: ApiServer) -> None:
    server.respond = following
    with Parcelway(api_key="k", base_url=server.url, max_retries=0) as client:
        feed = client.events.list(follow=True, poll=0.1)
        taken = []
        for each in feed.pages():
            taken.append((len(each["events"]), feed.cursor))
            if len(taken) == 2:
                break
        # The cursor moves when the events of a page have been taken.
        assert taken == [(1, None), (1, "c0")]


def test_a_followed_feed_stops(server: ApiServer, client: Parcelway) -> None:
    server.respond = lambda _seen, nth: events([nth] if nth == 0 else [], "c0")
    stop = threading.Event()
    found = []
    for event in client.events.list(follow=True, poll=60, stop=stop):
        found.append(event["type"])
        stop.set()
    assert found == ["parcel.weighed"]


def test_a_followed_feed_fails_when_the_outage_is_too_long(server: ApiServer, client: Parcelway) -> None:
    server.respond = lambda _seen, _nth: fail(503, "50301")
    with pytest.raises(ParcelwayError):
        next(iter(client.events.list(follow=True, max_outage=0.1, max_retries=0)))


def test_a_followed_feed_with_asyncio(server: ApiServer) -> None:
    server.respond = following

    async def follow() -> list[str]:
        async with AsyncParcelway(api_key="k", base_url=server.url, max_retries=0) as client:
            found: list[str] = []
            async for event in client.events.list(follow=True, poll=0.1):
                found.append(str(event["data"]["event_id"]))
                if len(found) == 2:
                    return found
            return found

    assert asyncio.run(asyncio.wait_for(follow(), 20)) == ["evt_0", "evt_1"]


def test_a_followed_feed_is_cancelled(server: ApiServer) -> None:
    server.respond = lambda _seen, _nth: events([], "c0")

    async def follow() -> None:
        async with AsyncParcelway(api_key="k", base_url=server.url) as client:
            async for _event in client.events.list(follow=True, poll=60):
                pass

    with pytest.raises(asyncio.TimeoutError):
        asyncio.run(asyncio.wait_for(follow(), 0.5))
