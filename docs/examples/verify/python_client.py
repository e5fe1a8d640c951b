# Python 3.10 or newer, with the client of the platform, parcelway.
from __future__ import annotations

from collections.abc import Callable, Sequence

from parcelway import WebhookEvent, WebhookHeaders, WebhookVerificationError, verify_webhook


def receive(
    body: bytes,
    headers: WebhookHeaders,
    secret: str | Sequence[str],
    handle: Callable[[WebhookEvent], object],
    now: float | None = None,
) -> int:
    """Returns the HTTP status that a receiver responds.

    body: the bytes as they came, not parsed.
    headers: of Flask, Django, FastAPI or http.server.
    secret: of the endpoint (whsec_…), or several.
    handle: gets the event; put it into a queue of your own, the platform waits at most 15 seconds.
    now: leave it out; a test with a recorded webhook gives the time of that webhook.
    """
    try:
        handle(verify_webhook(body, headers, secret, now=now))
    except WebhookVerificationError as refusal:
        print(f"Webhook refused: {refusal}")
        return 401
    return 204
