"""Verifies webhooks as Standard Webhooks 1.0 signs them."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Sequence
from typing import Literal, Protocol, cast

from .types import WebhookEvent

DEFAULT_TOLERANCE_S = 300

RefusalReason = Literal[
    "missing_header",
    "invalid_timestamp",
    "timestamp_too_old",
    "timestamp_too_new",
    "signature_mismatch",
    "invalid_body",
]


class WebhookVerificationError(Exception):
    """A webhook that must not be trusted; respond to it with 401."""

    reason: RefusalReason

    def __init__(self, reason: RefusalReason, message: str) -> None:
        super().__init__(message)
        self.reason = reason

    def __reduce__(self) -> tuple[type[WebhookVerificationError], tuple[RefusalReason, str]]:
        return (WebhookVerificationError, (self.reason, str(self)))


class WebhookHeaders(Protocol):
    """Headers of a request: a dict, or what Flask, Django, FastAPI, aiohttp or http.server have. Names in any case."""

    def items(self) -> Iterable[tuple[str, object]]:
        """Names and values; a value may be a list."""
        ...


def _header(headers: WebhookHeaders, name: str) -> str:
    values: list[str] = []
    for key, value in headers.items():
        if key.lower() == name:
            values += [str(each) for each in value] if isinstance(value, (list, tuple)) else [str(value)]
    # Two headers of one name: the signatures of both count, as in one header with a blank between them.
    text = " ".join(values)
    if text == "":
        raise WebhookVerificationError(
            "missing_header", f"The header {name} is missing: this is not a webhook, or a proxy removed the header"
        )
    return text


def _check_timestamp(timestamp: str, now: float, tolerance: float) -> None:
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookVerificationError(
            "invalid_timestamp", "The header webhook-timestamp must be whole seconds since 1970"
        )
    age = int(now) - int(timestamp)
    if abs(age) <= tolerance:
        return
    what = f"{age} seconds old" if age > 0 else f"{-age} seconds ahead"
    raise WebhookVerificationError(
        "timestamp_too_old" if age > 0 else "timestamp_too_new",
        f"The webhook is {what}, more than the {tolerance:g} allowed: "
        "it was replayed, or the clock of this machine is wrong",
    )


def _keys(secret: str | Sequence[str]) -> list[bytes]:
    if secret is None:
        raise TypeError("secret is None; is the environment variable set?")
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not secrets:
        raise TypeError("secret must be the secret of the endpoint (whsec_…), or a list of secrets; it is empty")
    try:
        keys = [base64.b64decode(each.removeprefix("whsec_"), validate=True) for each in secrets]
    except (binascii.Error, ValueError, AttributeError) as error:
        raise TypeError("secret must be in the form that the platform returned: whsec_ and base64") from error
    if not all(keys):
        raise TypeError("secret must be in the form that the platform returned: whsec_ and base64; it is empty")
    return keys


def verify_webhook(
    body: bytes | str,
    headers: WebhookHeaders,
    secret: str | Sequence[str],
    *,
    tolerance: float = DEFAULT_TOLERANCE_S,
    now: float | None = None,
) -> WebhookEvent:
    """Verifies a webhook and reads it.

    body: as it came, byte for byte, not parsed. secret: `secret` of the endpoint, or several of which one must fit.
    tolerance: seconds that the timestamp may be off, either way. now: seconds since 1970, for a test with a webhook
    that was recorded; default the clock.

    Returns the event; `type` names its kind. Types may be added: ignore those that you do not know.
    Raises WebhookVerificationError when it must not be trusted, and TypeError when secret or body are none at all.
    """
    if not isinstance(body, (bytes, bytearray, memoryview, str)):
        raise TypeError("body must be the unparsed body, as bytes or str: read it before a framework parses it as JSON")
    raw = body.encode() if isinstance(body, str) else bytes(body)
    # Other libraries take the secret first.
    if raw.startswith(b"whsec_"):
        raise TypeError("body is a secret: the order is verify_webhook(body, headers, secret)")
    keys = _keys(secret)
    webhook_id = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    given = _header(headers, "webhook-signature").split(" ")
    _check_timestamp(timestamp, time.time() if now is None else now, tolerance)
    signed = f"{webhook_id}.{timestamp}.".encode() + raw
    expected = [b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()) for key in keys]
    # Every pair is compared, so that the time does not reveal which one matches.
    fitting = [hmac.compare_digest(right, left.encode()) for right in expected for left in given]
    if not any(fitting):
        raise WebhookVerificationError(
            "signature_mismatch",
            "No signature matches: the secret belongs to another endpoint, or the body was changed "
            "(for example parsed and serialized again)",
        )
    try:
        event = json.loads(raw)
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict):
        raise WebhookVerificationError("invalid_body", "The signature matches, but the body is no JSON object")
    return cast(WebhookEvent, event)
