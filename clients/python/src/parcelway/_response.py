"""Reads responses."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from math import ceil
from typing import Any
from urllib.parse import urlsplit

from ._errors import ParcelwayError


@dataclass(frozen=True)
class Response:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes


@dataclass(frozen=True)
class Content:
    """A file that was opened."""

    media_type: str
    """Such as `application/pdf`."""
    content: bytes


def retry_after_of(header: str | None, now: float) -> float | None:
    """Seconds of a header Retry-After, which is a number of them or a date; None when it is neither.

    now: seconds since 1970.
    """
    if not header:
        return None
    if header.isascii() and header.isdigit():
        return float(header)
    try:
        return float(max(0, ceil(parsedate_to_datetime(header).timestamp() - now)))
    except (TypeError, ValueError, OverflowError):
        return None


def _envelope(body: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and isinstance(value.get("code"), str) else None


# Hosts that only this machine reaches.
_LOCAL_HOST = re.compile(r"localhost|.*\.localhost|127\..*|::1")


def _hint(code: str, message: str, base_url: str) -> str:
    """What to do about a failure that mostly comes from a wrong setting, behind its message."""
    parts = urlsplit(base_url)
    if code == "40003" and _LOCAL_HOST.fullmatch(parts.hostname or ""):
        return (
            "; tenant.api_key in quickstart.json, in the data directory of the sandbox (.data by default), is its key"
        )
    if code == "40301" and "needs the key of a tenant" in message:
        return "; this is the key of a warehouse: use tenant.api_key of quickstart.json, not warehouse.api_key"
    if code == "40301" and "needs the key of a warehouse" in message:
        return "; this is the key of a tenant: use warehouse.api_key of quickstart.json, not tenant.api_key"
    if code in ("40402", "unexpected_answer") and parts.path:
        return f"; base_url has the path {parts.path}, which is right only if a proxy puts it in front of the platform"
    return ""


def _failure(response: Response, envelope: dict[str, Any] | None, base_url: str) -> ParcelwayError:
    request_id = response.headers.get("x-request-id")
    retry_after = retry_after_of(response.headers.get("retry-after"), time.time())
    if envelope is None:
        code = "unexpected_answer"
        message = (
            f"The response with status {response.status} did not come from a Parcelway platform; "
            "check base_url and any proxy in between"
        )
        data = None
    else:
        code, message = envelope["code"], str(envelope.get("message"))
        data = envelope.get("data") if isinstance(envelope.get("data"), dict) else None
    message += _hint(code, message, base_url)
    return ParcelwayError(
        code, message, http_status=response.status, data=data, request_id=request_id, retry_after=retry_after
    )


def read_data(response: Response, base_url: str) -> Any:
    """`data` of a response in the envelope. Raises ParcelwayError for a failure, or for a response of another shape.

    base_url: that of the client.
    """
    envelope = _envelope(response.body)
    if envelope is not None and envelope["code"] == "0":
        return envelope.get("data")
    raise _failure(response, envelope, base_url)


def read_content(response: Response, base_url: str) -> Content:
    """The file in a response. Raises ParcelwayError for a failure."""
    if response.status != 200:
        raise _failure(response, _envelope(response.body), base_url)
    return Content(response.headers.get("content-type", ""), response.body)
