"""The way of a parcel with the installed package, once waiting and once with asyncio: PDFs, forecast, weighing, dispatch, tracking, and webhooks that
are received and verified."""

import asyncio
import os
import queue
import ssl
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Iterator

from parcelway import (
    AsyncParcelway,
    Parcelway,
    ParcelwayConnectionError,
    ParcelwayError,
    WebhookEvent,
    WebhookVerificationError,
    verify_webhook,
)
from parcelway.types import ForecastSubmission

WITHIN_S = 20
BASE_URL = os.environ["PARCELWAY_BASE_URL"]
SETTINGS: dict[str, Any] = {
    "api_key": os.environ["PARCELWAY_API_KEY"],
    "base_url": BASE_URL,
    "ca_file": os.environ["PARCELWAY_CA_FILE"],
}


def pdf(name: str, po_number: str) -> bytes:
    """A PDF of its own for each call."""
    return f"%PDF-1.4\n% {name} of {po_number}\nstartxref\n0\n%%EOF\n".encode()


def forecast_of(po_number: str, label: str, note: str) -> ForecastSubmission:
    return {
        "po_number": po_number,
        "warehouse_code": os.environ["PARCELWAY_WAREHOUSE_CODE"],
        "shipping_label": label,
        "shipping_note": note,
        "items": [
            {
                "sku_code": "TSHIRT-M",
                "product_name_en": "Cotton T-shirt",
                "forecast_quantity": 2,
                "tracking_number": f"EXP {po_number}",
            }
        ],
    }


class Receiver:
    """Receives webhooks and verifies them."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.secret = ""
        self.events: queue.Queue[WebhookEvent | WebhookVerificationError] = queue.Queue()

    def take(self, event_type: str) -> WebhookEvent:
        """The next event, which has to be of a type."""
        event = self.events.get(timeout=WITHIN_S)
        assert not isinstance(event, WebhookVerificationError), event
        assert event["type"] == event_type, event
        return event


@contextmanager
def receiver() -> Iterator[Receiver]:
    """A receiver on this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            try:
                found.events.put(verify_webhook(body, self.headers, found.secret))
                self.send_response(204)
            except WebhookVerificationError as error:
                found.events.put(error)
                self.send_response(401)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found = Receiver(f"http://127.0.0.1:{server.server_address[1]}/webhooks")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()


def journey(client: Parcelway, po_number: str, received: Receiver) -> None:
    """From the PDFs to the delivery."""
    endpoint = client.webhook_endpoints.create({"url": received.url, "filter": {"po_number": po_number}})
    received.secret = endpoint["secret"]
    label = client.files.upload_pdf(pdf("label", po_number), name="label.pdf")
    note = client.files.upload_pdf(pdf("note", po_number), name="note.pdf")
    assert client.files.open(label["url"]).content == pdf("label", po_number)
    forecast = forecast_of(po_number, label["url"], note["url"])
    submitted = client.forecasts.submit(forecast)
    assert client.forecasts.submit(forecast)["forecast_no"] == submitted["forecast_no"]
    print("submitted", submitted["forecast_no"])
    assert po_number in [each["po_number"] for each in client.forecasts.list(limit=1, po_number=po_number)]

    client.sandbox.simulate({"po_number": po_number, "step": "weigh", "weight_kg": 1.84})
    weighed = received.take("parcel.weighed")
    assert weighed["type"] == "parcel.weighed" and weighed["data"]["po_number"] == po_number
    print("weighed", client.forecasts.weighing(po_number)["weight_kg"], "kg")

    client.sandbox.simulate({"po_number": po_number, "step": "dispatch"})
    deadline = time.monotonic() + WITHIN_S
    while not client.forecasts.tracking(po_number)["is_shipped"]:
        assert time.monotonic() < deadline, f"{po_number} was not dispatched"
        time.sleep(0.1)
    client.sandbox.simulate({"po_number": po_number, "step": "track", "admin_status": "Delivery Success"})
    changed = received.take("tracking.changed")
    assert changed["type"] == "tracking.changed" and changed["data"]["is_terminal"]
    tracking = client.forecasts.tracking(po_number)
    assert tracking["latest_status"] == "Delivery Success", tracking
    print("delivered", po_number)
    client.webhook_endpoints.delete(endpoint["endpoint_id"])


async def async_journey(po_number: str, received: Receiver) -> None:
    """The same with asyncio."""
    async with AsyncParcelway(**SETTINGS) as client:
        endpoint = await client.webhook_endpoints.create({"url": received.url, "filter": {"po_number": po_number}})
        received.secret = endpoint["secret"]
        label, note = await asyncio.gather(
            client.files.upload_pdf(pdf("label", po_number), name="label.pdf"),
            client.files.upload_pdf(pdf("note", po_number), name="note.pdf"),
        )
        await client.forecasts.submit(forecast_of(po_number, label["url"], note["url"]))
        assert [each["po_number"] async for each in client.forecasts.list(po_number=po_number)] == [po_number]
        await client.sandbox.simulate({"po_number": po_number, "step": "weigh", "weight_kg": 2.5})
        await asyncio.to_thread(received.take, "parcel.weighed")
        assert (await client.forecasts.weighing(po_number))["weight_kg"] == 2.5
        await client.sandbox.simulate({"po_number": po_number, "step": "dispatch"})
        deadline = time.monotonic() + WITHIN_S
        while not (await client.forecasts.tracking(po_number))["is_shipped"]:
            assert time.monotonic() < deadline, f"{po_number} was not dispatched"
            await asyncio.sleep(0.1)
        await client.sandbox.simulate({"po_number": po_number, "step": "track", "admin_status": "Delivery Success"})
        await asyncio.to_thread(received.take, "tracking.changed")
        feed = client.events.list(follow=True, poll=0.2)
        async for event in feed:
            if event["type"] == "tracking.changed" and event["data"]["po_number"] == po_number:
                break
        await client.webhook_endpoints.delete(endpoint["endpoint_id"])
    print("delivered", po_number)


def failures(client: Parcelway) -> None:
    """An error of the platform, and a certificate that is not trusted."""
    try:
        client.forecasts.weighing("PO-UNKNOWN")
    except ParcelwayError as error:
        assert error.request_id is not None and error.http_status == 404
        print("refused", error.code)
    with Parcelway(api_key="pf_test_none", base_url=BASE_URL) as other:
        try:
            other.warehouses.list()
            raise AssertionError("a certificate that nobody has signed was trusted")
        except ParcelwayConnectionError as failure:
            assert failure.code == "untrusted_certificate" and "ca_file" in str(failure), failure
    context = ssl.create_default_context(cafile=os.environ["PARCELWAY_CA_FILE"])
    with Parcelway(api_key=SETTINGS["api_key"], base_url=BASE_URL, verify=context) as other:
        assert other.warehouses.list()["warehouses"]


def main() -> None:
    with Parcelway(**SETTINGS) as client:
        with receiver() as received:
            journey(client, f"PO-PY-{time.time_ns()}", received)
        failures(client)
    with receiver() as received:
        asyncio.run(async_journey(f"PO-PYA-{time.time_ns()}", received))


if __name__ == "__main__":
    main()
