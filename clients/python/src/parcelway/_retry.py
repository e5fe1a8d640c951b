"""Which call is tried again, and when."""

from __future__ import annotations

from ._errors import ParcelwayError
from ._generated.routes import ROUTES

FIRST_WAIT_S = 0.5
MAX_WAIT_S = 8.0


def needs_key(route_id: str) -> bool:
    """True when the platform recognises a repeat only by an idempotency key: each call has one."""
    route = ROUTES[route_id]
    return route.takes_key and not route.repeatable


def _is_under_way(error: ParcelwayError) -> bool:
    """True when the platform still works on an attempt before this one, whose response got lost."""
    return error.code == "40902" and error.data is not None and error.data.get("header") == "Idempotency-Key"


def may_repeat(route_id: str, error: ParcelwayError) -> bool:
    """True when the call failed for now only, and a repeat does no harm or nothing was done."""
    if _is_under_way(error):
        return True
    if not error.is_passing:
        return False
    # Refused before anything was done with it, whatever the route.
    if error.http_status == 429 or error.code == "unreachable":
        return True
    route = ROUTES[route_id]
    return route.repeatable or route.takes_key


def wait_before(attempt: int, error: ParcelwayError, chance: float) -> float:
    """Seconds to wait after a failed attempt.

    0.5 s doubled each time up to 8 s, of which up to half is left to chance, so that clients which failed together do
    not come back together; longer when the platform asks for it. attempt: the one that failed, from 1. chance: 0 to 1.
    """
    backoff = min(MAX_WAIT_S, FIRST_WAIT_S * 2.0 ** min(attempt - 1, 10)) * (0.5 + chance / 2)
    return max(backoff, error.retry_after or 0.0)
