"""The feed of events, which may be followed."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field

from . import types as t
from ._errors import ParcelwayError
from ._options import RetryNotice
from ._retry import wait_before

MIN_POLL_S = 0.1


@dataclass(frozen=True)
class Following:
    """How a feed goes on after its end."""

    follow: bool
    poll: float
    """Seconds between two looks for further events."""
    max_outage: float
    """Seconds for which the platform may be unavailable before a followed feed fails."""
    on_retry: Callable[[RetryNotice], None] | None
    stop: threading.Event = field(default_factory=threading.Event)

    def wait_after(self, error: ParcelwayError, attempt: int, end: float) -> float:
        """Seconds to wait after a failed look. Raises the error when the feed fails with it."""
        if not self.follow or not error.is_passing:
            raise error
        wait = wait_before(attempt, error, random.random())
        if time.monotonic() + wait >= end:
            raise error
        if self.on_retry is not None:
            self.on_retry(RetryNotice(error, wait, attempt))
        return wait


class EventFeed:
    """The events of a tenant, oldest first; in a `for` loop, event after event.

    Keep `cursor` with what you did, and begin there the next time.
    """

    def __init__(self, fetch: Callable[[str | None], t.EventFeed], after: str | None, following: Following) -> None:
        self._fetch = fetch
        self._following = following
        self.cursor = after
        """Where to go on: `after` of a later call. It moves when every event of a page has been taken, so an event may
        come again, and none is left out."""

    def first_page(self) -> t.EventFeed:
        """The page at the cursor alone."""
        return self._fetch(self.cursor)

    def pages(self) -> Iterator[t.EventFeed]:
        """Page after page; a followed feed leaves out empty ones. Raises ParcelwayError."""
        following = self._following
        while not following.stop.is_set():
            page = self._look()
            if page is None:
                return
            if page["events"] or not following.follow:
                yield page
            self.cursor = page["next_cursor"]
            if page["has_more"]:
                continue
            if not following.follow:
                return
            following.stop.wait(max(MIN_POLL_S, following.poll))

    def __iter__(self) -> Iterator[t.WebhookEvent]:
        for page in self.pages():
            yield from page["events"]

    def _look(self) -> t.EventFeed | None:
        """The next page; None when the feed was stopped during an outage."""
        end = time.monotonic() + self._following.max_outage
        attempt = 1
        while True:
            try:
                return self._fetch(self.cursor)
            except ParcelwayError as error:
                wait = self._following.wait_after(error, attempt, end)
            if self._following.stop.wait(wait):
                return None
            attempt += 1


class AsyncEventFeed:
    """The events of a tenant, oldest first; in an `async for` loop, event after event.

    Keep `cursor` with what you did, and begin there the next time. Cancel the task to end a followed feed.
    """

    def __init__(
        self, fetch: Callable[[str | None], Awaitable[t.EventFeed]], after: str | None, following: Following
    ) -> None:
        self._fetch = fetch
        self._following = following
        self.cursor = after
        """Where to go on: `after` of a later call. It moves when every event of a page has been taken, so an event may
        come again, and none is left out."""

    async def first_page(self) -> t.EventFeed:
        """The page at the cursor alone."""
        return await self._fetch(self.cursor)

    async def pages(self) -> AsyncIterator[t.EventFeed]:
        """Page after page; a followed feed leaves out empty ones. Raises ParcelwayError."""
        following = self._following
        while True:
            page = await self._look()
            if page["events"] or not following.follow:
                yield page
            self.cursor = page["next_cursor"]
            if page["has_more"]:
                continue
            if not following.follow:
                return
            await asyncio.sleep(max(MIN_POLL_S, following.poll))

    async def __aiter__(self) -> AsyncIterator[t.WebhookEvent]:
        async for page in self.pages():
            for event in page["events"]:
                yield event

    async def _look(self) -> t.EventFeed:
        end = time.monotonic() + self._following.max_outage
        attempt = 1
        while True:
            try:
                return await self._fetch(self.cursor)
            except ParcelwayError as error:
                wait = self._following.wait_after(error, attempt, end)
            await asyncio.sleep(wait)
            attempt += 1
