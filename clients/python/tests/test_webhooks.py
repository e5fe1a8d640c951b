"""Verification of webhooks, on the signed webhook of the documentation."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from email.message import Message
from typing import Any

import pytest

from parcelway import WebhookVerificationError, verify_webhook

SECRET = "whsec_YW4gZXhhbXBsZSBzZWNyZXQgb2YgMzIgYnl0ZXMgISE="
BODY = (
    b'{"type":"parcel.weighed","timestamp":"2026-11-24T01:15:03.000+00:00","data":{"event_id":'
    b'"evt_01a20b1ee1d87a1b8c2d9e3f4a5b6c7d","event_seq":1,"environment":"sandbox","forecast_no":"FC261121K7Q0Z4M2XT",'
    b'"po_number":"PO-2026-1121-001","status":3,"weighed_at":"2026-11-24T09:15:02+08:00"}}'
)
SIGNATURE = "v1,W8GfbTxoZSqqSpQLTvr9FsGAsxEABKFlM1sGHZ16FJ0="
STRANGER = "v1," + base64.b64encode(bytes([7]) * 32).decode()
NOW = 1_795_482_903
HEADERS = {
    "webhook-id": "evt_01a20b1ee1d87a1b8c2d9e3f4a5b6c7d",
    "webhook-timestamp": str(NOW),
    "webhook-signature": SIGNATURE,
}
OTHER = "whsec_" + base64.b64encode(b"another secret of 32 bytes, more").decode()


def sign(secret: str, webhook_id: str, timestamp: int, body: bytes) -> str:
    """A signature as Standard Webhooks describes it."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{webhook_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


class Pairs:
    """Headers as werkzeug has them: pairs, no mapping."""

    def items(self) -> list[tuple[str, str]]:
        return [(name.title(), value) for name, value in HEADERS.items()]


def message() -> Message:
    """Headers as http.server has them."""
    found = Message()
    for name, value in HEADERS.items():
        found[name] = value
    return found


@pytest.mark.parametrize(
    "headers",
    [
        HEADERS,
        {name.upper(): value for name, value in HEADERS.items()},
        {**HEADERS, "webhook-signature": f"{SIGNATURE} {STRANGER}"},
        {**HEADERS, "webhook-signature": f"{STRANGER} v1a,xyz {SIGNATURE}"},
        {**HEADERS, "webhook-signature": [STRANGER, SIGNATURE]},
        Pairs(),
        message(),
    ],
)
def test_a_good_webhook_is_read(headers: Any) -> None:
    event = verify_webhook(BODY, headers, SECRET, now=NOW)
    # The type of the event is narrowed by now, which the checker of types sees.
    assert event["type"] == "parcel.weighed"
    if event["type"] == "parcel.weighed":
        assert (event["data"]["po_number"], event["data"]["status"]) == ("PO-2026-1121-001", 3)


@pytest.mark.parametrize("body", [BODY, BODY.decode(), bytearray(BODY)])
def test_a_body_may_be_bytes_or_text(body: Any) -> None:
    assert verify_webhook(body, HEADERS, SECRET, now=NOW)["type"] == "parcel.weighed"


@pytest.mark.parametrize("seconds", [-300, 300])
def test_a_webhook_may_be_five_minutes_off(seconds: int) -> None:
    assert verify_webhook(BODY, HEADERS, [OTHER, SECRET], now=NOW + seconds)["type"] == "parcel.weighed"


def test_the_time_is_that_of_the_clock() -> None:
    body = json.dumps({"type": "endpoint.test", "data": {"note": "纯棉T恤 é"}}, ensure_ascii=False).encode()
    at = int(time.time())
    headers = {"webhook-id": "evt_1", "webhook-timestamp": str(at), "webhook-signature": sign(OTHER, "evt_1", at, body)}
    assert verify_webhook(body, headers, OTHER)["type"] == "endpoint.test"


@pytest.mark.parametrize(
    ("body", "headers", "secret", "seconds", "reason"),
    [
        (BODY.replace(b'"status":3', b'"status":4'), {}, SECRET, 0, "signature_mismatch"),
        (BODY + b" ", {}, SECRET, 0, "signature_mismatch"),
        (BODY, {}, OTHER, 0, "signature_mismatch"),
        (BODY, {"webhook-id": "evt_2"}, SECRET, 0, "signature_mismatch"),
        (BODY, {"webhook-timestamp": str(NOW + 1)}, SECRET, 0, "signature_mismatch"),
        (BODY, {"webhook-signature": SIGNATURE.replace("v1", "v2")}, SECRET, 0, "signature_mismatch"),
        (BODY, {"webhook-signature": SIGNATURE[:20]}, SECRET, 0, "signature_mismatch"),
        (BODY, {"webhook-signature": "v1,"}, SECRET, 0, "signature_mismatch"),
        (BODY, {"webhook-signature": f"{STRANGER} {STRANGER}"}, SECRET, 0, "signature_mismatch"),
        (BODY, {"webhook-signature": "v1,é"}, SECRET, 0, "signature_mismatch"),
        (BODY, {}, SECRET, 301, "timestamp_too_old"),
        (BODY, {}, SECRET, -301, "timestamp_too_new"),
        (BODY, {"webhook-timestamp": f"{NOW} "}, SECRET, 0, "invalid_timestamp"),
        (BODY, {"webhook-timestamp": "١٧٩٥"}, SECRET, 0, "invalid_timestamp"),
        (BODY, {"webhook-id": ""}, SECRET, 0, "missing_header"),
        (BODY, {"webhook-signature": ""}, SECRET, 0, "missing_header"),
        (
            b"hello",
            {"webhook-signature": sign(SECRET, HEADERS["webhook-id"], NOW, b"hello")},
            SECRET,
            0,
            "invalid_body",
        ),
        (b"[1]", {"webhook-signature": sign(SECRET, HEADERS["webhook-id"], NOW, b"[1]")}, SECRET, 0, "invalid_body"),
    ],
)
def test_a_webhook_is_refused(body: bytes, headers: dict[str, str], secret: str, seconds: int, reason: str) -> None:
    with pytest.raises(WebhookVerificationError) as raised:
        verify_webhook(body, {**HEADERS, **headers}, secret, now=NOW + seconds)
    assert raised.value.reason == reason


@pytest.mark.parametrize(
    ("body", "secret", "text"),
    [
        ({"type": "parcel.weighed"}, SECRET, "before a framework parses it"),
        (BODY, [], "it is empty"),
        (BODY, "", "whsec_ and base64"),
        (BODY, "whsec_?", "whsec_ and base64"),
        (BODY, None, "secret is None; is the environment variable set"),
        (SECRET, BODY, r"the order is verify_webhook\(body, headers, secret\)"),
        (SECRET.encode(), BODY, r"the order is verify_webhook\(body, headers, secret\)"),
    ],
)
def test_what_the_program_does_wrong_is_no_fault_of_the_webhook(body: Any, secret: Any, text: str) -> None:
    with pytest.raises(TypeError, match=text):
        verify_webhook(body, HEADERS, secret, now=NOW)
