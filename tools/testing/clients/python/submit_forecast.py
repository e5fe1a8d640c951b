"""Uploads two PDFs, submits a forecast, lets the sandbox weigh the parcel, and reads the weighing, with a client generated with
openapi-python-client."""

import os
import ssl
import time
from io import BytesIO

from parcelway_client import AuthenticatedClient
from parcelway_client.api.files import upload_pdf
from parcelway_client.api.forecasts import query_weighing, submit_forecast
from parcelway_client.api.sandbox import simulate
from parcelway_client.models import (
    ErrorEnvelope,
    ForecastAcceptanceEnvelope,
    ForecastItem,
    ForecastSubmission,
    PdfUpload,
    Simulation,
    SimulationResultEnvelope,
    SimulationStep,
    UploadedFileEnvelope,
    WeighingDataEnvelope,
)
from parcelway_client.types import File

WEIGHED_WITHIN_S = 20


# A call that is sent again with the same Idempotency-Key has no second effect.
def upload(client: AuthenticatedClient, name: str, po_number: str) -> str:
    content = f"%PDF-1.4\n% {name} of {po_number}\nstartxref\n0\n%%EOF\n".encode()
    body = PdfUpload(file=File(payload=BytesIO(content), file_name=f"{name}.pdf", mime_type="application/pdf"))
    uploaded = upload_pdf.sync(client=client, body=body, idempotency_key=f"{name}-{po_number}")
    assert isinstance(uploaded, UploadedFileEnvelope), uploaded
    return uploaded.data.url


def weighing(client: AuthenticatedClient, po_number: str) -> float:
    """The weight, once the warehouse has written it back."""
    deadline = time.monotonic() + WEIGHED_WITHIN_S
    while time.monotonic() < deadline:
        found = query_weighing.sync(client=client, po_number=po_number)
        assert isinstance(found, WeighingDataEnvelope), found
        if found.data.weight_kg is not None:
            return found.data.weight_kg
        time.sleep(0.1)
    raise TimeoutError(f"{po_number} was not weighed within {WEIGHED_WITHIN_S} s")


def main() -> None:
    # The sandbox on your machine has a certificate of its own; a public one needs no context.
    context = ssl.create_default_context(cafile=os.environ["PARCELWAY_CA_FILE"])
    client = AuthenticatedClient(
        base_url=os.environ["PARCELWAY_BASE_URL"],
        token=os.environ["PARCELWAY_API_KEY"],
        prefix="",
        auth_header_name="X-Api-Key",
        verify_ssl=context,
    )
    po_number = f"PO-PYTHON-{time.time_ns()}"
    submission = ForecastSubmission(
        po_number=po_number,
        warehouse_code=os.environ["PARCELWAY_WAREHOUSE_CODE"],
        shipping_label=upload(client, "label", po_number),
        shipping_note=upload(client, "packing-list", po_number),
        items=[ForecastItem(sku_code="TSHIRT-M", product_name_en="Cotton T-shirt", forecast_quantity=2)],
    )
    submitted = submit_forecast.sync(client=client, body=submission, idempotency_key=f"submit-{po_number}")
    assert isinstance(submitted, ForecastAcceptanceEnvelope), submitted
    print("submitted", submitted.data.forecast_no)

    weigh = Simulation(po_number=po_number, step=SimulationStep.WEIGH, weight_kg=1.84)
    simulated = simulate.sync(client=client, body=weigh, idempotency_key=f"weigh-{po_number}")
    assert isinstance(simulated, SimulationResultEnvelope), simulated
    print("weighed", weighing(client, po_number), "kg")

    unknown = query_weighing.sync(client=client, po_number="PO-UNKNOWN")
    assert isinstance(unknown, ErrorEnvelope), unknown
    print("refused", unknown.code)


if __name__ == "__main__":
    main()
