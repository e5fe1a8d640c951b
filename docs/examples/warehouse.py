"""A warehouse's bench on the command line, with Python 3.8 or newer and nothing else.

  python3 docs/examples/warehouse.py list [DAY]                      parcels expected on a day, YYYY-MM-DD; default today
  python3 docs/examples/warehouse.py lookup SCAN                     whose parcel it is
  python3 docs/examples/warehouse.py label SCAN FILE                 save its product label, a PDF
  python3 docs/examples/warehouse.py weigh SCAN KG LxWxH [PHOTO]     report a weighing in kg and cm, with a photo
  python3 docs/examples/warehouse.py unclaimed                       reports that wait for their forecast
  python3 docs/examples/warehouse.py claim EVENT_ID FORECAST_NO      say whose parcel it is
  python3 docs/examples/warehouse.py dismiss EVENT_ID REASON         give the parcel up

BASE is the address of the platform, WAREHOUSE_KEY the key of the warehouse. CA is the file of its certificate, where the system does not trust it.
"""

import json
import os
import re
import ssl
import sys
import time
import uuid
from datetime import date, datetime
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

ATTEMPTS = 3
TIMEOUT_SECONDS = 30
MAX_WAIT_SECONDS = 10

# What to do about a failure, by its code. `message` of the response says what is wrong.
ADVICE = {
    "40003": "Set WAREHOUSE_KEY to a key of this warehouse and environment; ask the operator for a new one when it was revoked or has expired.",
    "40101": "Set WAREHOUSE_KEY to the key of the warehouse.",
    "40301": "Ask the operator for a key of your warehouse that may read.",
    "40402": "Check BASE: it ends behind the host or its port, without a path.",
    "40403": "Check the number: it must be of this warehouse. `unclaimed` lists the reports that wait.",
    "40902": "Somebody has claimed or dismissed it before; nothing is left to do, or ask who did.",
    "42204": "Name a file that is not empty.",
    "42205": "Send a JPEG, PNG or WebP.",
    "42206": "Send a photo of at most 10 MB.",
}


class Failure(Exception):
    """What went wrong and what to do about it, for the person at the bench. `code` is that of the response, or empty."""

    def __init__(self, text, code=""):
        super().__init__(text)
        self.code = code


def setting(name, what):
    value = os.environ.get(name, "")
    if value == "":
        raise Failure(f"{name} is not set. Set it to {what}.")
    return value


def tls():
    """Trusts what the system trusts, and the certificate in CA besides."""
    context = ssl.create_default_context()
    file = os.environ.get("CA", "")
    if file:
        try:
            context.load_verify_locations(file)
        except (OSError, ssl.SSLError) as error:
            raise Failure(f"CA names {file}, which cannot be read as a certificate ({error}). Name a PEM file.") from error
    return context


def failure_of(status, body):
    """The failure that an envelope describes, with every fault of the request."""
    try:
        envelope = json.loads(body)
        code, data = str(envelope["code"]), envelope["data"] or {}
    except (ValueError, KeyError, TypeError):
        return Failure(f"HTTP {status} without a response of the platform. Check BASE, and any proxy between you and the platform.")
    lines = [f"{code}: {envelope['message']}"] + [f"  {fault['message']}" for fault in data.get("errors", [])[1:]]
    if code in ADVICE:
        lines.append(ADVICE[code])
    return Failure("\n".join(lines), code)


def send(request):
    """The body of a response. Every request of this program may be repeated: an event_id counts once, and so does an Idempotency-Key."""
    context = tls()
    for attempt in range(1, ATTEMPTS + 1):
        wait = attempt
        try:
            with urlopen(request, timeout=TIMEOUT_SECONDS, context=context) as response:
                return response.read()
        except HTTPError as error:
            failure = failure_of(error.code, error.read())
            if error.code not in (429, 500, 502, 503, 504):
                raise failure from None
            named = error.headers.get("Retry-After", "")
            wait = int(named) if named.isdigit() else attempt
        except URLError as error:
            if isinstance(error.reason, ssl.SSLCertVerificationError):
                raise Failure(f"The certificate is not trusted ({error.reason.verify_message}). Set CA to its file.") from error
            failure = Failure(f"{request.host} cannot be reached ({error.reason}). Check BASE and the network.")
        except (OSError, HTTPException) as error:
            failure = Failure(f"The connection to {request.host} was lost ({error}). Try again.")
        if attempt < ATTEMPTS:
            time.sleep(min(wait, MAX_WAIT_SECONDS))
    raise failure


