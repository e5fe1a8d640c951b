# Python 3.10 or newer, with the client parcelway.
import os

from parcelway import Parcelway, verify_webhook

client = Parcelway(
    api_key=os.environ["PARCELWAY_API_KEY"],
    base_url=os.environ["PARCELWAY_BASE_URL"],
    ca_file=os.environ.get("PARCELWAY_CA_FILE"),
)
# Without `after` it returns at once: webhooks from now on.
after = client.sandbox.listen()["next_cursor"]
print("Waiting for webhooks. Press Ctrl-C to stop.", flush=True)
try:
    while True:
        heard = client.sandbox.listen(after=after)
        for message in heard["messages"]:
            # Raises WebhookVerificationError for one that must not be trusted.
            event = verify_webhook(message["body"], message["headers"], heard["secret"] or "")
            print("VERIFIED", event["type"], event["data"].get("po_number"), flush=True)
        after = heard["next_cursor"]
except KeyboardInterrupt:
    pass
