"""Methods with asyncio that do more than to call a route; `_generated/async_resources.py` has the others."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from . import types as t
from ._async_caller import AsyncCaller
from ._by_hand import FIRST_LOOK_S, LOOK_EVERY_S, feed_query, opened, report_of, still_runs
from ._feed import AsyncEventFeed, Following
from ._options import CallOptions, check_options
from ._response import Content

if TYPE_CHECKING:
    from typing_extensions import Unpack


class AsyncResource:
    """Methods that share a caller."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller


class AsyncImportsByHand(AsyncResource):
    """Waiting for imports."""

    async def wait_until_done(
        self,
        import_id: str,
        *,
        wait: float = 600.0,
        on_progress: Callable[[t.ForecastImport], object] | None = None,
        **options: Unpack[CallOptions],
    ) -> t.ForecastImport:
        """Waits until an import has finished; its `state` says how.

        wait: seconds. Raises TimeoutError when the import still runs then; it goes on, and can be waited for again.
        on_progress: called with each look at the import, which has `total`, `accepted` and `failed`.

        `GET /open/v1/forecasts/import/{import_id}`
        """
        end = time.monotonic() + wait
        pause = FIRST_LOOK_S
        while True:
            path = {"import_id": import_id}
            progress: t.ForecastImport = await self._caller.call("getImport", path=path, options=options)
            if on_progress is not None:
                on_progress(progress)
            if progress["state"] != "running":
                return progress
            if time.monotonic() + pause > end:
                raise still_runs(import_id, wait)
            await asyncio.sleep(pause)
            pause = min(LOOK_EVERY_S, pause * 2)


class AsyncFilesByHand(AsyncResource):
    """Opening files."""

    async def open(self, url: str, **options: Unpack[CallOptions]) -> Content:
        """Opens a PDF or a photo.

        url: `url` of an upload, `marketplace_label` or `packing_slip` of a forecast, or `image_url` of an image, as the
        platform gave it; behind that of a label may stand `?copies=quantity`.

        `GET /files/{name}`, `GET /photos/{name}`
        """
        route_id, path, query, origin = opened(url)
        content: Content = await self._caller.call(route_id, path=path, query=query, options=options, origin=origin)
        return content


class AsyncEventsByHand(AsyncResource):
    """Reading the feed."""

    def list(
        self,
        *,
        after: str | None = None,
        since: str | None = None,
        event_types: Sequence[t.WebhookEventType] | None = None,
        po_number: str | None = None,
        limit: int | None = None,
        follow: bool = False,
        poll: float = 2.0,
        max_outage: float = 300.0,
        **options: Unpack[CallOptions],
    ) -> AsyncEventFeed:
        """Reads the feed of events, oldest first.

        after: `cursor` of an earlier feed. since: instead, the time from which on events are wanted.
        event_types: only these; default parcel.weighed, tracking.changed and endpoint.disabled.
        po_number: only events of this parcel.
        follow: the feed does not end with the newest event. It looks for further ones every `poll` seconds, and
        waits `max_outage` seconds at most while the platform is unavailable. Cancel
        the task to end it.

        `GET /open/v1/events`
        """
        check_options("listEvents", options)

        async def fetch(cursor: str | None) -> t.EventFeed:
            query = feed_query(cursor, since, event_types, po_number, limit)
            page: t.EventFeed = await self._caller.call("listEvents", query=query, options=options)
            return page

        following = Following(follow, poll, max_outage, options.get("on_retry"))
        return AsyncEventFeed(fetch, after, following)


class AsyncWarehouseIntakeByHand(AsyncResource):
    """Reporting events."""

    async def report_events(
        self, events: t.WarehouseEvent | Sequence[t.WarehouseEvent], **options: Unpack[CallOptions]
    ) -> t.IntakeResult:
        """Reports one event, or up to 500.

        A bad event is rejected alone and listed in `rejected`; an `event_id` sent again has no second effect.

        `POST /warehouse/v1/events`
        """
        call = await self._caller.call("reportEvents", body=report_of(events), options=cast("dict[str, Any]", options))
        data: t.IntakeResult = call
        return data
