"""Failures, further attempts, and the end of a call."""

from __future__ import annotations

import pickle
import re
import socket
import threading
import time
from email.utils import formatdate

import pytest

from parcelway import Parcelway, ParcelwayConnectionError, ParcelwayError, ResponseInfo, RetryNotice
from parcelway._response import retry_after_of
from parcelway._retry import wait_before

from .api_server import ApiServer, Reply, Seen, fail, succeed
from .either import Either, either

FORECAST = {"po_number": "P", "warehouse_code": "W", "items": []}
SIMULATION = {"po_number": "P", "step": "weigh"}
SOON = {"retry-after": "0"}


def error_of(client: Either, path: str, *args: object, **options: object) -> ParcelwayError:
    with pytest.raises(ParcelwayError) as raised:
        client.call(path, *args, **options)
    return raised.value


def key_of(seen: Seen) -> str | None:
    return seen.headers.get("idempotency-key")


@either
def test_a_failure_has_code_status_every_field_and_the_request_id(server: ApiServer, kind: str) -> None:
    errors = [
        {"field": "items[0].sku_code", "rule": "required", "message": "items[0].sku_code is required"},
        {"field": "po_number", "rule": "max_length", "message": "po_number is too long"},
    ]
    server.respond = lambda _seen, _nth: fail(422, "42201", data={"errors": errors}, message="Field validation failed")
    error = error_of(Either(kind, server.url), "forecasts.submit", FORECAST)
    assert (error.code, error.http_status, error.request_id, error.retry_after) == ("42201", 422, "req_1", None)
    assert [(each.field, each.rule) for each in error.errors] == [
        ("items[0].sku_code", "required"),
        ("po_number", "max_length"),
    ]
    assert str(error) == (
        "Field validation failed (42201, request req_1)\n  - items[0].sku_code is required\n  - po_number is too long"
    )
    assert len(server.seen) == 1
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.code, copy.errors) == (ParcelwayError, str(error), error.code, error.errors)


def test_a_conflict_has_what_the_code_says_more(server: ApiServer, client: Parcelway) -> None:
    server.respond = lambda _seen, _nth: fail(409, "40901", data={"fields": ["items"], "forecast_no": "FC1"})
    with pytest.raises(ParcelwayError) as raised:
        client.forecasts.cancel("P")
    assert raised.value.data == {"fields": ["items"], "forecast_no": "FC1"}
    assert list(raised.value.errors) == []


@either
@pytest.mark.parametrize(
    ("status", "body"),
    [(200, b"<html></html>"), (200, b'{"status":"ok"}'), (404, b"null"), (302, b""), (200, b"[" * 100_000)],
)
def test_what_something_else_responds_says_so(server: ApiServer, kind: str, status: int, body: bytes) -> None:
    server.respond = lambda _seen, _nth: Reply(status, body, {"location": "http://127.0.0.1:1/"})
    error = error_of(Either(kind, server.url), "warehouses.list")
    assert (error.code, error.http_status) == ("unexpected_answer", status)
    assert "check base_url" in str(error)
    assert len(server.seen) == 1


@either
@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_another_attempt_follows_when_the_call_may_be_repeated(server: ApiServer, kind: str, status: int) -> None:
    server.respond = lambda _seen, nth: fail(status, "50301", headers=SOON) if nth == 0 else succeed({"nth": nth})
    notices: list[RetryNotice] = []
    infos: list[ResponseInfo] = []
    client = Either(kind, server.url)
    result = client.call("forecasts.submit", FORECAST, on_retry=notices.append, on_response=infos.append)
    assert result == {"nth": 1}
    assert [(notice.attempt, notice.error.http_status) for notice in notices] == [(1, status)]
    assert [(info.attempts, info.http_status, info.request_id) for info in infos] == [(2, 200, "req_1")]
    assert infos[0].headers["x-request-id"] == "req_1"
    # The same bytes again: the platform recognises the repeat by them.
    assert server.seen[0].body == server.seen[1].body


@either
def test_another_attempt_comes_no_sooner_than_the_platform_asks(server: ApiServer, kind: str) -> None:
    arrivals: list[float] = []

    def respond(_seen: Seen, nth: int) -> Reply:
        arrivals.append(time.monotonic())
        return fail(429, "42901", headers={"retry-after": "1"}) if nth == 0 else succeed({})

    server.respond = respond
    Either(kind, server.url).call("warehouses.list")
    assert arrivals[1] - arrivals[0] >= 0.999


@either
@pytest.mark.parametrize(
    ("status", "code", "message", "hint"),
    [
        (401, "40003", "The API key is invalid", "tenant.api_key in quickstart.json, in the data directory"),
        (
            403,
            "40301",
            "This endpoint needs the key of a tenant",
            "use tenant.api_key of quickstart.json, not warehouse",
        ),
        (
            403,
            "40301",
            "This endpoint needs the key of a warehouse",
            "use warehouse.api_key of quickstart.json, not ten",
        ),
        (404, "40402", "No such endpoint", "base_url has the path /x, which is right only if a proxy"),
    ],
)
def test_a_failure_from_a_wrong_setting_says_what_to_do(
    server: ApiServer, kind: str, status: int, code: str, message: str, hint: str
) -> None:
    server.respond = lambda _seen, _nth: fail(status, code, message=message)
    text = str(error_of(Either(kind, f"{server.url}/x"), "warehouses.list"))
    assert text.startswith(f"{message}; ")
    assert hint in text


@either
def test_no_wait_exceeds_the_time_of_the_call(server: ApiServer, kind: str) -> None:
    server.respond = lambda _seen, _nth: fail(429, "42901", headers={"retry-after": "3600"})
    error = error_of(Either(kind, server.url), "warehouses.list")
    assert (error.code, error.retry_after, error.is_passing) == ("42901", 3600.0, True)
    assert len(server.seen) == 1


