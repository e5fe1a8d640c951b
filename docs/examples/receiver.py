# A webhook receiver that verifies what it is sent: WEBHOOK_SECRET=whsec_… python receiver.py
# RECEIVER_PORT is the port to listen on; default 3000.
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from parcelway import WebhookVerificationError, verify_webhook


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = verify_webhook(body, self.headers, os.environ.get("WEBHOOK_SECRET", ""))
        except WebhookVerificationError as refusal:
            print("REFUSED", refusal, flush=True)
            self.send_response(401)
        else:
            # Put the event into a queue of your own: the platform waits at most 15 seconds for the response.
            print("VERIFIED", event["type"], event["data"].get("po_number"), flush=True)
            self.send_response(204)
        self.end_headers()


with ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("RECEIVER_PORT", "3000"))), Receiver) as server:
    print(f"receiving at http://127.0.0.1:{server.server_address[1]}/", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
