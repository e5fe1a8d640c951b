"""Reads responses."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from math import ceil
from typing import Any

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


def _failure(response: Response, envelope: dict[str, Any] | None) -> ParcelwayError:
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
    return ParcelwayError(
        code, message, http_status=response.status, data=data, request_id=request_id, retry_after=retry_after
    )


def read_data(response: Response) -> Any:
    """`data` of a response in the envelope. Raises ParcelwayError for a failure, or for a response of another shape."""
    envelope = _envelope(response.body)
    if envelope is not None and envelope["code"] == "0":
        return envelope.get("data")
    raise _failure(response, envelope)


def read_content(response: Response) -> Content:
    """The file in a response. Raises ParcelwayError for a failure."""
    if response.status != 200:
        raise _failure(response, _envelope(response.body))
    return Content(response.headers.get("content-type", ""), response.body)
