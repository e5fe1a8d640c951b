# Python 3.9 or newer, standard library only.
import base64
import hashlib
import hmac
import json
import time

TOLERANCE_SECONDS = 300


def verify_webhook(body, headers, secret, now=None):
    """Returns the event. Raises ValueError when it must not be trusted; respond with 401 then.

    body: the bytes as they came, not parsed: request.get_data(), request.body, await request.body().
    headers: a mapping that finds names whatever their case, as the request of Flask, Django or FastAPI has it.
    secret: of the endpoint, whsec_….
    """
    webhook_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    signatures = headers.get("webhook-signature", "")
    if not (webhook_id and signatures and timestamp.isascii() and timestamp.isdigit()):
        raise ValueError("a header is missing or malformed")
    if abs((time.time() if now is None else now) - int(timestamp)) > TOLERANCE_SECONDS:
        raise ValueError("the timestamp is too far away")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{webhook_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # During a rotation there are two signatures; one that fits is enough.
    if not any(hmac.compare_digest(expected.encode(), each.encode()) for each in signatures.split(" ")):
        raise ValueError("no signature fits")
    return json.loads(body)
