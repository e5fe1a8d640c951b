"""What one call may have different from the client, and what the client itself is set to."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict

from ._errors import ParcelwayError
from ._generated.routes import ROUTES

MAX_RETRIES = 10
MAX_TIMEOUT_S = 3600.0


@dataclass(frozen=True)
class ResponseInfo:
    """What a response came with, beside its data."""

    request_id: str | None
    """Names the call in the logs of the platform."""
    http_status: int
    headers: Mapping[str, str]
    """Names in lower case; such as `idempotent-replayed` of a repeated submission."""
    attempts: int
    """Attempts it took, from 1."""


@dataclass(frozen=True)
class RetryNotice:
    """An attempt that failed and will be followed by another."""

    error: ParcelwayError
    wait: float
    """Seconds until the next attempt."""
    attempt: int
    """The attempt that failed, from 1."""


class CallOptions(TypedDict, total=False):
    """Options of every call."""

    timeout: float
    """Seconds for the whole call, its retries and the waits between them included."""
    max_retries: int
    """Further attempts after the first, 0 to 10."""
    on_response: Callable[[ResponseInfo], None]
    """Called with a successful response before the call returns."""
    on_retry: Callable[[RetryNotice], None]
    """Called after every failed attempt that is followed by another."""


class CreationOptions(CallOptions, total=False):
    """Options of a call that the platform does once for each key."""

    idempotency_key: str
    """Names the request beyond this call: for 24 hours the platform does it once and returns the first result, also to
    another process. 1 to 64 visible ASCII characters. A call that creates has a key of its own otherwise, which ends
    with the call."""


class CorrectionOptions(CreationOptions, total=False):
    """Options of a call that changes a version."""

    if_version: int
    """`version` that was read: the call raises 41201, and changes nothing, when it is no longer the current one."""


@dataclass(frozen=True)
class Settings:
    """What a client is set to."""

    api_key: str = field(repr=False)
    base_url: str
    timeout: float
    max_retries: int
    user_agent: str


def checked_timeout(value: object) -> float:
    """Seconds of a call. Raises TypeError that says what is allowed."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= MAX_TIMEOUT_S:
        raise TypeError(f"timeout must be seconds, more than 0 and at most {MAX_TIMEOUT_S:.0f}; {value!r} is not")
    return float(value)


def checked_retries(value: object) -> int:
    """Number of retries. Raises TypeError that says what is allowed."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_RETRIES:
        raise TypeError(f"max_retries must be a whole number from 0 to {MAX_RETRIES}; {value!r} is not")
    return value


def check_options(route_id: str, options: Mapping[str, Any]) -> None:
    """Raises TypeError for an option that the route does not have, and for one that is none."""
    allowed = set(CallOptions.__annotations__)
    route = ROUTES[route_id]
    if route.takes_key:
        allowed.add("idempotency_key")
    if route.takes_version:
        allowed.add("if_version")
    for name in options:
        if name not in allowed:
            accepted = [*route.parameters, *sorted(allowed)]
            raise TypeError(f"{route.call}() does not accept {name}; it accepts {', '.join(accepted)}")
    key = options.get("idempotency_key")
    if key is not None and not (isinstance(key, str) and re.fullmatch(r"[!-~]{1,64}", key)):
        raise TypeError(f"idempotency_key must be 1 to 64 visible ASCII characters; {key!r} is not")
