"""Where each method leads, and that every route has one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import parcelway
from parcelway import Parcelway
from parcelway._generated.routes import ROUTES

from .api_server import ApiServer, Reply, Seen, succeed
from .either import Either, either

ARRIVAL = {"type": "arrival", "event_id": "e1", "occurred_at": "2026-11-24T01:15:03Z", "warehouse_code": "W"}
FORECAST = {"po_number": "P", "warehouse_code": "W", "items": []}

# Methods whose address shows how values are encoded, and those written by hand; the others are generated.
CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any], str, str, Any]] = [
    ("forecasts.submit", (FORECAST,), {}, "POST", "/open/v1/forecasts", FORECAST),
    ("forecasts.list", (), {"status": "WEIGHED", "limit": 5}, "GET", "/open/v1/forecasts?status=WEIGHED&limit=5", None),
    ("forecasts.weighing", ("P 1",), {}, "GET", "/open/v1/forecasts/weighing?po_number=P+1", None),
    ("forecasts.tracking", ("P&1",), {}, "GET", "/open/v1/forecasts/tracking?po_number=P%261", None),
    ("forecasts.get", ("P/1",), {}, "GET", "/open/v1/forecasts/P%2F1", None),
    ("forecasts.correct", ("P", {"due_date": None}), {}, "PATCH", "/open/v1/forecasts/P", {"due_date": None}),
    ("forecasts.cancel", ("P?1",), {}, "POST", "/open/v1/forecasts/P%3F1/cancel", None),
    ("carriers.detect", ("1Z 99",), {}, "GET", "/open/v1/carriers/detect?tracking_number=1Z+99", None),
    ("webhook_endpoints.rotate_secret", ("ep_1",), {}, "POST", "/open/v1/webhook-endpoints/ep_1/rotate-secret", None),
    ("deliveries.get", ("ep_1", "d_1"), {}, "GET", "/open/v1/webhook-endpoints/ep_1/deliveries/d_1", None),
    ("warehouse.self", (), {}, "GET", "/warehouse/v1/warehouse", None),
    ("warehouse.look_up", ("A 1",), {}, "GET", "/warehouse/v1/lookup?scan=A+1", None),
    ("warehouse.report_events", (ARRIVAL,), {}, "POST", "/warehouse/v1/events", ARRIVAL),
    ("warehouse.report_events", ([ARRIVAL],), {}, "POST", "/warehouse/v1/events", {"events": [ARRIVAL]}),
    ("warehouse.report_events", ((ARRIVAL,),), {}, "POST", "/warehouse/v1/events", {"events": [ARRIVAL]}),
    (
        "events.list",
        (),
        {
            "since": "2026-11-21T00:00:00Z",
            "event_types": ["parcel.weighed", "tracking.changed"],
            "po_number": "PO 1",
            "limit": 3,
        },
        "GET",
        "/open/v1/events?since=2026-11-21T00%3A00%3A00Z&event_types=parcel.weighed%2Ctracking.changed&po_number=PO+1&limit=3",
        None,
    ),
    (
        "sandbox.listen",
        (),
        {"wait": 1, "event_types": ("parcel.weighed",)},
        "GET",
        "/sandbox/v1/listen?event_types=parcel.weighed&wait=1",
        None,
    ),
]


def empty_pages(_seen: Seen, _nth: int) -> Reply:
    lists = ("forecasts", "deliveries", "events", "parcels")
    return succeed({**{name: [] for name in lists}, "next_cursor": None, "has_more": False})


@either
@pytest.mark.parametrize(("path", "args", "options", "method", "url", "body"), CALLS)
def test_a_call_leads_to_its_route(
    server: ApiServer,
    kind: str,
    path: str,
    args: tuple[Any, ...],
    options: dict[str, Any],
    method: str,
    url: str,
    body: Any,
) -> None:
    server.respond = empty_pages
    Either(kind, server.url).call(path, *args, **options)
    (seen,) = server.seen
    assert (seen.method, seen.url) == (method, url)
    assert (json.loads(seen.body) if seen.body else None) == body
    assert seen.headers["x-api-key"] == "pf_test_key"
    assert seen.headers["user-agent"].startswith("parcelway-python/")


@either
def test_a_base_url_may_have_a_path(server: ApiServer, kind: str) -> None:
    Either(kind, f"{server.url}/parcels/").call("warehouses.list")
    assert server.seen[0].url == "/parcels/open/v1/warehouses"


@pytest.mark.parametrize("prefix", ["", "async_"])
def test_every_route_has_a_method(prefix: str) -> None:
    package = Path(parcelway.__file__).parent
    # What the methods by hand of both kinds share is in the first file.
    names = ["_by_hand.py", f"_{prefix}by_hand.py", f"_generated/{prefix}resources.py"]
    text = "".join((package / name).read_text(encoding="utf-8") for name in names)
    assert [route for route in ROUTES if f'"{route}"' not in text] == []


@pytest.mark.parametrize(
    ("path", "args", "message"),
    [
        ("forecasts.get", ("",), "po_number must be a str that is not empty"),
        ("forecasts.get", (None,), "po_number must be a str that is not empty"),
        ("files.open", ("https://a.example/other/x.pdf",), "url must be the URL of a file or photo"),
        ("files.open", ("/files/x.pdf",), "url must be the URL of a file or photo"),
    ],
)
def test_what_cannot_be_sent_is_a_type_error(
    server: ApiServer, client: Parcelway, path: str, args: tuple[Any, ...], message: str
) -> None:
    resource, method = path.split(".")
    with pytest.raises(TypeError, match=message):
        getattr(getattr(client, resource), method)(*args)
    assert server.seen == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"timeot": 1},
            r"warehouses.list\(\) does not accept timeot; it accepts max_retries, on_response, on_retry, timeout",
        ),
        ({"idempotency_key": "mine"}, r"warehouses.list\(\) does not accept idempotency_key"),
        ({"timeout": 0}, "timeout must be seconds"),
        ({"max_retries": 11}, "max_retries must be a whole number from 0 to 10; 11 is not"),
    ],
)
def test_an_option_that_is_none_is_a_type_error(client: Parcelway, options: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        client.warehouses.list(**options)


@either
@pytest.mark.parametrize(
    ("path", "args", "message"),
    [
        ("forecasts.list", (), r"forecasts.list\(\) does not accept state; it accepts status, po_number, q, .*timeout"),
        ("forecasts.export_csv", (), r"forecasts.export_csv\(\) does not accept state; it accepts status, po_number, "),
        ("imports.rows", ("imp_1",), r"imports.rows\(\) does not accept state_; it accepts state, cursor, limit, "),
        (
            "events.list",
            (),
            r"events.list\(\) does not accept state; it accepts after, since, event_types, po_number, ",
        ),
    ],
)
def test_a_filter_that_is_none_is_a_type_error(
    server: ApiServer, kind: str, path: str, args: tuple[Any, ...], message: str
) -> None:
    name = "state_" if path == "imports.rows" else "state"
    with pytest.raises(TypeError, match=message):
        Either(kind, server.url).call(path, *args, **{name: "WEIGHED"})
    assert server.seen == []


def test_what_is_wrong_with_a_list_is_said_at_the_call(client: Parcelway) -> None:
    options: dict[str, Any] = {"state": "WEIGHED"}
    for method in (client.forecasts.list, client.events.list):
        with pytest.raises(TypeError, match="does not accept state"):
            method(**options)


@either
def test_a_batch_is_made_of_a_list_and_a_body_is_sent_as_it_is(server: ApiServer, kind: str) -> None:
    forecast = {"po_number": "PO-1"}
    for method in ("submit_batch", "validate_batch"):
        for given in ([forecast], (forecast,), {"forecasts": [forecast]}):
            Either(kind, server.url).call(f"forecasts.{method}", given)
    assert {seen.body for seen in server.seen} == {b'{"forecasts":[{"po_number":"PO-1"}]}'}
    with pytest.raises(TypeError, match="forecasts must be a list of forecasts, or a body"):
        Either(kind, server.url).call("forecasts.submit_batch", "PO-1")


@either
def test_a_submission_may_still_be_asked_to_validate_only(server: ApiServer, kind: str) -> None:
    Either(kind, server.url).call("forecasts.submit", {"po_number": "PO-1"}, validate_only="true")
    assert server.seen[0].url == "/open/v1/forecasts?validate_only=true"


@either
def test_a_validation_of_many_stores_nothing(server: ApiServer, kind: str) -> None:
    Either(kind, server.url).call("forecasts.validate_batch", {"forecasts": []})
    assert server.seen[0].url == "/open/v1/forecasts/batch?validate_only=true"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"api_key": ""}, "api_key must be a key of the platform"),
        ({"api_key": "pf_test\nx"}, "api_key must be a key of the platform"),
        ({"base_url": "localhost:8443"}, "base_url must be the https:// address"),
        ({"base_url": "https://"}, "base_url must be the https:// address"),
        ({"base_url": "https://a:port"}, "base_url must be the https:// address"),
        ({"base_url": "https://localhost:8443/open/v1"}, "without its paths: leave out /open/v1"),
        ({"base_url": "https://localhost:8443/x/docs/"}, "leave out /docs/"),
        ({"timeout": True}, "timeout must be seconds"),
        ({"ca_file": __file__}, "ca_file must hold certificates in PEM; .*test_calls.py does not"),
        ({"max_retries": 1.5}, "max_retries must be a whole number"),
        ({"ca_file": "x.pem", "verify": False}, "leave out verify"),
    ],
)
def test_settings_that_are_none_are_type_errors(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        Parcelway(**{"api_key": "k", "base_url": "https://localhost", **settings})


def test_a_file_of_certificates_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"ca_file cannot be read: .*none\.pem"):
        Parcelway(api_key="k", base_url="https://localhost", ca_file=tmp_path / "none.pem")


def test_the_key_is_in_no_text(client: Parcelway) -> None:
    caller = client.forecasts._caller
    assert "pf_test_key" not in repr(caller._settings)
    with pytest.raises(TypeError) as raised:
        Parcelway(api_key="pf_secret ", base_url="https://localhost")
    assert "pf_secret" not in str(raised.value)