def call(path, body=None, headers=None):
    """Calls the API. `body`: bytes as they are, anything else as JSON. Returns `data`."""
    headers = {"X-Api-Key": setting("WAREHOUSE_KEY", "the key of the warehouse"), **(headers or {})}
    if body is not None and not isinstance(body, bytes):
        body = json.dumps(body).encode()
        headers["Content-Type"] = "application/json; charset=utf-8"
    base = setting("BASE", "the address of the platform, such as https://api.example.com").rstrip("/")
    if not base.startswith("https://"):
        raise Failure(f"BASE is {base}. Set it to an address that begins with https://.")
    return json.loads(send(Request(base + path, data=body, headers=headers)))["data"]


def find(scan):
    """The only parcel that a scan may mean, or None. With several it is a person who chooses."""
    result = call("/warehouse/v1/lookup?" + urlencode({"scan": scan}))
    candidates = result["candidates"]
    if len(candidates) > 1:
        lines = [f"  {each['forecast']['forecast_no']}  {each['forecast']['po_number']}  {each['reason']}" for each in candidates]
        more = ["  and others"] if result["has_more"] else []
        raise Failure("\n".join([f"{scan} may be any of these parcels; name one by its forecast_no:", *lines, *more]))
    return candidates[0] if candidates else None


def found(scan):
    candidate = find(scan)
    if candidate is None:
        raise Failure(f"No parcel of this warehouse has {scan}. Scan another code of it, or check the number with the merchant.")
    return candidate


def upload(file):
    """Uploads a photo as a form with the field `file`. Returns its photo_id."""
    try:
        with open(file, "rb") as photo:
            content = photo.read()
    except OSError as error:
        raise Failure(f"{file} cannot be read ({error.strerror}). Name a JPEG, PNG or WebP.") from error
    boundary = uuid.uuid4().hex
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="photo"\r\nContent-Type: application/octet-stream\r\n\r\n'
    body = head.encode() + content + f"\r\n--{boundary}--\r\n".encode()
    headers = {"Content-Type": f"multipart/form-data; boundary={boundary}", "Idempotency-Key": str(uuid.uuid4())}
    return call("/warehouse/v1/photos", body, headers)["photo_id"]


def report(event):
    """Reports one event. 202 says that the call was processed; `rejected` says whether the event was rejected."""
    result = call("/warehouse/v1/events", event)
    for rejected in result["rejected"]:
        faults = [fault["message"] for fault in rejected["errors"]]
        raise Failure("\n  ".join([f"The event was rejected ({rejected['code']}). Correct it and report it again:", *faults]))
    for warning in result["warnings"]:
        print(f"warning: {warning['message']}", file=sys.stderr)


def outcome(event_id):
    return call("/warehouse/v1/events/" + quote(event_id, safe=""))


def list_expected(day=None):
    """The first round of the list. With the last next_cursor the same loop shows, later, what has changed since."""
    day = day or date.today().isoformat()
    query = {"status": "ACCEPTED", "due_from": day, "due_to": day, "limit": 100}
    has_more, total = True, 0
    while has_more:
        page = call("/warehouse/v1/forecasts?" + urlencode(query))
        total += len(page["forecasts"])
        for parcel in page["forecasts"]:
            numbers = " ".join(parcel["tracking_numbers"]) or "-"
            print(f"{parcel['forecast_no']}  {parcel['po_number']}  {parcel['item_count']} items  {numbers}")
        has_more = page["has_more"]
        # The same filters go with every cursor.
        query["cursor"] = page["next_cursor"]
    if total == 0:
        print(f"No parcel is due on {day}. Parcels without a due date are not listed here.", file=sys.stderr)


