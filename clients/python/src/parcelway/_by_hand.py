"""Methods that do more than to call a route; `_generated/resources.py` has the others."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qs, unquote, urlsplit

from . import types as t
from ._caller import Caller
from ._feed import EventFeed, Following
from ._options import CallOptions, check_options
from ._response import Content

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Resource:
    """Methods that share a caller."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller


def opened(url: str) -> tuple[str, dict[str, str], dict[str, object], str]:
    """Route, path, query and origin of the URL of a file or photo. Raises TypeError for another URL."""
    parts = urlsplit(url)
    match = re.fullmatch(r"/(files|photos)/([^/]+)", parts.path)
    if parts.scheme not in ("http", "https") or not parts.netloc or match is None:
        raise TypeError(
            f"url must be the URL of a file or photo, unchanged from a response of the platform; {url} is not"
        )
    path = {"name": unquote(match.group(2))}
    origin = f"{parts.scheme}://{parts.netloc}"
    if match.group(1) == "photos":
        return "openPhoto", path, {}, origin
    copies = parse_qs(parts.query).get("copies")
    return "openFile", path, {"copies": copies[0] if copies else None}, origin


def feed_query(
    cursor: str | None,
    since: str | None,
    event_types: Sequence[t.WebhookEventType] | None,
    po_number: str | None,
    limit: int | None,
) -> dict[str, object]:
    """The query of a page of the feed. `since` names where to begin, and only that: a cursor takes its place."""
    begin = {"since": since} if cursor is None else {"after": cursor}
    return {**begin, "event_types": event_types, "po_number": po_number, "limit": limit}


def report_of(events: t.WarehouseEvent | Sequence[t.WarehouseEvent]) -> object:
    """The body of a report: an event as it is, several in a batch."""
    return events if isinstance(events, dict) else {"events": list(events)}


FIRST_LOOK_S = 0.25
LOOK_EVERY_S = 2.0


def still_runs(import_id: str, wait: float) -> TimeoutError:
    """Raised when an import has not finished in time."""
    return TimeoutError(f"The import {import_id} still runs after {wait:g} s; wait for it again")


class ImportsByHand(Resource):
    """Waiting for imports."""

    def wait_until_done(
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
            progress: t.ForecastImport = self._caller.call("getImport", path={"import_id": import_id}, options=options)
            if on_progress is not None:
                on_progress(progress)
            if progress["state"] != "running":
                return progress
            if time.monotonic() + pause > end:
                raise still_runs(import_id, wait)
            time.sleep(pause)
            pause = min(LOOK_EVERY_S, pause * 2)


class FilesByHand(Resource):
    """Opening files."""

    def open(self, url: str, **options: Unpack[CallOptions]) -> Content:
        """Opens a PDF or a photo.

        url: `url` of an upload, `marketplace_label` or `packing_slip` of a forecast, or `image_url` of an image, as the
        platform gave it; behind that of a label may stand `?copies=quantity`.

        `GET /files/{name}`, `GET /photos/{name}`
        """
        route_id, path, query, origin = opened(url)
        content: Content = self._caller.call(route_id, path=path, query=query, options=options, origin=origin)
        return content


class EventsByHand(Resource):
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
        stop: threading.Event | None = None,
        **options: Unpack[CallOptions],
    ) -> EventFeed:
        """Reads the feed of events, oldest first.

        after: `cursor` of an earlier feed. since: instead, the time from which on events are wanted.
        event_types: only these; default parcel.weighed, tracking.changed and endpoint.disabled.
        po_number: only events of this parcel.
        follow: the feed does not end with the newest event. It looks for further ones every `poll` seconds, and
        waits `max_outage` seconds at most while the platform is unavailable. `stop.set()`, in another thread, ends it.

        `GET /open/v1/events`
        """
        check_options("listEvents", options)

        def fetch(cursor: str | None) -> t.EventFeed:
            query = feed_query(cursor, since, event_types, po_number, limit)
            page: t.EventFeed = self._caller.call("listEvents", query=query, options=options)
            return page

        following = Following(follow, poll, max_outage, options.get("on_retry"), stop or threading.Event())
        return EventFeed(fetch, after, following)


class WarehouseIntakeByHand(Resource):
    """Reporting events."""

    def report_events(
        self, events: t.WarehouseEvent | Sequence[t.WarehouseEvent], **options: Unpack[CallOptions]
    ) -> t.IntakeResult:
        """Reports one event, or up to 500.

        A bad event is rejected alone and listed in `rejected`; an `event_id` sent again has no second effect.

        `POST /warehouse/v1/events`
        """
        call = self._caller.call("reportEvents", body=report_of(events), options=cast("dict[str, Any]", options))
        data: t.IntakeResult = call
        return data
