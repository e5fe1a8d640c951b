# Python 3.10 or newer, with the client of the platform, parcelway.
from parcelway import WebhookVerificationError, verify_webhook


def receive(body, headers, secret, handle, **options):
    """Returns the HTTP status that a receiver responds.

    body: the bytes as they came, not parsed.
    headers: of Flask, Django, FastAPI or http.server.
    secret: of the endpoint (whsec_…), or several.
    handle: gets the event; put it into a queue of your own, the platform waits at most 15 seconds.
    options: leave it out; a test with a recorded webhook gives the time of that webhook as `now`.
    """
    try:
        handle(verify_webhook(body, headers, secret, **options))
    except WebhookVerificationError as refusal:
        print(f"Webhook refused: {refusal}")
        return 401
    return 204