def lookup(scan):
    candidate = found(scan)
    parcel = candidate["forecast"]
    hold = "  on hold" if parcel["on_hold"] else ""
    print(f"{parcel['forecast_no']}  {parcel['po_number']}  {parcel['status_name']}{hold}  ({candidate['reason']})")


def label(scan, file):
    number = found(scan)["forecast"]["forecast_no"]
    url = call("/warehouse/v1/forecasts/" + quote(number, safe=""))["marketplace_label"]
    if url is None:
        raise Failure(f"The forecast {number} has gone to another warehouse.")
    # The URL opens without a key.
    content = send(Request(url))
    try:
        with open(file, "wb") as target:
            target.write(content)
    except OSError as error:
        raise Failure(f"{file} cannot be written ({error.strerror}). Name another file.") from error
    print(f"{number}: {len(content)} bytes in {file}")


def weigh(scan, kg, size, photo=None):
    if not re.fullmatch(r"\d+(\.\d+)?", kg):
        raise Failure(f"KG is {kg}. Give a number of kilograms, such as 1.84.")
    sides = re.fullmatch(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)", size)
    if sides is None:
        raise Failure(f"LxWxH is {size}. Give three numbers of centimetres, such as 30x20.5x12.")
    length, width, height = (float(side) for side in sides.groups())
    candidate = find(scan)
    # A number that no forecast declares is reported all the same: the event waits for its forecast, or for a claim.
    whose = {"express_no": scan} if candidate is None else {"forecast_no": candidate["forecast"]["forecast_no"]}
    if candidate is not None and candidate["matched_by"] == "tracking_number":
        whose["express_no"] = scan
    code = call("/warehouse/v1/warehouse")["code"]
    event = {
        "event_id": f"{code}-{uuid.uuid4()}",
        "type": "weighing",
        "occurred_at": datetime.now().astimezone().isoformat(timespec="seconds"),
        "warehouse_code": code,
        **whose,
        "length_cm": length,
        "width_cm": width,
        "height_cm": height,
        "weight_kg": float(kg),
        "photo_ids": [upload(photo)] if photo else [],
    }
    report(event)
    show(outcome(event["event_id"]))


def show(result):
    state = result["state"]
    if state == "applied":
        print(f"{result['event_id']}  applied to {result['forecast_no']}")
    elif state == "waiting":
        print(f"{result['event_id']}  waits ({result['waiting_for']}); claim it for a forecast or dismiss it")
    else:
        print(f"{result['event_id']}  {state}  {result['reason'] or ''}".rstrip())


def unclaimed():
    query = {"limit": 100}
    while query.get("cursor", "") is not None:
        page = call("/warehouse/v1/unclaimed?" + urlencode(query))
        for event in page["parcels"]:
            number = event["express_no"] or event["forecast_no"]
            print("  ".join([event["id"], event["type"], number, event["reason"], *event["candidates"]]))
        query["cursor"] = page["next_cursor"]


def claim(event_id, forecast_no):
    call(f"/warehouse/v1/unclaimed/{quote(event_id, safe='')}/claim", {"forecast_no": forecast_no})
    show(outcome(event_id))


def dismiss(event_id, reason):
    call(f"/warehouse/v1/unclaimed/{quote(event_id, safe='')}/dismiss", {"reason": reason})
    show(outcome(event_id))


# Command → what it does, and how many words it takes at least and at most.
COMMANDS = {
    "list": (list_expected, 0, 1),
    "lookup": (lookup, 1, 1),
    "label": (label, 2, 2),
    "weigh": (weigh, 3, 4),
    "unclaimed": (unclaimed, 0, 0),
    "claim": (claim, 2, 2),
    "dismiss": (dismiss, 2, 2),
}


def main(words):
    command, least, most = COMMANDS.get(words[0] if words else "", (None, 0, 0))
    if command is None or not least <= len(words) - 1 <= most:
        sys.exit(__doc__.strip())
    try:
        command(*words[1:])
    except Failure as failure:
        sys.exit(f"error: {failure}")


if __name__ == "__main__":
    main(sys.argv[1:])