@either
def test_one_attempt_is_the_last(server: ApiServer, kind: str) -> None:
    server.respond = lambda _seen, _nth: fail(503, "50301")
    assert error_of(Either(kind, server.url, max_retries=1), "warehouses.list").code == "50301"
    assert len(server.seen) == 2
    assert error_of(Either(kind, server.url), "warehouses.list", max_retries=0).code == "50301"
    assert len(server.seen) == 3


@either
def test_attempts_at_a_call_that_creates_have_one_key_and_every_call_another(server: ApiServer, kind: str) -> None:
    server.respond = lambda _seen, nth: fail(503, "50301", headers=SOON) if nth == 0 else succeed({})
    client = Either(kind, server.url)
    client.call("sandbox.simulate", SIMULATION)
    client.call("sandbox.simulate", SIMULATION)
    first, second, third = map(key_of, server.seen)
    assert re.fullmatch(r"[0-9a-f-]{36}", first or "")
    assert first == second != third


@either
def test_a_correction_has_key_and_version(server: ApiServer, kind: str) -> None:
    client = Either(kind, server.url)
    client.call("forecasts.correct", "P", {"due_date": None}, if_version=3)
    client.call("forecasts.correct", "P", {"due_date": None})
    assert [seen.headers.get("if-match") for seen in server.seen] == ['"3"', None]
    assert all(key_of(seen) for seen in server.seen)


@either
def test_a_call_waits_for_the_attempt_that_the_platform_works_on(server: ApiServer, kind: str) -> None:
    under_way = fail(409, "40902", data={"header": "Idempotency-Key"}, headers=SOON)
    server.respond = lambda _seen, nth: under_way if nth == 0 else succeed({})
    Either(kind, server.url).call("webhook_endpoints.rotate_secret", "ep_1")
    assert len(server.seen) == 2


@either
def test_the_key_is_that_of_the_caller(server: ApiServer, kind: str) -> None:
    client = Either(kind, server.url)
    client.call("webhook_endpoints.create", {"url": "https://a.example/"}, idempotency_key="mine")
    client.call("forecasts.submit", FORECAST)
    client.call("forecasts.submit", FORECAST, idempotency_key="mine")
    assert list(map(key_of, server.seen)) == ["mine", None, "mine"]
    with pytest.raises(TypeError, match="1 to 64 visible ASCII characters"):
        client.call("forecasts.submit", FORECAST, idempotency_key="two words")


@either
def test_a_deletion_is_made_once_unless_it_was_refused(server: ApiServer, kind: str) -> None:
    server.respond = lambda _seen, _nth: fail(503, "50301")
    client = Either(kind, server.url)
    error_of(client, "webhook_endpoints.delete", "ep_1")
    assert len(server.seen) == 1
    server.respond = lambda _seen, nth: fail(429, "42901", headers=SOON) if nth == 1 else succeed({})
    client.call("webhook_endpoints.delete", "ep_1")
    assert len(server.seen) == 3


@either
def test_a_connection_that_broke_is_tried_again_when_that_is_safe(server: ApiServer, kind: str) -> None:
    server.respond = lambda _seen, nth: None if nth % 2 == 0 else succeed({})
    client = Either(kind, server.url)
    client.call("forecasts.submit", FORECAST)
    assert len(server.seen) == 2
    error = error_of(client, "webhook_endpoints.delete", "ep_1")
    assert isinstance(error, ParcelwayConnectionError)
    assert (error.code, error.http_status, error.is_passing) == ("connection_lost", None, True)
    assert len(server.seen) == 3
    assert isinstance(pickle.loads(pickle.dumps(error)), ParcelwayConnectionError)


@either
def test_a_platform_that_is_not_there_yet_is_tried_again_whatever_the_call(kind: str) -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
    notices: list[RetryNotice] = []
    client = Either(kind, f"http://127.0.0.1:{port}", max_retries=1)
    error = error_of(client, "webhook_endpoints.create", {"url": "https://a.example/"}, on_retry=notices.append)
    assert (error.code, len(notices)) == ("unreachable", 1)
    assert "check base_url" in str(error)


@either
def test_a_call_ends_when_its_time_is_over(server: ApiServer, kind: str) -> None:
    gate = threading.Event()

    def respond(_seen: Seen, _nth: int) -> Reply:
        gate.wait(10)
        return succeed({})

    server.respond = respond
    try:
        error = error_of(Either(kind, server.url), "warehouses.list", timeout=0.2)
    finally:
        gate.set()
    assert (error.code, error.http_status) == ("timeout", None)
    assert "to listWarehouses within 0.2 s" in str(error)


def test_waits_are_bounded_grow_and_are_never_shorter_than_asked_for() -> None:
    for attempt in (1, 2, 5, 100, 5000):
        for chance in (0.0, 0.3, 1.0):
            for asked in (None, 0.0, 3.0, 100.0):
                error = ParcelwayError("50301", "", http_status=503, retry_after=asked)
                wait = wait_before(attempt, error, chance)
                assert max(0.25, asked or 0) <= wait <= max(8, asked or 0)
                assert wait_before(attempt + 1, error, chance) >= wait


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7),
        (formatdate(1_795_482_910, usegmt=True), 10),
        (formatdate(1_795_482_000, usegmt=True), 0),
        ("soon", None),
        ("", None),
        (None, None),
    ],
)
def test_retry_after(header: str | None, seconds: float | None) -> None:
    assert retry_after_of(header, 1_795_482_900) == seconds
