# Made from the contract by `npm run docs`; do not edit.
"""Types of what the API takes and gives: dictionaries with the fields that the API reference names."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Literal, Union

if sys.version_info >= (3, 12):
    from typing import NotRequired, TypeAlias, TypedDict
else:
    from typing_extensions import NotRequired, TypeAlias, TypedDict


class CorrectedForecastMeasurementPhoto(TypedDict):
    """Corrected forecast measurement photo"""

    id: int
    """Photo record of the platform"""
    image_url: str
    """Opens without a key; cannot be guessed"""
    file_size: int
    """Bytes"""
    upload_time: str
    """When the photo was uploaded"""


class CorrectedForecastMeasurementReportedBy(TypedDict):
    """Corrected forecast measurement reported by"""

    warehouse_code: str
    event_id: str
    """The warehouse's id of the event"""
    express_no: str | None
    """Number scanned at the weigher; null when none was"""


class CorrectedForecastMeasurement(TypedDict):
    """Corrected forecast measurement"""

    length_cm: float
    width_cm: float
    height_cm: float
    weight_kg: float
    weighed_at: str
    """When the warehouse weighed it"""
    photos: Sequence[CorrectedForecastMeasurementPhoto]
    """Taken at the weigher"""
    reported_by: CorrectedForecastMeasurementReportedBy


class CorrectedForecastHold(TypedDict):
    """Corrected forecast hold"""

    reason: str | None
    """The warehouse's own words"""
    held_at: str
    """When the hold began in the warehouse"""
    released_at: str | None
    """When the warehouse released it; null while the hold lasts"""


class CorrectedForecastExceptionPhoto(TypedDict):
    """Corrected forecast exception photo"""

    id: int
    """Photo record of the platform"""
    image_url: str
    """Opens without a key; cannot be guessed"""
    file_size: int
    """Bytes"""
    upload_time: str
    """When the photo was uploaded"""


class CorrectedForecastException(TypedDict):
    """Corrected forecast exception"""

    reason: str
    """What is wrong: damaged, wrong_content, missing_items, unreadable_label, prohibited or other; more may come"""
    text: str | None
    """The warehouse's own words"""
    occurred_at: str
    """When the warehouse found it"""
    photos: Sequence[CorrectedForecastExceptionPhoto]


class CorrectedForecastReceivedItem(TypedDict):
    """Corrected forecast received item"""

    sku_code: str
    forecast_quantity: int
    """0 for a SKU that is not in the forecast"""
    received_quantity: int
    """0 for a SKU that the count does not name"""
    difference: int
    """received_quantity - forecast_quantity"""


class CorrectedForecastDeclared(TypedDict):
    """Corrected forecast declared"""

    weight_kg: float | None
    """In kg, rounded to grams, of all pieces or of all parcels that were weighed. null until one is weighed; of the difference, until all are; of what is declared, while an item has no declared weight"""
    volume_cm3: float | None
    """In cm³. null until a parcel is weighed; of the difference, until all are; of what is declared, while an item lacks a declared dimension"""


class CorrectedForecastMeasured(TypedDict):
    """Corrected forecast measured"""

    weight_kg: float | None
    """In kg, rounded to grams, of all pieces or of all parcels that were weighed. null until one is weighed; of the difference, until all are; of what is declared, while an item has no declared weight"""
    volume_cm3: float | None
    """In cm³. null until a parcel is weighed; of the difference, until all are; of what is declared, while an item lacks a declared dimension"""


class CorrectedForecastDifference(TypedDict):
    """Corrected forecast difference"""

    weight_kg: float | None
    """In kg, rounded to grams, of all pieces or of all parcels that were weighed. null until one is weighed; of the difference, until all are; of what is declared, while an item has no declared weight"""
    volume_cm3: float | None
    """In cm³. null until a parcel is weighed; of the difference, until all are; of what is declared, while an item lacks a declared dimension"""


class EndpointDisabledWebhookData(TypedDict):
    """Endpoint disabled webhook data"""

    event_id: str
    environment: Literal["sandbox", "production"]
    """Environment"""
    endpoint_id: str
    """The endpoint that was disabled"""
    url: str
    reason: Literal["tenant", "gone", "failing", "pause_expired"]
    """Why"""


class EndpointTestWebhookData(TypedDict):
    """Endpoint test webhook data"""

    event_id: str
    environment: Literal["sandbox", "production"]
    """Environment"""
    endpoint_id: str


class ForecastAcceptedWebhookData(TypedDict):
    """Forecast accepted webhook data"""

    event_id: str
    event_seq: int
    """Increases by one with each event of a forecast, from 1; parcel.weighed and tracking.changed have a sequence of their own"""
    environment: Literal["sandbox", "production"]
    """Environment"""
    forecast_no: str
    po_number: str
    status: int
    """Status of the forecast: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED"""
    version: int
    """Of the content of the forecast; begins at 1 and rises with each correction"""
    warehouse_code: str
    """Warehouse of the forecast"""
    accepted_at: str
    """Acceptance"""
    forecast: NotRequired[ForecastDetail]
    full_omitted: NotRequired[str]
    """Endpoints with `payload: full`: why the full data is missing: too_large, not_found or unavailable; call the query instead. More reasons may be added"""


class ForecastCancelledWebhookData(TypedDict):
    """Forecast cancelled webhook data"""

    event_id: str
    event_seq: int
    """Increases by one with each event of a forecast, from 1; parcel.weighed and tracking.changed have a sequence of their own"""
    environment: Literal["sandbox", "production"]
    """Environment"""
    forecast_no: str
    po_number: str
    status: int
    """Status of the forecast: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED"""
    cancelled_at: str
    """Cancellation"""
    forecast: NotRequired[ForecastDetail]
    full_omitted: NotRequired[str]
    """Endpoints with `payload: full`: why the full data is missing: too_large, not_found or unavailable; call the query instead. More reasons may be added"""


class ForecastCorrectedWebhookData(TypedDict):
    """Forecast corrected webhook data"""

    event_id: str
    event_seq: int
    """Increases by one with each event of a forecast, from 1; parcel.weighed and tracking.changed have a sequence of their own"""
    environment: Literal["sandbox", "production"]
    """Environment"""
    forecast_no: str
    po_number: str
    status: int
    """Status of the forecast: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED"""
    version: int
    """Of the content of the forecast; begins at 1 and rises with each correction"""
    warehouse_code: str
    """Warehouse of the forecast"""
    changed: Sequence[str]
    """JSON paths of the corrected fields, at most 100"""
    corrected_at: str
    """Correction"""
    forecast: NotRequired[ForecastDetail]
    full_omitted: NotRequired[str]
    """Endpoints with `payload: full`: why the full data is missing: too_large, not_found or unavailable; call the query instead. More reasons may be added"""


class ForecastDetailMeasurementPhoto(TypedDict):
    """Forecast detail measurement photo"""

    id: int
    """Photo record of the platform"""
    image_url: str
    """Opens without a key; cannot be guessed"""
    file_size: int
    """Bytes"""
    upload_time: str
    """When the photo was uploaded"""


class ForecastDetailMeasurementReportedBy(TypedDict):
    """Forecast detail measurement reported by"""

    warehouse_code: str
    event_id: str
    """The warehouse's id of the event"""
    express_no: str | None
    """Number scanned at the weigher; null when none was"""


class ForecastDetailMeasurement(TypedDict):
    """Forecast detail measurement"""

    length_cm: float
    width_cm: float
    height_cm: float
    weight_kg: float
    weighed_at: str
    """When the warehouse weighed it"""
    photos: Sequence[ForecastDetailMeasurementPhoto]
    """Taken at the weigher"""
    reported_by: ForecastDetailMeasurementReportedBy


class ForecastDetailHold(TypedDict):
    """Forecast detail hold"""

    reason: str | None
    """The warehouse's own words"""
    held_at: str
    """When the hold began in the warehouse"""
    released_at: str | None
    """When the warehouse released it; null while the hold lasts"""


class ForecastDetailExceptionPhoto(TypedDict):
    """Forecast detail exception photo"""

    id: int
    """Photo record of the platform"""
    image_url: str
    """Opens without a key; cannot be guessed"""
    file_size: int
    """Bytes"""
    upload_time: str
    """When the photo was uploaded"""


class ForecastDetailException(TypedDict):
    """Forecast detail exception"""

    reason: str
    """What is wrong: damaged, wrong_content, missing_items, unreadable_label, prohibited or other; more may come"""
    text: str | None
    """The warehouse's own words"""
    occurred_at: str
    """When the warehouse found it"""
    photos: Sequence[ForecastDetailExceptionPhoto]


class ForecastDetailReceivedItem(TypedDict):
    """Forecast detail received item"""

    sku_code: str
    forecast_quantity: int
    """0 for a SKU that is not in the forecast"""
    received_quantity: int
    """0 for a SKU that the count does not name"""
    difference: int
    """received_quantity - forecast_quantity"""


class ForecastDetailDeclared(TypedDict):
    """Forecast detail declared"""

    weight_kg: float | None
    """In kg, rounded to grams, of all pieces or of all parcels that were weighed. null until one is weighed; of the difference, until all are; of what is declared, while an item has no declared weight"""
    volume_cm3: float | None
    """In cm³. null until a parcel is weighed; of the difference, until all are; of what is declared, while an item lacks a declared dimension"""


class ForecastDetailMeasured(TypedDict):
    """Forecast detail measured"""

    weight_kg: float | None
    """In kg, rounded to grams, of all pieces or of all parcels that were weighed. null until one is weighed; of the difference, until all are; of what is declared, while an item has no declared weight"""
    volume_cm3: float | None
    """In cm³. null until a parcel is weighed; of the difference, until all are; of what is declared, while an item lacks a declared dimension"""


class ForecastDetailDifference(TypedDict):
    """Forecast detail difference"""

    weight_kg: float | None
    """In kg, rounded to grams, of all pieces or of all parcels that were weighed. null until one is weighed; of the difference, until all are; of what is declared, while an item has no declared weight"""
    volume_cm3: float | None
    """In cm³. null until a parcel is weighed; of the difference, until all are; of what is declared, while an item lacks a declared dimension"""


class ListenResultMessage(TypedDict):
    """Listen result message"""

    event_id: str
    event_type: str
    headers: Mapping[str, str]
    """Headers of the webhook, signature included"""
    body: str
    """Body of the webhook, byte for byte"""


class ParcelArrivedWebhookData(TypedDict):
    """Parcel arrived webhook data"""

    event_id: str
    event_seq: int
    """Increases by one with each event of a forecast, from 1; parcel.weighed and tracking.changed have a sequence of their own"""
    environment: Literal["sandbox", "production"]
    """Environment"""
    forecast_no: str
    po_number: str
    status: int
    """Status of the forecast: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED"""
    warehouse_code: str
    """Warehouse that reported it"""
    occurred_at: str
    """When it happened in the warehouse"""
    forecast: NotRequired[ForecastDetail]
    full_omitted: NotRequired[str]
    """Endpoints with `payload: full`: why the full data is missing: too_large, not_found or unavailable; call the query instead. More reasons may be added"""


class ParcelCompletedWebhookData(TypedDict):
    """Parcel completed webhook data"""

    event_id: str
    event_seq: int
    """Increases by one with each event of a forecast, from 1; parcel.weighed and tracking.changed have a sequence of their own"""
    environment: Literal["sandbox", "production"]
    """Environment"""
    forecast_no: str
    po_number: str
    status: int
    """Status of the forecast: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED"""
    reason: str
    """What completed the forecast: put_away or tracking_ended"""
    completed_at: str
    """When the platform recorded it"""
    forecast: NotRequired[ForecastDetail]
    full_omitted: NotRequired[str]
    """Endpoints with `payload: full`: why the full data is missing: too_large, not_found or unavailable; call the query instead. More reasons may be added"""


class ParcelDispatchedWebhookData(TypedDict):
    """Parcel dispatched webhook data"""

    event_id: str
    event_seq: int
    """Increases by one with each event of a forecast, from 1; parcel.weighed and tracking.changed have a sequence of their own"""
    environment: Literal["sandbox", "production"]
    """Environment"""
    forecast_no: str
    po_number: str
    status: int
    """Status of the forecast: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED"""
    carrier_code: str
    tracking_number: str
    """Of the carrier, normalised"""
    dispatched_at: str
    """When the warehouse handed it over"""
    forecast: NotRequired[ForecastDetail]
    full_omitted: NotRequired[str]
    """Endpoints with `payload: full`: why the full data is missing: too_large, not_found or unavailable; call the query instead. More reasons may be added"""


class ParcelExceptionWebhookData(TypedDict):
    """Parcel exception webhook data"""

    event_id: str
    event_seq: int
    """Increases by one with each event of a forecast, from 1; parcel.weighed and tracking.changed have a sequence of their own"""
    environment: Literal["sandbox", "production"]
    """Environment"""
    forecast_no: str
    po_number: str
    status: int
    """Status of the forecast: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED"""
    warehouse_code: str
    """Warehouse that reported it"""
    occurred_at: str
    """When it happened in the warehouse"""
    reason: str
    """What is wrong with the parcel: damaged, wrong_content, missing_items, unreadable_label, prohibited, other. More reasons may be added"""
    text: str | None
    """The warehouse's own words"""
    forecast: NotRequired[ForecastDetail]
    full_omitted: NotRequired[str]
    """Endpoints with `payload: full`: why the full data is missing: too_large, not_found or unavailable; call the query instead. More reasons may be added"""


class ParcelPhotographedWebhookData(TypedDict):
    """Parcel photographed webhook data"""

    event_id: str
    event_seq: int
    """Increases by one with each event of a forecast, from 1; parcel.weighed and tracking.changed have a sequence of their own"""
    environment: Literal["sandbox", "production"]
    """Environment"""
    forecast_no: str
    po_number: str
    status: int
    """Status of the forecast: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED"""
    warehouse_code: str
    """Warehouse that reported it"""
    occurred_at: str
    """When it happened in the warehouse"""
    image_type: Literal["product", "package", "shipping", "document", "other"]
    """What the image shows"""
    image_order: int
    forecast: NotRequired[ForecastDetail]
    full_omitted: NotRequired[str]
    """Endpoints with `payload: full`: why the full data is missing: too_large, not_found or unavailable; call the query instead. More reasons may be added"""


class ParcelPutAwayWebhookData(TypedDict):
    """Parcel put away webhook data"""

    event_id: str
    event_seq: int
    """Increases by one with each event of a forecast, from 1; parcel.weighed and tracking.changed have a sequence of their own"""
    environment: Literal["sandbox", "production"]
    """Environment"""
    forecast_no: str
    po_number: str
    status: int
    """Status of the forecast: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED"""
    warehouse_code: str
    """Warehouse that reported it"""
    occurred_at: str
    """When it happened in the warehouse"""
    forecast: NotRequired[ForecastDetail]
    full_omitted: NotRequired[str]
    """Endpoints with `payload: full`: why the full data is missing: too_large, not_found or unavailable; call the query instead. More reasons may be added"""


class ParcelWeighedWebhookData(TypedDict):
    """Parcel weighed webhook data"""

    event_id: str
    event_seq: int
    """Increases by one with each event of a forecast, from 1; event types that an endpoint receives only if it names them have a separate sequence"""
    environment: Literal["sandbox", "production"]
    """Environment"""
    forecast_no: str
    po_number: str
    status: int
    """Status of the forecast: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED"""
    weighed_at: str
    """When the warehouse weighed it"""
    weighing: NotRequired[WeighingData]
    full_omitted: NotRequired[str]
    """Endpoints with `payload: full`: why the full data is missing: too_large, not_found or unavailable; call the query instead. More reasons may be added"""


class TrackingChangedWebhookData(TypedDict):
    """Tracking changed webhook data"""

    event_id: str
    event_seq: int
    """Increases by one with each event of a forecast, from 1; event types that an endpoint receives only if it names them have a separate sequence"""
    environment: Literal["sandbox", "production"]
    """Environment"""
    forecast_no: str
    po_number: str
    previous_admin_status: str
    """Empty when there was none"""
    admin_status: str
    """Of the newest node of the parcel"""
    is_terminal: bool
    """true when that is a final status"""
    tracking_number: str
    """The parcel, by the number of its carrier"""
    tracking: NotRequired[TrackingResult]
    full_omitted: NotRequired[str]
    """Endpoints with `payload: full`: why the full data is missing: too_large, not_found or unavailable; call the query instead. More reasons may be added"""


class WarehouseExceptionPhoto(TypedDict):
    """Warehouse exception photo"""

    id: int
    """Photo record of the platform"""
    image_url: str
    """Opens without a key; cannot be guessed"""
    file_size: int
    """Bytes"""
    upload_time: str
    """When the photo was uploaded"""


class WarehouseForecastDetailHold(TypedDict):
    """Warehouse forecast detail hold"""

    reason: str | None
    """The warehouse's own words"""
    held_at: str
    """When the hold began in the warehouse"""
    released_at: str | None
    """When the warehouse released it; null while the hold lasts"""


class WarehouseMeasurementPhoto(TypedDict):
    """Warehouse measurement photo"""

    id: int
    """Photo record of the platform"""
    image_url: str
    """Opens without a key; cannot be guessed"""
    file_size: int
    """Bytes"""
    upload_time: str
    """When the photo was uploaded"""


class WeighingDataHold(TypedDict):
    """Weighing data hold"""

    reason: str | None
    """The warehouse's own words"""
    held_at: str
    """When the hold began in the warehouse"""
    released_at: str | None
    """When the warehouse released it; null while the hold lasts"""


class WeighingDataExceptionPhoto(TypedDict):
    """Weighing data exception photo"""

    id: int
    """Photo record of the platform"""
    image_url: str
    """Opens without a key; cannot be guessed"""
    file_size: int
    """Bytes"""
    upload_time: str
    """When the photo was uploaded"""


class WeighingDataException(TypedDict):
    """Weighing data exception"""

    reason: str
    """What is wrong: damaged, wrong_content, missing_items, unreadable_label, prohibited or other; more may come"""
    text: str | None
    """The warehouse's own words"""
    occurred_at: str
    """When the warehouse found it"""
    photos: Sequence[WeighingDataExceptionPhoto]


class AccessSession(TypedDict):
    """The session of the console that calls instead of the key; null for the key itself"""

    kind: Literal["session", "link"]
    """`session`: somebody signed in with the key. `link`: opened by a link"""
    expires_at: str
    """When it ends"""


class ArrivalEvent(TypedDict):
    """Arrival event"""

    event_id: str
    """The warehouse's id of the event; sent again, it has no second effect"""
    occurred_at: str
    """When it happened"""
    warehouse_code: str
    """The reporting warehouse; the one of the key; begins and ends with a visible character"""
    forecast_no: NotRequired[str]
    """Forecast number; this or express_no"""
    express_no: NotRequired[str]
    """Number scanned from the parcel; this or forecast_no"""
    type: Literal["arrival"]
    received_items: NotRequired[Sequence[ReceivedQuantity]]
    """The whole count of what was received. A SKU that is left out counts as none; entries of one SKU are added. An empty list is no count"""


class AuditActor(TypedDict):
    """Audit actor"""

    type: Literal["key", "operator"]
    """key: a key of the tenant; operator: the operator of the platform"""
    id: str | None
    """`key_id` of the key; null for an operator"""
    address: str | None
    """IP address of the client; null for an operator"""
    session: NotRequired[Literal["session", "link"]]
    """What acted for the key. session: a session of the console; link: a link to the console. Absent: the key itself, or an operator"""


class AuditEntry(TypedDict):
    """Audit entry"""

    entry_id: str
    time: str
    """When the request came"""
    action: Literal["key.created", "key.updated", "key.rotated", "key.revoked", "console_link.created", "console_session.created", "forecast.corrected", "forecast.cancelled", "forecast.image_added", "forecast.image_removed", "import.started", "import.cancelled", "endpoint.created", "endpoint.updated", "endpoint.deleted", "endpoint.secret_rotated", "connection.created", "connection.updated", "connection.deleted", "file.deleted", "file.url_created", "tenant.renamed", "tenant.suspended", "tenant.resumed", "tenant.retention_changed", "tenant.numbers_limited", "tenant.exported"]
    """What was done"""
    actor: AuditActor
    resource: AuditResource
    outcome: Literal["success", "unknown"]
    """success: the change was made. unknown: the platform failed or was interrupted, so the change may have been made or not. Refused requests are no entries; see the failed calls"""
    request_id: str
    """`X-Request-Id` of the response"""


class AuditLog(TypedDict):
    """Audit log"""

    entries: Sequence[AuditEntry]
    next_cursor: str | None
    """null on the last page"""
    warnings: NotRequired[Sequence[Warning]]
    """Parameters of the query that are not known and were ignored, at most 20; absent when there are none"""


class AuditLogQuery(TypedDict):
    """Audit log query"""

    limit: NotRequired[int]
    """Page size, 1 to 100; default 20"""
    cursor: NotRequired[str]
    """`next_cursor` of the previous page"""
    action: NotRequired[Literal["key.created", "key.updated", "key.rotated", "key.revoked", "console_link.created", "console_session.created", "forecast.corrected", "forecast.cancelled", "forecast.image_added", "forecast.image_removed", "import.started", "import.cancelled", "endpoint.created", "endpoint.updated", "endpoint.deleted", "endpoint.secret_rotated", "connection.created", "connection.updated", "connection.deleted", "file.deleted", "file.url_created", "tenant.renamed", "tenant.suspended", "tenant.resumed", "tenant.retention_changed", "tenant.numbers_limited", "tenant.exported"]]
    """Only entries of this action"""
    created_from: NotRequired[str]
    """Only entries at or after this instant"""
    created_to: NotRequired[str]
    """Only entries before this instant"""


class AuditResource(TypedDict):
    """Audit resource"""

    type: Literal["key", "forecast", "import", "endpoint", "connection", "file", "tenant"]
    """Kind of the resource"""
    id: str | None
    """Such as a key_id, a po_number or an endpoint_id; null: not known, for example because the outcome is unknown"""


class CarrierCandidate(TypedDict):
    """Carrier candidate"""

    carrier_code: str
    """The platform's code of the carrier"""
    carrier_name: str
    confidence: Literal["high", "medium", "low"]
    """high: the form is distinctive and the check digit is right; medium: the form is distinctive and has no known check digit, or it is a short prefix and the check digit is right; low: hardly more than the length fits"""
    reason: str
    """What fits, as a sentence for people"""


class CarrierConnection(TypedDict):
    """Carrier connection"""

    connection_id: str
    source: str
    """Vendor of the account"""
    carriers: Sequence[str]
    """Carrier codes in lower case; `*` for every carrier but `simulated`"""
    credential_names: Sequence[str]
    """Names of the stored credentials. Empty when they cannot be read any more: send all of them again"""
    push_url: str | None
    """Where the source sends its pushes; enter it there as it is, and keep it secret. null when the source does not push"""
    limits: ConnectionLimits | None
    """Limits that the source grants your account. A limit that you leave out keeps its standard value. A change replaces all of them; `null` restores the standard limits"""
    create_time: str
    """When it was created"""
    update_time: str
    """When it last changed"""


class CarrierConnectionList(TypedDict):
    """Carrier connection list"""

    connections: Sequence[CarrierConnection]
    """Oldest first, at most 50"""


class CarrierDetection(TypedDict):
    """Carrier detection"""

    tracking_number: str
    """In upper case, without spaces, hyphens and invisible characters"""
    candidates: Sequence[CarrierCandidate]
    """At most 10, best first, each carrier once; empty when the number has the form of no known format, or its check digit is wrong"""
    warnings: NotRequired[Sequence[Warning]]
    """A check digit that does not fit, and parameters of the query that are not known and were ignored, at most 20; absent when there is nothing to say"""


class CarrierDetectionQuery(TypedDict):
    """Carrier detection query"""

    tracking_number: str
    """Tracking number as it is printed or written. Compared in upper case without spaces, hyphens and invisible characters"""


class CarrierList(TypedDict):
    """Carrier list"""

    carriers: Sequence[ServedCarrier]
    """Carriers that a connection names, by code, each once; at most 1000"""
    serves_all: bool
    """True when a connection serves every carrier, those that are not listed too"""
    simulated: NotRequired[Literal[True]]
    """Sandbox only: a carrier that nothing serves is simulated. Absent in production"""
    warnings: NotRequired[Sequence[Warning]]
    """Parameters of the query that are not known and were ignored, at most 20; absent when there are none"""


class ConnectionChange(TypedDict):
    """Connection change"""

    carriers: NotRequired[Sequence[str]]
    """Codes of the carriers that the connection serves, in any case; `*` for every carrier but `simulated`"""
    credentials: NotRequired[Mapping[str, str | None]]
    """The credentials to replace, by name; all others stay. `null` removes an optional one. The former value of a secret that proves pushes is kept as `previous_<name>`: pushes signed with either are accepted until you remove it"""
    limits: NotRequired[ConnectionLimits | None]
    """Limits that the source grants your account. A limit that you leave out keeps its standard value. A change replaces all of them; `null` restores the standard limits"""


class ConnectionCreation(TypedDict):
    """Connection creation"""

    source: Literal["17track", "easypost", "aftership", "ups", "dhl", "yunexpress"]
    """Vendor of the account"""
    carriers: Sequence[str]
    """Codes of the carriers that the connection serves, in any case; `*` for every carrier but `simulated`"""
    credentials: Mapping[str, str]
    """Keys and secrets of your account with the source, by name. No response shows them"""
    limits: NotRequired[ConnectionLimits]
    """Limits that the source grants your account. A limit that you leave out keeps its standard value. A change replaces all of them; `null` restores the standard limits"""


class ConnectionDeletion(TypedDict):
    """Connection deletion"""

    connection_id: str
    deleted: Literal[True]


class ConnectionLimits(TypedDict):
    """Limits that the source grants your account. A limit that you leave out keeps its standard value. A change replaces all of them; `null` restores the standard limits"""

    requests_per_second: NotRequired[float]
    """Calls in a second; below 1 for one call in several seconds"""
    calls_per_day: NotRequired[int]
    """Calls of every kind in a day, which begins at 00:00 UTC"""
    fetches_per_parcel_per_day: NotRequired[int]
    """Calls for one parcel in 24 hours, spread evenly"""


class ConnectionSaved(TypedDict):
    """Connection saved"""

    connection_id: str
    source: str
    """Vendor of the account"""
    carriers: Sequence[str]
    """Carrier codes in lower case; `*` for every carrier but `simulated`"""
    credential_names: Sequence[str]
    """Names of the stored credentials. Empty when they cannot be read any more: send all of them again"""
    push_url: str | None
    """Where the source sends its pushes; enter it there as it is, and keep it secret. null when the source does not push"""
    limits: ConnectionLimits | None
    """Limits that the source grants your account. A limit that you leave out keeps its standard value. A change replaces all of them; `null` restores the standard limits"""
    create_time: str
    """When it was created"""
    update_time: str
    """When it last changed"""
    warnings: Sequence[Warning]
    """Fields of the body and parameters of the query that are not known and were ignored, at most 20 of each"""


class ConnectionTest(TypedDict):
    """Connection test"""

    connection_id: str
    result: Literal["works", "access_denied", "unavailable"]
    """works: the source accepts the credentials; access_denied: the source refuses the credentials; unavailable: the source fails or limits calls, so the credentials could not be checked"""
    message: str
    """What it means and what to do next, as a sentence for people"""


class ConsoleLink(TypedDict):
    """Console link"""

    url: str
    """Opens the console, signed in. Anyone with the link can use it until it expires"""
    key_id: str
    """The key that it acts for. Revoke the key to end the link at once"""
    scopes: Sequence[str]
    """What the user may do"""
    expires_at: str
    """When the link, and what it has opened, end"""
    warnings: Sequence[Warning]
    """Fields of the body and parameters of the query that are not known and were ignored, at most 20 of each"""


class ConsoleLinkCreation(TypedDict):
    """Console link creation"""

    scopes: NotRequired[Sequence[Literal["forecasts:write", "files:write", "weighing:read", "tracking:read", "webhooks:manage", "connections:manage"]]]
    """What the user may do: only scopes of the calling key. Default: those of them that read, `weighing:read` and `tracking:read`"""
    expires_in_seconds: NotRequired[int]
    """How long the link and what it opens work. Default 3600"""


class ConsoleSession(TypedDict):
    """Console session"""

    token: str
    """Sent instead of the key, in `X-Api-Key`. It ends with the key, too"""
    key_id: str
    """The key that it acts for; to revoke it ends the session"""
    expires_at: str
    """When the session ends"""


class CorrectedForecast(TypedDict):
    """Corrected forecast"""

    forecast_no: str
    po_number: str
    forecast_type: int
    warehouse_code: str
    due_date: str | None
    item_count: int
    version: int
    """Begins at 1 and rises with each correction"""
    status: int
    """Status as an integer: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED"""
    status_name: Literal["ACCEPTED", "ARRIVED", "WEIGHED", "PROCESSING", "SHIPPED", "COMPLETED", "CANCELLED"]
    """Status as a string"""
    has_exception: bool
    """The warehouse found something wrong with the parcel, such as damage"""
    on_hold: bool
    """True while a hold is not released. The status does not change with it"""
    create_time: str
    """When it was accepted"""
    update_time: str
    """When it last changed"""
    shipping_label: str | None
    shipping_note: str | None
    marketplace_label: str
    """URL of the product label (PDF), which the platform generates when it is first opened"""
    marketplace_label_version: int
    """Version of the forecast that label and packing slip show: the current one"""
    packing_slip: str
    """URL of the packing slip (PDF), which the platform generates when it is first opened"""
    carton_count: int | None
    """Number of cartons, as submitted"""
    items: Sequence[ForecastItem]
    carrier_code: str | None
    """Set once the parcel is dispatched"""
    tracking_number: str | None
    """Number under which the parcel was dispatched"""
    history: Sequence[StatusChange]
    """Oldest first"""
    measurements: Sequence[CorrectedForecastMeasurement]
    """Newest first"""
    holds: Sequence[CorrectedForecastHold]
    """Latest first"""
    exceptions: Sequence[CorrectedForecastException]
    """Latest first"""
    received_items: Sequence[CorrectedForecastReceivedItem]
    """Latest count of the warehouse against the forecast; empty until there is one"""
    declared: CorrectedForecastDeclared
    measured: CorrectedForecastMeasured
    difference: CorrectedForecastDifference
    volumetric_weight_kg: float | None
    """Measured volume divided by `volume_divisor`; null until it is weighed"""
    chargeable_weight_kg: float | None
    """The greater of measured and volumetric weight; null until it is weighed"""
    volume_divisor: int
    """cm³ that count as 1 kg; set by the operator"""
    corrections: Sequence[ForecastCorrectionEntry]
    """Oldest first; the latest 100 at most"""
    warnings: Sequence[Warning]
    """At most 100 of the body and 20 of the query"""


class CountedItem(TypedDict):
    """Counted item"""

    sku_code: str
    quantity: int


class Delivery(TypedDict):
    """Delivery"""

    delivery_id: str
    endpoint_id: str
    event_id: str
    """Equals webhook-id of every attempt"""
    event_type: str
    po_number: str | None
    status: Literal["pending", "succeeded", "failed", "held"]
    """held: the endpoint was disabled; replay or resend sends it"""
    attempt_count: int
    next_attempt_time: str | None
    """When it is tried next, at the earliest; null unless pending, and while the endpoint is paused"""
    next_attempt_reason: Literal["first", "schedule", "retry_after", "paused", "queued"] | None
    """Reason for that time, see the webhook documentation; null unless pending"""
    test: bool
    """A test event: sent once; it does not affect the health of the endpoint"""
    last_status_code: int | None
    """HTTP status of the last response"""
    create_time: str
    """When the event was accepted for delivery"""


class DeliveryAttempt(TypedDict):
    """Delivery attempt"""

    attempt_id: str
    attempt_number: int
    """From 1"""
    url: str
    """Where it was sent"""
    start_time: str
    """When it started"""
    duration_ms: int
    outcome: Literal["succeeded", "failed"]
    """succeeded: a response of 200 to 299 in time"""
    status_code: int | None
    """HTTP status; null when there was no response"""
    error: str | None
    """Why there was no good response, as a sentence"""
    error_code: str | None
    """Why there was no good response, for programs: status, timeout, address_not_allowed, name_not_resolved, connect_timeout, connection_refused, connection_reset, connection_closed, unreachable, tls, headers_too_large, failed; null when there was one. Treat an unknown code as `failed`"""
    retry_after: str | None
    """The header Retry-After of the response"""
    response_body: str | None
    """First 1,024 bytes of the response"""


class DeliveryAttemptList(TypedDict):
    """Delivery attempt list"""

    attempts: Sequence[DeliveryAttempt]
    warnings: NotRequired[Sequence[Warning]]
    """Parameters of the query that are not known and were ignored, at most 20; absent when there are none"""


class DeliveryDetail(TypedDict):
    """Delivery detail"""

    delivery_id: str
    endpoint_id: str
    event_id: str
    """Equals webhook-id of every attempt"""
    event_type: str
    po_number: str | None
    status: Literal["pending", "succeeded", "failed", "held"]
    """held: the endpoint was disabled; replay or resend sends it"""
    attempt_count: int
    next_attempt_time: str | None
    """When it is tried next, at the earliest; null unless pending, and while the endpoint is paused"""
    next_attempt_reason: Literal["first", "schedule", "retry_after", "paused", "queued"] | None
    """Reason for that time, see the webhook documentation; null unless pending"""
    test: bool
    """A test event: sent once; it does not affect the health of the endpoint"""
    last_status_code: int | None
    """HTTP status of the last response"""
    create_time: str
    """When the event was accepted for delivery"""
    body: str
    """The body of every attempt, byte for byte; what the signature covers. An endpoint with `payload: full` is sent this with the full data added"""


class DeliveryList(TypedDict):
    """Delivery list"""

    deliveries: Sequence[Delivery]
    next_cursor: str | None
    """null on the last page"""
    warnings: NotRequired[Sequence[Warning]]
    """Parameters of the query that are not known and were ignored, at most 20; absent when there are none"""


class DeliveryListQuery(TypedDict):
    """Delivery list query"""

    status: NotRequired[Literal["pending", "succeeded", "failed", "held"]]
    """Only this status"""
    event_id: NotRequired[str]
    """Only the delivery of this event: `data.event_id`, which is `webhook-id` too. `limit` and `cursor` have no effect beside it"""
    limit: NotRequired[int]
    """Page size, 1 to 100; default 20"""
    cursor: NotRequired[str]
    """`next_cursor` of the previous page"""


class DispatchEvent(TypedDict):
    """Dispatch event"""

    event_id: str
    """The warehouse's id of the event; sent again, it has no second effect"""
    occurred_at: str
    """When it happened"""
    warehouse_code: str
    """The reporting warehouse; the one of the key; begins and ends with a visible character"""
    forecast_no: NotRequired[str]
    """Forecast number; this or express_no"""
    express_no: NotRequired[str]
    """Number scanned from the parcel; this or forecast_no"""
    type: Literal["dispatch"]
    carrier_code: str
    """Carrier"""
    tracking_number: str
    """The carrier's number"""
    destination_country: NotRequired[str]
    """Where the parcel goes (ISO 3166-1 alpha-2)"""
    destination_postcode: NotRequired[str]
    """Postcode of the recipient"""
    phone_last4: NotRequired[str]
    """Last four digits of the recipient's phone number"""
    ship_date: NotRequired[str]
    """Day on which the carrier took the parcel"""
    carrier_service: NotRequired[str]
    """The carrier's service, such as express"""


class EndpointChange(TypedDict):
    """Endpoint change"""

    url: NotRequired[str]
    """Receiver; https and a public address"""
    event_types: NotRequired[Sequence[Literal["parcel.weighed", "tracking.changed", "forecast.accepted", "forecast.corrected", "forecast.cancelled", "parcel.arrived", "parcel.photographed", "parcel.put_away", "parcel.dispatched", "parcel.completed", "parcel.exception"]]]
    """Events that the endpoint receives; default when it is created: parcel.weighed, tracking.changed"""
    description: NotRequired[str]
    """For people"""
    filter: NotRequired[EndpointFilter]
    """Only events whose `data` matches every condition. A condition on a field that an event type does not have is ignored for events of this type. One of the listed values must match; a single value may be sent without a list. `{}` matches all events."""
    headers: NotRequired[Mapping[str, str]]
    """Sent with every attempt, such as `Authorization`. Not `webhook-*` nor a name that HTTP or the platform uses. Responses show the names, with `***` for each value."""
    metadata: NotRequired[Mapping[str, str]]
    """For your own use; the platform only keeps it. Names have at most 40 characters"""
    rate_limit: NotRequired[int | None]
    """Maximum number of attempts per second; further attempts wait"""
    payload: NotRequired[Literal["thin", "full"]]
    """thin (the default): what happened to which parcel; full: each attempt adds what the query returns at that moment, as `data.weighing`, `data.tracking` or `data.forecast`"""
    status: NotRequired[Literal["enabled", "paused", "disabled"]]
    """paused: events wait and are sent on enabled; disabled: events are held until a replay; enabled starts deliveries again"""


class EndpointChanged(TypedDict):
    """Endpoint changed"""

    endpoint_id: str
    url: str
    event_types: Sequence[str]
    description: str
    filter: EndpointFilter
    """Only events whose `data` matches every condition. A condition on a field that an event type does not have is ignored for events of this type. One of the listed values must match; a single value may be sent without a list. `{}` matches all events."""
    headers: Mapping[str, Literal["***"]]
    """Names of the custom headers; values are not shown"""
    metadata: Mapping[str, str]
    rate_limit: int | None
    """Maximum number of attempts per second; null: as fast as the endpoint responds"""
    payload: Literal["thin", "full"]
    """thin (the default): what happened to which parcel; full: each attempt adds what the query returns at that moment, as `data.weighing`, `data.tracking` or `data.forecast`"""
    status: Literal["enabled", "paused", "disabled"]
    """paused and disabled endpoints keep their events but receive none"""
    disabled_reason: Literal["tenant", "gone", "failing", "pause_expired"] | None
    """Why it is disabled: by the tenant, response 410, 5 days of failure, or a pause of 7 days"""
    pause_end_time: str | None
    """paused: when the platform disables the endpoint, 7 days after the pause began"""
    health: EndpointHealth
    former_secret_end_time: str | None
    """After a rotation: until when the previous secret also signs; null when one secret signs"""
    create_time: str
    """When it was created"""
    update_time: str
    """When it last changed"""
    warnings: Sequence[Warning]
    """Fields of the body and parameters of the query that are not known and were ignored, at most 20 of each"""


class EndpointCreated(TypedDict):
    """Endpoint created"""

    endpoint_id: str
    url: str
    event_types: Sequence[str]
    description: str
    filter: EndpointFilter
    """Only events whose `data` matches every condition. A condition on a field that an event type does not have is ignored for events of this type. One of the listed values must match; a single value may be sent without a list. `{}` matches all events."""
    headers: Mapping[str, Literal["***"]]
    """Names of the custom headers; values are not shown"""
    metadata: Mapping[str, str]
    rate_limit: int | None
    """Maximum number of attempts per second; null: as fast as the endpoint responds"""
    payload: Literal["thin", "full"]
    """thin (the default): what happened to which parcel; full: each attempt adds what the query returns at that moment, as `data.weighing`, `data.tracking` or `data.forecast`"""
    status: Literal["enabled", "paused", "disabled"]
    """paused and disabled endpoints keep their events but receive none"""
    disabled_reason: Literal["tenant", "gone", "failing", "pause_expired"] | None
    """Why it is disabled: by the tenant, response 410, 5 days of failure, or a pause of 7 days"""
    pause_end_time: str | None
    """paused: when the platform disables the endpoint, 7 days after the pause began"""
    health: EndpointHealth
    former_secret_end_time: str | None
    """After a rotation: until when the previous secret also signs; null when one secret signs"""
    create_time: str
    """When it was created"""
    update_time: str
    """When it last changed"""
    secret: str
    """whsec_…; shown once"""
    warnings: Sequence[Warning]
    """Fields of the body and parameters of the query that are not known and were ignored, at most 20 of each"""


class EndpointCreation(TypedDict):
    """Endpoint creation"""

    url: str
    """Receiver; https and a public address"""
    event_types: NotRequired[Sequence[Literal["parcel.weighed", "tracking.changed", "forecast.accepted", "forecast.corrected", "forecast.cancelled", "parcel.arrived", "parcel.photographed", "parcel.put_away", "parcel.dispatched", "parcel.completed", "parcel.exception"]]]
    """Events that the endpoint receives; default when it is created: parcel.weighed, tracking.changed"""
    description: NotRequired[str]
    """For people"""
    filter: NotRequired[EndpointFilter]
    """Only events whose `data` matches every condition. A condition on a field that an event type does not have is ignored for events of this type. One of the listed values must match; a single value may be sent without a list. `{}` matches all events."""
    headers: NotRequired[Mapping[str, str]]
    """Sent with every attempt, such as `Authorization`. Not `webhook-*` nor a name that HTTP or the platform uses. Responses show the names, with `***` for each value."""
    metadata: NotRequired[Mapping[str, str]]
    """For your own use; the platform only keeps it. Names have at most 40 characters"""
    rate_limit: NotRequired[int | None]
    """Maximum number of attempts per second; further attempts wait"""
    payload: NotRequired[Literal["thin", "full"]]
    """thin (the default): what happened to which parcel; full: each attempt adds what the query returns at that moment, as `data.weighing`, `data.tracking` or `data.forecast`"""


class EndpointDeletion(TypedDict):
    """Endpoint deletion"""

    endpoint_id: str
    deleted: Literal[True]


class EndpointDisabledWebhook(TypedDict):
    """Endpoint disabled webhook"""

    type: Literal["endpoint.disabled"]
    timestamp: str
    """When the endpoint was disabled"""
    data: EndpointDisabledWebhookData


class EndpointFigures(TypedDict):
    """Endpoint figures"""

    days: Sequence[EndpointFiguresOfDay]
    total: EndpointFiguresTotal
    warnings: NotRequired[Sequence[Warning]]
    """Parameters of the query that are not known and were ignored, at most 20; absent when there are none"""


class EndpointFiguresOfDay(TypedDict):
    """Endpoint figures of day"""

    date: str
    """Day, UTC"""
    attempts: int
    """Attempts to deliver an event; tests are not counted"""
    succeeded: int
    """Those with a response of 200 to 299 in time"""
    failed: int
    """All others"""
    duration_ms_median: int | None
    """Half of the attempts took no longer, milliseconds, up to 19 % too high; null without attempts"""
    duration_ms_p95: int | None
    """95 of 100 attempts took no longer, just as exact; null without attempts"""


class EndpointFiguresQuery(TypedDict):
    """Endpoint figures query"""

    from_date: NotRequired[str]
    """First day, UTC; default: 30 days before `to_date`"""
    to_date: NotRequired[str]
    """Last day, UTC, at most 91 days after `from_date`; default: today"""


class EndpointFiguresTotal(TypedDict):
    """Endpoint figures total"""

    attempts: int
    """Attempts to deliver an event; tests are not counted"""
    succeeded: int
    """Those with a response of 200 to 299 in time"""
    failed: int
    """All others"""
    duration_ms_median: int | None
    """Half of the attempts took no longer, milliseconds, up to 19 % too high; null without attempts"""
    duration_ms_p95: int | None
    """95 of 100 attempts took no longer, just as exact; null without attempts"""


class EndpointFilter(TypedDict):
    """Only events whose `data` matches every condition. A condition on a field that an event type does not have is ignored for events of this type. One of the listed values must match; a single value may be sent without a list. `{}` matches all events."""

    po_number: NotRequired[str | Sequence[str]]
    forecast_no: NotRequired[str | Sequence[str]]
    status: NotRequired[int | Sequence[int]]
    previous_admin_status: NotRequired[Literal[""] | AdminStatus | Sequence[Literal[""] | AdminStatus]]
    """Status sent before; empty when there was none"""
    admin_status: NotRequired[AdminStatus | Sequence[AdminStatus]]
    """Status that the event reports"""
    is_terminal: NotRequired[bool]
    warehouse_code: NotRequired[str | Sequence[str]]
    carrier_code: NotRequired[str | Sequence[str]]
    image_type: NotRequired[Literal["product", "package", "shipping", "document", "other"] | Sequence[Literal["product", "package", "shipping", "document", "other"]]]
    """What the image shows"""
    reason: NotRequired[str | Sequence[str]]


class EndpointHealth(TypedDict):
    """Endpoint health"""

    state: Literal["ok", "failing"]
    """failing: nothing has succeeded since failing_since"""
    failing_since: str | None
    """When the first attempt failed after which none has succeeded"""
    slowdown_end_time: str | None
    """While the endpoint is slowed down because it failed 20 times in a row, or asked for less (429, 502, 504, `Retry-After`): nothing is sent to it before"""
    disable_time: str | None
    """When it will be disabled if nothing succeeds until then"""


class EndpointTestWebhook(TypedDict):
    """Endpoint test webhook"""

    type: Literal["endpoint.test"]
    timestamp: str
    """When the test was requested"""
    data: EndpointTestWebhookData


class EventFeed(TypedDict):
    """Event feed"""

    events: Sequence[WebhookEvent]
    next_cursor: str
    """Never null: use it in the next request to read later events"""
    has_more: bool
    """True when the next page has events already"""
    warnings: NotRequired[Sequence[Warning]]
    """Parameters of the query that are not known and were ignored, at most 20; absent when there are none"""


class EventFeedQuery(TypedDict):
    """Event feed query"""

    after: NotRequired[str]
    """`next_cursor` of the previous page"""
    since: NotRequired[str]
    """Instead of `after`: events received at or after this instant; default: the oldest event that is kept"""
    event_types: NotRequired[str]
    """Only these, separated by commas, out of parcel.weighed, tracking.changed, forecast.accepted, forecast.corrected, forecast.cancelled, parcel.arrived, parcel.photographed, parcel.put_away, parcel.dispatched, parcel.completed, parcel.exception, endpoint.disabled; default: parcel.weighed, tracking.changed and endpoint.disabled"""
    po_number: NotRequired[str]
    """Only events of this parcel; those that belong to no parcel are left out"""
    limit: NotRequired[int]
    """Page size, 1 to 100; default 100"""


class EventOutcome(TypedDict):
    """Event outcome"""

    event_id: str
    type: Literal["arrival", "weighing", "photo", "processing", "put_away", "dispatch", "exception", "hold", "release"] | None
    """What was reported; null of a rejected report that does not say"""
    state: Literal["applied", "waiting", "rejected", "dismissed"]
    """applied: to a forecast; waiting: for one; rejected: the report was refused; dismissed: the warehouse or the operator dismissed it"""
    forecast_no: str | None
    """The forecast that it was applied to; null otherwise, and where it is not known any more"""
    waiting_for: Literal["no_forecast", "ambiguous", "takes_no_dispatch"] | None
    """no_forecast: none is known at this warehouse; ambiguous: several declare the number; takes_no_dispatch: a dispatch of a type 1 forecast"""
    candidates: Sequence[str]
    """Numbers of the forecasts of this warehouse that it may be for, when it is ambiguous; at most 50"""
    code: str | None
    """Of a rejected report"""
    errors: Sequence[FieldError]
    """Faults of a rejected report; at most 20"""
    occurred_at: str | None
    """As reported; null of a rejected report that does not say"""
    received_at: str
    """When the platform received it"""
    resolved_by: str | None
    """Id of the key that claimed or dismissed it; `admin` for the operator"""
    resolved_at: str | None
    """When it was claimed or dismissed"""
    reason: str | None
    """Of a dismissal"""
    warnings: NotRequired[Sequence[Warning]]
    """Parameters of the query that are not known and were ignored, at most 20; absent when there are none"""


class ExceptionEvent(TypedDict):
    """Exception event"""

    event_id: str
    """The warehouse's id of the event; sent again, it has no second effect"""
    occurred_at: str
    """When it happened"""
    warehouse_code: str
    """The reporting warehouse; the one of the key; begins and ends with a visible character"""
    forecast_no: NotRequired[str]
    """Forecast number; this or express_no"""
    express_no: NotRequired[str]
    """Number scanned from the parcel; this or forecast_no"""
    type: Literal["exception"]
    reason: Literal["damaged", "wrong_content", "missing_items", "unreadable_label", "prohibited", "other"]
    """What is wrong"""
    text: NotRequired[str]
    """In your own words, for the merchant"""
    photo_ids: NotRequired[Sequence[str]]
    """Photos that show it"""


class FailedCall(TypedDict):
    """Failed call"""

    request_id: str
    """`X-Request-Id` of the response"""
    time: str
    """When the request came"""
    method: str
    route: str | None
    """Route of the reference, such as `/open/v1/forecasts/{po_number}`; null: there is no such route"""
    path: str
    """Path without the query, at most 500 characters"""
    status: int
    """HTTP status; 499: you closed the connection before the response"""
    code: str | None
    """`code` of the response; null: there was none"""
    message: str | None
    """`message` of the response"""
    data: Mapping[str, object] | None
    """`data` of the response, such as the fields with errors; null when there was none or it is larger than 4 kB"""
    key_id: str
    """The key that made the call"""
    duration_ms: int


class FailedCallList(TypedDict):
    """Failed call list"""

    requests: Sequence[FailedCall]
    next_cursor: str | None
    """null on the last page"""
    warnings: NotRequired[Sequence[Warning]]
    """Parameters of the query that are not known and were ignored, at most 20; absent when there are none"""


class FailedCallsQuery(TypedDict):
    """Failed calls query"""

    limit: NotRequired[int]
    """Page size, 1 to 100; default 20"""
    cursor: NotRequired[str]
    """`next_cursor` of the previous page"""
    request_id: NotRequired[str]
    """Only calls with this `X-Request-Id`; begins and ends with a visible character"""
    key_id: NotRequired[str]
    """Only calls with this key; begins and ends with a visible character"""
    code: NotRequired[Literal["40001", "40002", "40003", "40101", "40301", "40302", "40401", "40402", "40403", "40501", "40901", "40902", "41201", "41301", "41501", "42201", "42202", "42203", "42204", "42205", "42206", "42207", "42901", "50000", "50001", "50301"]]
    """Only calls with this `code`"""
    created_from: NotRequired[str]
    """Only calls at or after this instant"""
    created_to: NotRequired[str]
    """Only calls before this instant"""


class FailedRowsQuery(TypedDict):
    """Failed rows query"""

    format: NotRequired[Literal["csv", "xlsx"]]
    """Format of the file; default that of the file that was imported"""


class FieldError(TypedDict):
    """Field error"""

    field: str
    """JSON path of the field, such as items[3].sku_code; in an import the title of its column"""
    rule: str
    message: str


class FileBarcode(TypedDict):
    """Barcode of an uploaded file"""

    page: int
    """Page with the barcode, from 1"""
    format: str
    """Symbology: Code128, Code39, Code93, Codabar, ITF, EAN13, EAN8, UPCA, UPCE, QRCode, DataMatrix, PDF417, Aztec, MaxiCode; there may be others"""
    text: str
    """Its content, at most 300 characters; a control character, such as FNC1 of GS1, becomes a blank"""


class FileDeletion(TypedDict):
    """File deletion"""

    attachment_id: int
    deleted: Literal[True]


class FileList(TypedDict):
    """File list"""

    files: Sequence[OwnFile]
    next_cursor: str | None
    """null on the last page"""
    warnings: NotRequired[Sequence[Warning]]
    """Parameters of the query that are not known and were ignored, at most 20; absent when there are none"""


class FileListQuery(TypedDict):
    """File list query"""

    used: NotRequired[str]
    """true: only files that a forecast names; false: only the others"""
    created_from: NotRequired[str]
    """Uploaded at or after this instant"""
    created_to: NotRequired[str]
    """Uploaded before this instant"""
    limit: NotRequired[int]
    """Page size, 1 to 100; default 20"""
    cursor: NotRequired[str]
    """`next_cursor` of the previous page"""


class FileQuery(TypedDict):
    """File query"""

    copies: NotRequired[Literal["quantity"]]
    """For a product label: repeats the page of each item as often as its quantity, up to 10,000 pages; more pages fail with 42201. Ignored for any other file"""


class FileUrl(TypedDict):
    """File url"""

    attachment_id: int
    url: str
    """Opens without a key; use it as shipping_label or shipping_note"""
    expire_time: str | None
    """When it ends; null when it never does"""


class FileUrlRequest(TypedDict):
    """File url request"""

    expires_in: NotRequired[int]
    """Seconds for which the URL opens the file, an hour to a year. Without it the URL never expires"""


class FileUse(TypedDict):
    """File use"""

    po_number: str | None
    """null for a forecast that was accepted before uses were recorded in this detail"""
    forecast_no: str
    fields: Sequence[str]
    """Fields that name the file: shipping_label, shipping_note; empty where `po_number` is null"""


class ForecastAcceptance(TypedDict):
    """Forecast acceptance result"""

    forecast_no: str
    """Forecast number given by the platform"""
    po_number: str
    item_count: int
    """Number of items accepted"""
    status: Literal["ACCEPTED"]
    create_time: str
    """When the forecast was accepted"""
    warnings: Sequence[Warning]
    """At most 100 of the body and 20 of the query; empty when there is nothing to say"""


class ForecastAcceptedWebhook(TypedDict):
    """Forecast accepted webhook"""

    type: Literal["forecast.accepted"]
    timestamp: str
    """When the event happened"""
    data: ForecastAcceptedWebhookData


class ForecastBatch(TypedDict):
    """Batch of forecasts"""

    forecasts: Sequence[ForecastSubmission]
    """Forecasts. Each has the same fields as a single submission"""


class ForecastBatchData(TypedDict):
    """Forecast batch data"""

    forecast_no: NotRequired[str]
    """Accepted: number given by the platform. 40901: forecast that has the po_number"""
    po_number: NotRequired[str]
    """Accepted: as submitted"""
    item_count: NotRequired[int]
    """Accepted: number of items"""
    status: NotRequired[Literal["ACCEPTED"]]
    """Accepted"""
    create_time: NotRequired[str]
    """Accepted: when"""
    replayed: NotRequired[bool]
    """Accepted: true when this content had been accepted before"""
    valid: NotRequired[bool]
    """With validate_only: as in the response of `POST /open/v1/forecasts/validate`"""
    existing_forecast_no: NotRequired[str | None]
    """With validate_only: as in the response of `POST /open/v1/forecasts/validate`"""
    warnings: NotRequired[Sequence[Warning]]
    """Accepted, or with validate_only: at most 100"""
    errors: NotRequired[Sequence[ForecastBatchError]]
    """42201, 42203, or with validate_only: every violated rule, at most 100"""
    fields: NotRequired[Sequence[str]]
    """40901, 42202: JSON paths of the fields, at most 100"""
    tracking_numbers: NotRequired[Sequence[str]]
    """42202: numbers in use, normalised"""


class ForecastBatchError(TypedDict):
    """Forecast batch error"""

    code: NotRequired[str]
    """With validate_only: code with which a submission fails"""
    field: str
    """JSON path in the forecast, such as items[3].sku_code"""
    rule: str
    """Short name of the rule, such as required or max_length"""
    message: str
    """What is wrong and what is allowed"""


class ForecastBatchResult(TypedDict):
    """Forecast batch result"""

    index: int
    """Place of the forecast in the request"""
    code: str
    """As of a submission of its own: "0" on success. 50000 and 50301 are worth a repeat of the same request"""
    message: str
    data: ForecastBatchData | None


class ForecastBatchResults(TypedDict):
    """Forecast batch results"""

    results: Sequence[ForecastBatchResult]
    """One for each forecast, in the order of the request"""
    accepted: int
    """Results with code "0\""""
    failed: int
    """The others"""
    warnings: Sequence[Warning]
    """Fields of the body and parameters of the query that are not known and were ignored, at most 20 of each"""


class ForecastCancellation(TypedDict):
    """Forecast cancellation"""

    forecast_no: str
    po_number: str
    status: Literal["CANCELLED"]
    cancel_time: str
    """When it was cancelled"""


class ForecastCancelledWebhook(TypedDict):
    """Forecast cancelled webhook"""

    type: Literal["forecast.cancelled"]
    timestamp: str
    """When the event happened"""
    data: ForecastCancelledWebhookData


ForecastChange = TypedDict(
    "ForecastChange",
    {
        "field": "str",
        "from": "str | None",
        "to": "str | None",
    },
)
"""Forecast change"""


class ForecastCorrectedWebhook(TypedDict):
    """Forecast corrected webhook"""

    type: Literal["forecast.corrected"]
    timestamp: str
    """When the event happened"""
    data: ForecastCorrectedWebhookData


class ForecastCorrection(TypedDict):
    """Forecast correction"""

    warehouse_code: NotRequired[str]
    """Destination warehouse; see the list of warehouses; begins and ends with a visible character"""
    due_date: NotRequired[str | None]
    """Expected arrival, YYYY-MM-DD, in the years 2000 to 2100"""
    shipping_label: NotRequired[str]
    """URL of the shipping label from the upload endpoint"""
    shipping_note: NotRequired[str]
    """URL of the packing list from the upload endpoint"""
    carton_count: NotRequired[int | None]
    """Number of cartons"""
    items: NotRequired[Sequence[ForecastItem]]
    """Line items"""


class ForecastCorrectionEntry(TypedDict):
    """Forecast correction entry"""

    version: int
    """Version of the forecast that it made"""
    time: str
    """When the platform recorded it"""
    key_id: str | None
    """Id of the API key that made it; null when the parcel arrived at another warehouse than the forecast then named"""
    changes: Sequence[ForecastChange]
    """At most 100"""
    has_more_changes: bool
    """True when it changed more than `changes` lists"""


class ForecastCount(TypedDict):
    """Forecast count"""

    status_name: Literal["ACCEPTED", "ARRIVED", "WEIGHED", "PROCESSING", "SHIPPED", "COMPLETED", "CANCELLED"]
    """Status"""
    count: int
    """Up to 10000"""
    has_more: bool
    """There are more than counted"""


class ForecastCounts(TypedDict):
    """Forecast counts"""

    statuses: Sequence[ForecastCount]
    """Every status, in the order of the statuses"""
    warnings: NotRequired[Sequence[Warning]]
    """Parameters of the query that are not known and were ignored, at most 20; absent when there are none"""


class ForecastDetail(TypedDict):
    """Forecast detail"""

    forecast_no: str
    po_number: str
    forecast_type: int
    warehouse_code: str
    due_date: str | None
    item_count: int
    version: int
    """Begins at 1 and rises with each correction"""
    status: int
    """Status as an integer: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED"""
    status_name: Literal["ACCEPTED", "ARRIVED", "WEIGHED", "PROCESSING", "SHIPPED", "COMPLETED", "CANCELLED"]
    """Status as a string"""
    has_exception: bool
    """The warehouse found something wrong with the parcel, such as damage"""
    on_hold: bool
    """True while a hold is not released. The status does not change with it"""
    create_time: str
    """When it was accepted"""
    update_time: str
    """When it last changed"""
    shipping_label: str | None
    shipping_note: str | None
    marketplace_label: str
    """URL of the product label (PDF), which the platform generates when it is first opened"""
    marketplace_label_version: int
    """Version of the forecast that label and packing slip show: the current one"""
    packing_slip: str
    """URL of the packing slip (PDF), which the platform generates when it is first opened"""
    carton_count: int | None
    """Number of cartons, as submitted"""
    items: Sequence[ForecastItem]
    carrier_code: str | None
    """Set once the parcel is dispatched"""
    tracking_number: str | None
    """Number under which the parcel was dispatched"""
    history: Sequence[StatusChange]
    """Oldest first"""
    measurements: Sequence[ForecastDetailMeasurement]
    """Newest first"""
    holds: Sequence[ForecastDetailHold]
    """Latest first"""
    exceptions: Sequence[ForecastDetailException]
    """Latest first"""
    received_items: Sequence[ForecastDetailReceivedItem]
    """Latest count of the warehouse against the forecast; empty until there is one"""
    declared: ForecastDetailDeclared
    measured: ForecastDetailMeasured
    difference: ForecastDetailDifference
    volumetric_weight_kg: float | None
    """Measured volume divided by `volume_divisor`; null until it is weighed"""
    chargeable_weight_kg: float | None
    """The greater of measured and volumetric weight; null until it is weighed"""
    volume_divisor: int
    """cm³ that count as 1 kg; set by the operator"""
    corrections: Sequence[ForecastCorrectionEntry]
    """Oldest first; the latest 100 at most"""


class ForecastExportQuery(TypedDict):
    """Forecast export query"""

    status: NotRequired[Literal[1, 2, 3, 4, 5, 6, 7, "ACCEPTED", "ARRIVED", "WEIGHED", "PROCESSING", "SHIPPED", "COMPLETED", "CANCELLED"]]
    """Only this status, as an integer or by its name: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED"""
    po_number: NotRequired[str]
    """po_number of the forecast, exactly as submitted"""
    q: NotRequired[str]
    """Beginning of the po_number; case-sensitive"""
    tracking_number: NotRequired[str]
    """Logistics number of an item, or number under which a parcel was dispatched; compared without spaces, hyphens and case"""
    sku_code: NotRequired[str]
    """SKU of an item, exactly; begins and ends with a visible character"""
    forecast_no: NotRequired[str]
    """Number that the platform gave, exactly"""
    warehouse_code: NotRequired[str]
    """Warehouse that the forecast names; begins and ends with a visible character"""
    has_exception: NotRequired[str]
    """true: only parcels that the warehouse found something wrong with; false: only the others"""
    on_hold: NotRequired[str]
    """true: only parcels that the warehouse holds; false: only the others"""
    created_from: NotRequired[str]
    """Accepted at or after this instant"""
    created_to: NotRequired[str]
    """Accepted before this instant"""
    updated_from: NotRequired[str]
    """Last changed at or after this instant"""
    updated_to: NotRequired[str]
    """Last changed before this instant"""


class ForecastImage(TypedDict):
    """Forecast image"""

    id: int
    """Photo record of the platform"""
    forecast_id: int
    """The platform's integer id of the forecast"""
    image_type: Literal["product", "package", "shipping", "document", "other"]
    """What the image shows"""
    image_url: str
    """Opens without a key; cannot be guessed"""
    image_order: int
    """Sort order"""
    upload_source: Literal["warehouse", "admin", "system", "tenant"]
    """Who uploaded it"""


class ForecastImageAddition(TypedDict):
    """Forecast image addition"""

    image_id: str
    """`image_id` of an upload"""
    image_type: Literal["product", "package", "shipping", "document", "other"]
    """What the image shows"""
    image_order: NotRequired[ImageOrder]
    """Sort order"""


class ForecastImageRemoval(TypedDict):
    """Forecast image removal"""

    po_number: str
    id: int
    """`id` of the image"""
    removed: Literal[True]


class ForecastImport(TypedDict):
    """Import of forecasts"""

    import_id: str
    """Id of the import"""
    state: Literal["running", "done", "failed", "cancelled"]
    """running: not finished; done: every row has a result; failed: the file cannot be read; cancelled: stopped"""
    phase: Literal["waiting", "reading", "submitting", "finished"]
    """waiting: behind other imports; reading: the file is read; submitting: its forecasts are submitted; finished: the state is not running"""
    file_name: str
    validate_only: bool
    """true when forecasts are checked and not submitted"""
    total: int
    """Rows that were read, without header and empty rows; final once the phase is submitting"""
    accepted: int
    """Rows whose forecast was accepted, or would be"""
    failed: int
    """Rows whose forecast failed"""
    forecasts_accepted: int
    """Forecasts that were accepted, or would be"""
    forecasts_failed: int
    """Forecasts that failed"""
    columns: Sequence[ImportColumn]
    """Titles that were found, in their order; empty until the file is read"""
    warnings: Sequence[Warning]
    """What is unusual about the file, and ignored parameters; `field` is a column, or `file`"""
    error: ImportError | None
    create_time: str
    """When the file was uploaded"""
    finish_time: str | None
    """When it finished; null while it runs"""


class ForecastImportList(TypedDict):
    """Forecast import list"""

    imports: Sequence[ForecastImport]
    next_cursor: str | None
    """null on the last page"""
    warnings: NotRequired[Sequence[Warning]]
    """Parameters of the query that are not known and were ignored, at most 20; absent when there are none"""


class ForecastImportListQuery(TypedDict):
    """Forecast import list query"""

    cursor: NotRequired[str]
    """`next_cursor` of the previous page"""
    limit: NotRequired[int]
    """Page size, 1 to 100; default 50"""


class ForecastImportPreview(TypedDict):
    """Forecast import preview"""

    columns: Sequence[ImportPreviewColumn]
    """Titles that were found, the suggested mapping, and samples"""
    missing: Sequence[str]
    """Required fields that no column fills; an import without them fails"""
    rows: Sequence[ImportPreviewRow]
    """The first rows, at most 10: only these are checked"""
    row_count: int
    """Rows of the file, without header and empty rows; 1000 when there are more"""
    has_more_rows: bool
    """true when the file has more rows than row_count says"""
    warnings: Sequence[Warning]
    """What is unusual about the file, and ignored parameters"""


class ForecastItem(TypedDict):
    """Forecast item"""

    sku_code: str
    """Stock keeping unit; begins and ends with a visible character"""
    barcode: NotRequired[str]
    """Barcode of the product; begins and ends with a visible character"""
    product_name_en: str
    """Product name in English; has a visible character"""
    product_name_cn: NotRequired[str]
    """Product name in Chinese"""
    product_image: NotRequired[str]
    """Image URL of the product"""
    forecast_quantity: int
    """Number of pieces"""
    forecast_price: NotRequired[float]
    """Declared unit price, at most 4 decimals"""
    hs_code: NotRequired[str]
    """Harmonised System code, 6 to 13 digits"""
    tracking_number: NotRequired[str]
    """Logistics number. Compared in upper case without spaces, hyphens and invisible characters; unique among live type 2 forecasts"""
    declared_weight_kg: NotRequired[float]
    """Weight of one piece in kg, as the merchant declares it"""
    declared_length_cm: NotRequired[float]
    """Length of one piece in cm, as the merchant declares it"""
    declared_width_cm: NotRequired[float]
    """Width of one piece in cm, as the merchant declares it"""
    declared_height_cm: NotRequired[float]
    """Height of one piece in cm, as the merchant declares it"""


class ForecastList(TypedDict):
    """Forecast list"""

    forecasts: Sequence[ForecastSummary]
    next_cursor: str | None
    """null on the last page. Nothing else ends the list: with several filters a page may have fewer forecasts than `limit`, or none, and others follow"""
    warnings: NotRequired[Sequence[Warning]]
    """Parameters of the query that are not known and were ignored, at most 20; absent when there are none"""


class ForecastListQuery(TypedDict):
    """Forecast list query"""

    status: NotRequired[Literal[1, 2, 3, 4, 5, 6, 7, "ACCEPTED", "ARRIVED", "WEIGHED", "PROCESSING", "SHIPPED", "COMPLETED", "CANCELLED"]]
    """Only this status, as an integer or by its name: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED"""
    po_number: NotRequired[str]
    """po_number of the forecast, exactly as submitted"""
    q: NotRequired[str]
    """Beginning of the po_number; case-sensitive"""
    tracking_number: NotRequired[str]
    """Logistics number of an item, or number under which a parcel was dispatched; compared without spaces, hyphens and case"""
    sku_code: NotRequired[str]
    """SKU of an item, exactly; begins and ends with a visible character"""
    forecast_no: NotRequired[str]
    """Number that the platform gave, exactly"""
    warehouse_code: NotRequired[str]
    """Warehouse that the forecast names; begins and ends with a visible character"""
    has_exception: NotRequired[str]
    """true: only parcels that the warehouse found something wrong with; false: only the others"""
    on_hold: NotRequired[str]
    """true: only parcels that the warehouse holds; false: only the others"""
    created_from: NotRequired[str]
    """Accepted at or after this instant"""
    created_to: NotRequired[str]
    """Accepted before this instant"""
    updated_from: NotRequired[str]
    """Last changed at or after this instant"""
    updated_to: NotRequired[str]
    """Last changed before this instant"""
    limit: NotRequired[int]
    """Page size, 1 to 100; default 20"""
    cursor: NotRequired[str]
    """`next_cursor` of the previous page, with the same filters"""


class ForecastQueryResult(TypedDict):
    """Forecast query result"""

    index: int
    """Place of the po_number in the request"""
    code: str
    """"0", or 40401 when no forecast of the tenant has the po_number"""
    message: str
    data: QueriedForecast | None


class ForecastQueryResults(TypedDict):
    """Forecast query results"""

    results: Sequence[ForecastQueryResult]
    """One for each po_number, in the order of the request"""
    warnings: Sequence[Warning]
    """Fields of the body and parameters of the query that are not known and were ignored, at most 20 of each"""


class ForecastSubmission(TypedDict):
    """Forecast submission"""

    po_number: str
    """Business key of the forecast; case-sensitive and exact; begins and ends with a visible character"""
    forecast_type: NotRequired[Literal[1, 2]]
    """1 = stock replenishment, 2 = direct-mail labelling"""
    warehouse_code: str
    """Destination warehouse; see the list of warehouses; begins and ends with a visible character"""
    due_date: NotRequired[str]
    """Expected arrival, YYYY-MM-DD, in the years 2000 to 2100"""
    shipping_label: NotRequired[str]
    """URL of the shipping label from the upload endpoint. Required for type 2"""
    shipping_note: NotRequired[str]
    """URL of the packing list from the upload endpoint. Required for type 2"""
    carton_count: NotRequired[int]
    """Number of cartons"""
    items: Sequence[ForecastItem]
    """Line items"""


class ForecastSummary(TypedDict):
    """Forecast summary"""

    forecast_no: str
    po_number: str
    forecast_type: int
    warehouse_code: str
    due_date: str | None
    item_count: int
    version: int
    """Begins at 1 and rises with each correction"""
    status: int
    """Status as an integer: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED"""
    status_name: Literal["ACCEPTED", "ARRIVED", "WEIGHED", "PROCESSING", "SHIPPED", "COMPLETED", "CANCELLED"]
    """Status as a string"""
    has_exception: bool
    """The warehouse found something wrong with the parcel, such as damage"""
    on_hold: bool
    """True while a hold is not released. The status does not change with it"""
    create_time: str
    """When it was accepted"""
    update_time: str
    """When it last changed"""


class ForecastValidation(TypedDict):
    """Forecast validation"""

    valid: bool
    """true when a submission would be accepted now, or is a repeat of an accepted one"""
    existing_forecast_no: str | None
    """Forecast that already has this content; a submission returns it. null when no forecast has it"""
    errors: Sequence[SubmissionError]
    """At most 100; empty when valid. Whether numbers are in use is checked once the fields are valid"""
    warnings: Sequence[Warning]
    """At most 100 of the body and 20 of the query; those that a submission would return, except of numbers whose scan went elsewhere"""


class ForecastsQuery(TypedDict):
    """Query of many forecasts"""

    po_numbers: Sequence[str]
    """Forecasts to read"""
    include: NotRequired[Sequence[Literal["weighing", "tracking"]]]
    """`weighing` needs the scope weighing:read, `tracking` the scope tracking:read"""


class HoldEvent(TypedDict):
    """Hold event"""

    event_id: str
    """The warehouse's id of the event; sent again, it has no second effect"""
    occurred_at: str
    """When it happened"""
    warehouse_code: str
    """The reporting warehouse; the one of the key; begins and ends with a visible character"""
    forecast_no: NotRequired[str]
    """Forecast number; this or express_no"""
    express_no: NotRequired[str]
    """Number scanned from the parcel; this or forecast_no"""
    type: Literal["hold"]
    reason: NotRequired[str]
    """In your own words, for the merchant"""


class ImportColumn(TypedDict):
    """Import column"""

    title: str
    """As the first row of the file has it"""
    field: str | None
    """The field of a forecast or item that it fills; null when the column is ignored"""


class ImportError(TypedDict):
    """Import error"""

    code: str
    message: str


class ImportPreviewColumn(TypedDict):
    """Import preview column"""

    title: str
    """As the first row of the file has it"""
    field: str | None
    """The field of a forecast or item that it fills; null when the column is ignored"""
    sample: str | None
    """Cell of the first row in this column, ignored or not, cut to 100 characters; null when it is empty"""


class ImportPreviewError(TypedDict):
    """Import preview error"""

    field: str
    """JSON path of the field, such as items[3].sku_code; in an import the title of its column"""
    rule: str
    message: str
    code: NotRequired[str]
    """Code with which a submission fails, such as 42201"""


class ImportPreviewRow(TypedDict):
    """Import preview row"""

    row: int
    """Number of the row as a spreadsheet program shows it: the header is usually row 1"""
    po_number: str | None
    values: Mapping[str, str | float]
    """Field → value as it would be submitted"""
    errors: Sequence[ImportPreviewError]
    """`field` is the title of the column, or the name of the field when no column fills it; at most 20"""


class ImportRow(TypedDict):
    """Import row"""

    row: int
    """Number of the row as a spreadsheet program shows it: the header is usually row 1"""
    po_number: str | None
    state: Literal["pending", "accepted", "failed"]
    """pending: not submitted yet; accepted: its forecast was accepted, or would be; failed: its forecast failed"""
    forecast_no: str | None
    """Number of the accepted forecast; null with validate_only"""
    errors: Sequence[FieldError]
    """`field` is the title of the column, or the name of the field when no column fills it; at most 20"""
    warnings: Sequence[Warning]
    """As for a submission, with `field` as in errors; at most 20"""


class ImportRowList(TypedDict):
    """Import row list"""

    rows: Sequence[ImportRow]
    next_cursor: str | None
    """null on the last page"""
    warnings: NotRequired[Sequence[Warning]]
    """Parameters of the query that are not known and were ignored, at most 20; absent when there are none"""


class ImportRowListQuery(TypedDict):
    """Import row list query"""

    state: NotRequired[Literal["accepted", "failed"]]
    """Only rows with this result"""
    cursor: NotRequired[str]
    """`next_cursor` of the previous page"""
    limit: NotRequired[int]
    """Page size, 1 to 100; default 50"""


class IntakeResult(TypedDict):
    """Intake result"""

    accepted: int
    """Events stored now"""
    duplicates: int
    """Events that had been stored before"""
    waiting: int
    """Events of the call, stored now or before, that wait for their forecast"""
    rejected: Sequence[RejectedEvent]
    warnings: Sequence[IntakeWarning]
    """At most 100, and 20 of the query; empty when there is nothing to say"""


class IntakeWarning(TypedDict):
    """Intake warning"""

    index: NotRequired[int]
    """Position in the call, from 0"""
    event_id: NotRequired[str | None]
    """As sent; null when it cannot be read"""
    field: str
    """JSON path of the field in the event, or name of the parameter of the query"""
    rule: NotRequired[Literal["ambiguous", "event_id_reused", "takes_no_dispatch", "on_hold", "implausible", "unknown_field", "no_forecast"]]
    """ambiguous: several forecasts declare the number; event_id_reused: the first event of this id stays; takes_no_dispatch: the forecast is of type 1; on_hold: a parcel that the warehouse held back was dispatched; implausible: check the number and its unit; unknown_field: ignored; no_forecast: none is known yet"""
    message: str


class KeyChange(TypedDict):
    """Key change"""

    description: NotRequired[str]
    """What the key is for; has a visible character"""
    scopes: NotRequired[Sequence[Literal["forecasts:write", "files:write", "weighing:read", "tracking:read", "webhooks:manage", "connections:manage", "keys:manage"]]]
    """Replaces the current scopes. Only scopes that both this key and the calling key have: scopes never grow"""
    expires_at: NotRequired[str | None]
    """When the key expires; null: never; in the future, at most ten years ahead"""
    allowed_addresses: NotRequired[Sequence[str]]
    """IPv4 and IPv6 addresses, and networks in CIDR notation, that may use the key. Empty: all. The key is refused elsewhere with 40301"""


class KeyChanged(TypedDict):
    """Key changed"""

    key_id: str
    prefix: str
    """First characters of the key, to recognise it"""
    description: str
    scopes: Sequence[str]
    """What the key may do"""
    allowed_addresses: Sequence[str]
    """Addresses and networks that may use the key; empty: all"""
    state: Literal["active", "revoked", "expired"]
    """active: the key works; revoked and expired keys never work again"""
    create_time: str
    """When it was created"""
    expires_at: str | None
    """When it expires; null: never"""
    revoked_at: str | None
    """When it was revoked; null: it is not"""
    last_used_at: str | None
    """Minute of its last use; null: never used"""
    created_by: str | None
    """`key_id` of the key that created it; null: the operator issued it"""
    rotated_from: str | None
    """`key_id` of the key that it replaces"""
    rotated_to: str | None
    """`key_id` of the key that replaces it"""
    warnings: Sequence[Warning]
    """Fields of the body and parameters of the query that are not known and were ignored, at most 20 of each"""


class KeyCreated(TypedDict):
    """Key created"""

    key_id: str
    prefix: str
    """First characters of the key, to recognise it"""
    description: str
    scopes: Sequence[str]
    """What the key may do"""
    allowed_addresses: Sequence[str]
    """Addresses and networks that may use the key; empty: all"""
    state: Literal["active", "revoked", "expired"]
    """active: the key works; revoked and expired keys never work again"""
    create_time: str
    """When it was created"""
    expires_at: str | None
    """When it expires; null: never"""
    revoked_at: str | None
    """When it was revoked; null: it is not"""
    last_used_at: str | None
    """Minute of its last use; null: never used"""
    created_by: str | None
    """`key_id` of the key that created it; null: the operator issued it"""
    rotated_from: str | None
    """`key_id` of the key that it replaces"""
    rotated_to: str | None
    """`key_id` of the key that replaces it"""
    key: str
    """The key; only in this response"""
    warnings: Sequence[Warning]
    """Fields of the body and parameters of the query that are not known and were ignored, at most 20 of each"""


class KeyCreation(TypedDict):
    """Key creation"""

    description: str
    """What the key is for; has a visible character"""
    scopes: NotRequired[Sequence[Literal["forecasts:write", "files:write", "weighing:read", "tracking:read", "webhooks:manage", "connections:manage", "keys:manage"]]]
    """What the key may do: only scopes of the calling key. Default: the scopes of the calling key without `keys:manage`"""
    expires_in_seconds: NotRequired[int]
    """Life of the key. Give this or `expires_at`. Default: it never expires"""
    expires_at: NotRequired[str]
    """When the key expires. Give this or `expires_in_seconds`; in the future, at most ten years ahead"""
    allowed_addresses: NotRequired[Sequence[str]]
    """IPv4 and IPv6 addresses, and networks in CIDR notation, that may use the key. Empty: all. The key is refused elsewhere with 40301"""


class KeyRotated(TypedDict):
    """Key rotated"""

    key_id: str
    prefix: str
    """First characters of the key, to recognise it"""
    description: str
    scopes: Sequence[str]
    """What the key may do"""
    allowed_addresses: Sequence[str]
    """Addresses and networks that may use the key; empty: all"""
    state: Literal["active", "revoked", "expired"]
    """active: the key works; revoked and expired keys never work again"""
    create_time: str
    """When it was created"""
    expires_at: str | None
    """When it expires; null: never"""
    revoked_at: str | None
    """When it was revoked; null: it is not"""
    last_used_at: str | None
    """Minute of its last use; null: never used"""
    created_by: str | None
    """`key_id` of the key that created it; null: the operator issued it"""
    rotated_from: str | None
    """`key_id` of the key that it replaces"""
    rotated_to: str | None
    """`key_id` of the key that replaces it"""
    key: str
    """The key; only in this response"""
    former_expires_at: str
    """When the former key, `rotated_from`, expires"""
    warnings: Sequence[Warning]
    """Fields of the body and parameters of the query that are not known and were ignored, at most 20 of each"""


class KeyRotation(TypedDict):
    """Key rotation"""

    overlap_seconds: NotRequired[int]
    """How long the former key still works. Default 86400, one day; 0: not at all, for example because it has leaked"""


class ListenQuery(TypedDict):
    """Listen query"""

    after: NotRequired[str]
    """`next_cursor` of the previous response; without it, only events from now on"""
    endpoint_id: NotRequired[str]
    """Listen as this endpoint: its event types, its filter, its secret"""
    event_types: NotRequired[str]
    """Only these, separated by commas; default: what the endpoint receives, without one what the feed shows by default"""
    wait: NotRequired[int]
    """Seconds to wait for an event, 1 to 25; default 20"""


class ListenResult(TypedDict):
    """Listen result"""

    secret: str | None
    """Signs the messages; the same for a tenant at every call. null only with `endpoint_id`: the secret of that endpoint signs, which its creation returned"""
    messages: Sequence[ListenResultMessage]
    """Oldest first; empty when nothing came"""
    next_cursor: str
    warnings: NotRequired[Sequence[Warning]]
    """Parameters of the query that are not known and were ignored, at most 20; absent when there are none"""


class LookupCandidate(TypedDict):
    """Lookup candidate"""

    forecast: WarehouseForecast
    matched_by: Literal["label", "forecast_no", "sscc", "claimed_number", "tracking_number", "po_number", "barcode", "sku_code"]
    """label: the QR code of a carton label; claimed_number: a number that the warehouse has claimed for the forecast; tracking_number: a logistics number that the forecast declares, or the carrier's number of the dispatch; barcode: an EAN-8, EAN-13, UPC-A or GTIN-14 of an item; the others: the field of this name"""
    reason: str
    """Why it is a candidate, in a sentence"""
    is_doubtful: NotRequired[bool]
    """true: nothing was scanned for it under this number, and its merchant declares many numbers that never come, or the parcel has left and the number is one of several. Compare the parcel before you name this forecast in an event"""


class OwnAccess(TypedDict):
    """Own access"""

    tenant: OwnTenant
    environment: Literal["sandbox", "production"]
    """Environment of the key"""
    key: TenantKey
    session: AccessSession | None
    """The session of the console that calls instead of the key; null for the key itself"""
    rate_limits: RateLimitsInForce
    """Limits of the key for each class of routes; null: no limit"""
    server_time: str
    """Clock of the platform"""


class OwnFile(TypedDict):
    """Uploaded file with its uses"""

    url: str
    """Opens without a key; use it as shipping_label or shipping_note"""
    attachment_id: int
    """Attachment record of the platform"""
    origin_name: str
    """File name as uploaded"""
    size_byte: int
    """Bytes"""
    size_info: str
    """For people, such as 1.50 MB"""
    create_time: str
    """When it was uploaded"""
    warnings: Sequence[Warning]
    """As at its upload"""
    barcodes: Sequence[FileBarcode]
    """Barcodes that were read on the first 4 pages, at most 10, each text once; empty when there is none that can be read in time"""
    used_by: Sequence[FileUse]
    """Forecasts that name the file now, the newest first, at most 20. Cancelled and deleted forecasts do not count. A new forecast is here within seconds"""
    used_by_count: int
    """How many they are, counted up to 1000"""


class OwnTenant(TypedDict):
    """Own tenant"""

    id: str
    name: str
    status: Literal["active", "suspended"]
    """State of the tenant"""


class ParcelArrivedWebhook(TypedDict):
    """Parcel arrived webhook"""

    type: Literal["parcel.arrived"]
    timestamp: str
    """When the event happened"""
    data: ParcelArrivedWebhookData


class ParcelCompletedWebhook(TypedDict):
    """Parcel completed webhook"""

    type: Literal["parcel.completed"]
    timestamp: str
    """When the event happened"""
    data: ParcelCompletedWebhookData


class ParcelDispatchedWebhook(TypedDict):
    """Parcel dispatched webhook"""

    type: Literal["parcel.dispatched"]
    timestamp: str
    """When the event happened"""
    data: ParcelDispatchedWebhookData


class ParcelExceptionWebhook(TypedDict):
    """Parcel exception webhook"""

    type: Literal["parcel.exception"]
    timestamp: str
    """When the event happened"""
    data: ParcelExceptionWebhookData


class ParcelPhotographedWebhook(TypedDict):
    """Parcel photographed webhook"""

    type: Literal["parcel.photographed"]
    timestamp: str
    """When the event happened"""
    data: ParcelPhotographedWebhookData


class ParcelPutAwayWebhook(TypedDict):
    """Parcel put away webhook"""

    type: Literal["parcel.put_away"]
    timestamp: str
    """When the event happened"""
    data: ParcelPutAwayWebhookData


class ParcelWeighedWebhook(TypedDict):
    """Parcel weighed webhook"""

    type: Literal["parcel.weighed"]
    timestamp: str
    """When the event happened"""
    data: ParcelWeighedWebhookData


class PhotoEvent(TypedDict):
    """Photo event"""

    event_id: str
    """The warehouse's id of the event; sent again, it has no second effect"""
    occurred_at: str
    """When it happened"""
    warehouse_code: str
    """The reporting warehouse; the one of the key; begins and ends with a visible character"""
    forecast_no: NotRequired[str]
    """Forecast number; this or express_no"""
    express_no: NotRequired[str]
    """Number scanned from the parcel; this or forecast_no"""
    type: Literal["photo"]
    photo_id: str
    """photo_id of the photo upload"""
    image_type: Literal["product", "package", "shipping", "document", "other"]
    """What the image shows"""
    image_order: NotRequired[ImageOrder]
    """Sort order"""


class PoNumberQuery(TypedDict):
    """Po number query"""

    po_number: str
    """po_number of the forecast, exactly as submitted"""


class ProcessingEvent(TypedDict):
    """Processing event"""

    event_id: str
    """The warehouse's id of the event; sent again, it has no second effect"""
    occurred_at: str
    """When it happened"""
    warehouse_code: str
    """The reporting warehouse; the one of the key; begins and ends with a visible character"""
    forecast_no: NotRequired[str]
    """Forecast number; this or express_no"""
    express_no: NotRequired[str]
    """Number scanned from the parcel; this or forecast_no"""
    type: Literal["processing"]
    received_items: NotRequired[Sequence[ReceivedQuantity]]
    """The whole count of what was received. A SKU that is left out counts as none; entries of one SKU are added. An empty list is no count"""


class PutAwayEvent(TypedDict):
    """Put away event"""

    event_id: str
    """The warehouse's id of the event; sent again, it has no second effect"""
    occurred_at: str
    """When it happened"""
    warehouse_code: str
    """The reporting warehouse; the one of the key; begins and ends with a visible character"""
    forecast_no: NotRequired[str]
    """Forecast number; this or express_no"""
    express_no: NotRequired[str]
    """Number scanned from the parcel; this or forecast_no"""
    type: Literal["put_away"]
    received_items: NotRequired[Sequence[ReceivedQuantity]]
    """The whole count of what was received. A SKU that is left out counts as none; entries of one SKU are added. An empty list is no count"""


class QueriedForecast(TypedDict):
    """Queried forecast"""

    forecast_no: str
    po_number: str
    forecast_type: int
    warehouse_code: str
    due_date: str | None
    item_count: int
    version: int
    """Begins at 1 and rises with each correction"""
    status: int
    """Status as an integer: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED"""
    status_name: Literal["ACCEPTED", "ARRIVED", "WEIGHED", "PROCESSING", "SHIPPED", "COMPLETED", "CANCELLED"]
    """Status as a string"""
    has_exception: bool
    """The warehouse found something wrong with the parcel, such as damage"""
    on_hold: bool
    """True while a hold is not released. The status does not change with it"""
    create_time: str
    """When it was accepted"""
    update_time: str
    """When it last changed"""
    weighing: NotRequired[WeighingData]
    tracking: NotRequired[TrackingResult]


class RateInForce(TypedDict):
    """Rate in force"""

    per_second: float
    """Requests a second"""
    burst: int
    """Requests at once"""


class RateLimitsInForce(TypedDict):
    """Limits of the key for each class of routes; null: no limit"""

    standard: RateInForce | None
    upload: RateInForce | None
    tracking: RateInForce | None
    batch: RateInForce | None


class ReceivedQuantity(TypedDict):
    """Received quantity"""

    sku_code: str
    """As in the forecast; a SKU that is not in the forecast is stored too; begins and ends with a visible character"""
    quantity: int
    """Pieces received"""


class RejectedEvent(TypedDict):
    """Rejected event"""

    index: int
    """Position in the call, from 0"""
    event_id: str | None
    """As sent; null when it cannot be read"""
    code: str
    message: str
    """Up to five faults in one text"""
    errors: Sequence[FieldError]
    """Every fault; at most 100, and 1000 of the whole call"""


class ReleaseEvent(TypedDict):
    """Release event"""

    event_id: str
    """The warehouse's id of the event; sent again, it has no second effect"""
    occurred_at: str
    """When it happened"""
    warehouse_code: str
    """The reporting warehouse; the one of the key; begins and ends with a visible character"""
    forecast_no: NotRequired[str]
    """Forecast number; this or express_no"""
    express_no: NotRequired[str]
    """Number scanned from the parcel; this or forecast_no"""
    type: Literal["release"]


class ReplayRequest(TypedDict):
    """Replay request"""

    since: str
    """Events at or after this instant"""
    until: NotRequired[str]
    """Events before this instant; default now"""
    only: NotRequired[Literal["undelivered", "failed", "all"]]
    """undelivered (the default): all that has not succeeded; failed: what has used up its schedule; all: what has succeeded, too"""
    cursor: NotRequired[str]
    """`next_cursor` of the previous call; continues the replay. Send the other fields of that call again"""


class ReplayResult(TypedDict):
    """Replay result"""

    scheduled: int
    """Deliveries that this call has made due; at most 10,000"""
    next_cursor: str | None
    """Where the rest of the range begins; null when the whole range was processed"""
    warnings: Sequence[Warning]
    """Fields of the body and parameters of the query that are not known and were ignored, at most 20 of each"""


class ResolutionResult(TypedDict):
    """Resolution result"""

    id: str
    """The event that the first call named"""
    action: Literal["claim", "dismiss"]
    """What was done"""
    forecast_no: str | None
    """Of a claim"""
    reason: str | None
    """Of a dismissal"""
    events: int
    """Number of events that no longer wait because of it"""
    resolved_at: str
    """When it was done"""
    resolved_by: str
    """Id of the key that did it; `admin` for the operator"""


class RotationRequest(TypedDict):
    """Rotation request"""

    end_former_secret: NotRequired[bool]
    """true: only the new secret signs from now on, for example because the current one has leaked; a receiver without the new secret rejects all webhooks. Default false: the current secret also signs for 24 hours"""


class ServedCarrier(TypedDict):
    """Served carrier"""

    carrier_code: str
    """In lower case"""
    served_by: Literal["own", "platform"]
    """own: a connection of yours; platform: the operator of the platform"""
    source: str
    """What is asked first, such as `17track`; `generic` for an interface of the carrier itself"""


class Simulation(TypedDict):
    """Simulation"""

    po_number: str
    """Business key of the forecast; case-sensitive and exact; begins and ends with a visible character"""
    step: Literal["arrive", "weigh", "process", "put_away", "dispatch", "track", "exception", "hold", "release"]
    """What happens to the parcel"""
    length_cm: NotRequired[float]
    """weigh: length in cm; default 30"""
    width_cm: NotRequired[float]
    """weigh: width in cm; default 20"""
    height_cm: NotRequired[float]
    """weigh: height in cm; default 10"""
    weight_kg: NotRequired[float]
    """weigh: weight in kg; default 1.25"""
    photos: NotRequired[int]
    """weigh, exception: number of photos; default 1"""
    image_types: NotRequired[Sequence[Literal["product", "package", "shipping", "document", "other"]]]
    """arrive: forecast photos taken on arrival"""
    received_items: NotRequired[Sequence[ReceivedQuantity]]
    """arrive, process, put_away: the whole count of what was received; default none. A SKU that is left out counts as none; entries of one SKU are added. An empty list is no count"""
    exception_reason: NotRequired[Literal["damaged", "wrong_content", "missing_items", "unreadable_label", "prohibited", "other"]]
    """exception: what is wrong; default damaged"""
    exception_text: NotRequired[str]
    """exception: in the warehouse's own words"""
    hold_reason: NotRequired[str]
    """hold: in the warehouse's own words"""
    carrier_code: NotRequired[str]
    """dispatch: carrier; default simulated"""
    tracking_number: NotRequired[str]
    """dispatch: the carrier's number; default the forecast's first. track: the parcel, by that number; default the one that was dispatched last"""
    admin_status: NotRequired[AdminStatus]
    """track: status of the new node; required"""
    content: NotRequired[str]
    """track: description of the node"""
    address: NotRequired[str]
    """track: location of the node"""
    create_time: NotRequired[str]
    """Local time, yyyy-MM-dd HH:mm:ss"""
    times: NotRequired[str]
    """Time zone of create_time, such as (GMT+08:00)"""


class SimulationResult(TypedDict):
    """Simulation result"""

    po_number: str
    forecast_no: str
    step: str
    event_ids: Sequence[str]
    """Ids of the warehouse's events that were sent; the events that webhooks carry have ids of their own"""
    warnings: Sequence[Warning]
    """A step that has no effect on this forecast, and fields and parameters that are not known and were ignored, at most 20 of each"""


class StatusChange(TypedDict):
    """Status change"""

    status: int
    """Status as an integer: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED"""
    status_name: Literal["ACCEPTED", "ARRIVED", "WEIGHED", "PROCESSING", "SHIPPED", "COMPLETED", "CANCELLED"]
    """Status as a string"""
    time: str
    """When the platform recorded it"""
    reason: str
    """What changed it: submitted, cancelled, or the warehouse or tracking event"""
    key_id: str | None
    """Id of the API key that submitted or cancelled it; null for what the warehouse or the carrier reported"""


class SubmissionError(TypedDict):
    """Submission error"""

    code: str
    """Code with which a submission fails: 42201, 42202, 42203 or 40901"""
    field: str
    """JSON path, such as items[3].sku_code"""
    rule: str
    """Short name of the rule, such as required, max_length, in_use or different"""
    message: str
    """What is wrong and what is allowed"""


class SubmissionQuery(TypedDict):
    """Submission query"""

    validate_only: NotRequired[Literal["true", "false"]]
    """true checks the body and stores nothing. The response is that of `POST /open/v1/forecasts/validate`; to a batch, `data` of each result has these fields. An `Idempotency-Key` is ignored then"""


class TenantKey(TypedDict):
    """Tenant key"""

    key_id: str
    prefix: str
    """First characters of the key, to recognise it"""
    description: str
    scopes: Sequence[str]
    """What the key may do"""
    allowed_addresses: Sequence[str]
    """Addresses and networks that may use the key; empty: all"""
    state: Literal["active", "revoked", "expired"]
    """active: the key works; revoked and expired keys never work again"""
    create_time: str
    """When it was created"""
    expires_at: str | None
    """When it expires; null: never"""
    revoked_at: str | None
    """When it was revoked; null: it is not"""
    last_used_at: str | None
    """Minute of its last use; null: never used"""
    created_by: str | None
    """`key_id` of the key that created it; null: the operator issued it"""
    rotated_from: str | None
    """`key_id` of the key that it replaces"""
    rotated_to: str | None
    """`key_id` of the key that replaces it"""


class TenantKeyList(TypedDict):
    """Tenant key list"""

    keys: Sequence[TenantKey]
    next_cursor: str | None
    """null on the last page"""
    warnings: NotRequired[Sequence[Warning]]
    """Parameters of the query that are not known and were ignored, at most 20; absent when there are none"""


class TenantKeyListQuery(TypedDict):
    """Tenant key list query"""

    limit: NotRequired[int]
    """Page size, 1 to 100; default 20"""
    cursor: NotRequired[str]
    """`next_cursor` of the previous page"""


class TestDelivery(TypedDict):
    """Test delivery"""

    delivery_id: str
    endpoint_id: str
    event_id: str
    """Equals webhook-id of every attempt"""
    event_type: str
    po_number: str | None
    status: Literal["pending", "succeeded", "failed", "held"]
    """held: the endpoint was disabled; replay or resend sends it"""
    attempt_count: int
    next_attempt_time: str | None
    """When it is tried next, at the earliest; null unless pending, and while the endpoint is paused"""
    next_attempt_reason: Literal["first", "schedule", "retry_after", "paused", "queued"] | None
    """Reason for that time, see the webhook documentation; null unless pending"""
    test: bool
    """A test event: sent once; it does not affect the health of the endpoint"""
    last_status_code: int | None
    """HTTP status of the last response"""
    create_time: str
    """When the event was accepted for delivery"""
    warnings: Sequence[Warning]
    """Fields of the body and parameters of the query that are not known and were ignored, at most 20 of each"""


class TestRequest(TypedDict):
    """Test request"""

    event_type: NotRequired[Literal["endpoint.test", "parcel.weighed", "tracking.changed", "forecast.accepted", "forecast.corrected", "forecast.cancelled", "parcel.arrived", "parcel.photographed", "parcel.put_away", "parcel.dispatched", "parcel.completed", "parcel.exception"]]
    """Type of the event; default endpoint.test. Any other has made-up data, marked with `test: true`"""


class TrackingChangedWebhook(TypedDict):
    """Tracking changed webhook"""

    type: Literal["tracking.changed"]
    timestamp: str
    """When the event happened"""
    data: TrackingChangedWebhookData


class TrackingNode(TypedDict):
    """Tracking node"""

    order_no: str
    """Order number"""
    address: str
    """Location"""
    content: str
    """Description of the event"""
    status: str
    """The carrier's own status"""
    create_time: str
    """Local time, yyyy-MM-dd HH:mm:ss"""
    times: str
    """Time zone of create_time, such as (GMT+08:00)"""
    admin_status: AdminStatus
    """Management status"""
    time_assumed: NotRequired[Literal[True]]
    """The source names no zone for create_time, so that times is assumed; absent when the zone is known"""


class TrackingResult(TypedDict):
    """Tracking result"""

    po_number: str
    is_shipped: bool
    """true once the warehouse has reported dispatch"""
    is_terminal: bool
    """true when every parcel has a final status"""
    latest_status: str
    """admin_status of the newest node of all parcels; empty when there is none"""
    nodes: Sequence[TrackingNode]
    """Of all parcels, newest first"""
    as_of: NotRequired[str]
    """When the source last reported the parcel, where it was not asked for this query: it did so within the last minute, or its limits allow no further call now. Of several parcels, the oldest; then also where the source of one is out. Absent when all responded."""
    shipments: Sequence[TrackingShipment]
    """Each parcel that the warehouse has dispatched, in the order of the dispatches; empty before the first"""
    warnings: NotRequired[Sequence[Warning]]
    """Parameters of the query that are not known and were ignored, at most 20; absent when there are none"""


class TrackingShipment(TypedDict):
    """Tracking shipment"""

    carrier_code: str
    """Carrier of the dispatch"""
    tracking_number: str
    """Of the carrier, normalised"""
    dispatched_at: str
    """When the warehouse gave it to the carrier"""
    is_terminal: bool
    """true when its latest status is a final one"""
    latest_status: str
    """admin_status of its newest node; empty when there is none"""
    nodes: Sequence[TrackingNode]
    """Its own nodes, newest first"""
    as_of: NotRequired[str]
    """When the source last reported this parcel; absent when it responded to this query"""


class UnclaimedClaim(TypedDict):
    """Unclaimed claim"""

    forecast_no: str
    """Forecast of this warehouse that the parcel belongs to"""


class UnclaimedDismissal(TypedDict):
    """Unclaimed dismissal"""

    reason: str
    """Why the parcel is dismissed, as text for people; has a visible character"""


class UploadedFile(TypedDict):
    """Uploaded file record"""

    url: str
    """Opens without a key; use it as shipping_label or shipping_note"""
    attachment_id: int
    """Attachment record of the platform"""
    origin_name: str
    """File name as uploaded"""
    size_byte: int
    """Bytes"""
    size_info: str
    """For people, such as 1.50 MB"""
    url_expire_time: str | None
    """When `url` ends, if the upload had `url_expires_in`; null when it never does"""
    deduplicated: bool
    """true when the tenant had uploaded an identical file before: the same MD5 and SHA-256"""
    warnings: Sequence[Warning]
    """What is unusual for a label or packing list: encrypted, no page, more than 20 pages, a page of unusual size, pages of different sizes, not readable or slow to draw; empty when nothing is"""
    barcodes: Sequence[FileBarcode]
    """Barcodes that were read on the first 4 pages, at most 10, each text once; empty when there is none that can be read in time"""


class UploadedImage(TypedDict):
    """Uploaded image"""

    image_id: str
    """Opaque; puts the image on a forecast within 30 days"""
    image_url: str
    """Opens without a key; cannot be guessed"""
    media_type: str
    """image/jpeg, image/png or image/webp"""
    size_byte: int
    """Bytes"""


class UploadedPhoto(TypedDict):
    """Uploaded photo"""

    photo_id: str
    """Opaque; use it in photo_ids or photo_id of an event"""
    image_url: str
    """Opens without a key; cannot be guessed"""
    media_type: str
    """image/jpeg, image/png or image/webp"""
    size_byte: int
    """Bytes"""


class Usage(TypedDict):
    """Usage"""

    days: Sequence[UsageDay]
    total: UsageTotal
    warnings: NotRequired[Sequence[Warning]]
    """Parameters of the query that are not known and were ignored, at most 20; absent when there are none"""


class UsageDay(TypedDict):
    """Usage day"""

    date: str
    """Day, UTC"""
    calls: int
    """Requests with a key of yours"""
    failed_calls: int
    """Those with a status of 400 or more"""
    parcels: int
    """Forecasts that were accepted"""
    events: int
    """Events that happened for your webhooks"""
    files: int
    """Files and images that were uploaded"""
    stored_bytes: int
    """Their size; bytes. What is deleted later stays counted: `storage` says what is kept"""
    storage: UsageStorage | None
    """What was stored when the day was measured, which is once, soon after it begins. null: not measured in that day, such as the day of your first upload"""


class UsageQuery(TypedDict):
    """Usage query"""

    from_date: NotRequired[str]
    """First day, UTC; default: 30 days before `to_date`"""
    to_date: NotRequired[str]
    """Last day, UTC, at most 91 days after `from_date`; default: today"""


class UsageStorage(TypedDict):
    """Usage storage"""

    files: int
    """PDFs and images of yours, without those that you or the platform have deleted"""
    bytes: int
    """Their size; bytes"""


class UsageTotal(TypedDict):
    """Usage total"""

    calls: int
    """Requests with a key of yours"""
    failed_calls: int
    """Those with a status of 400 or more"""
    parcels: int
    """Forecasts that were accepted"""
    events: int
    """Events that happened for your webhooks"""
    files: int
    """Files and images that were uploaded"""
    stored_bytes: int
    """Their size; bytes. What is deleted later stays counted: `storage` says what is kept"""
    storage: UsageStorage | None
    """Latest measurement of these days, not a sum; null when none was measured"""


class WaitingEvent(TypedDict):
    """Waiting event"""

    id: str
    """The `event_id` that was reported"""
    type: Literal["arrival", "weighing", "photo", "processing", "put_away", "dispatch", "exception", "hold", "release"]
    """What was reported"""
    express_no: str | None
    """As scanned"""
    forecast_no: str | None
    """As reported"""
    reason: Literal["no_forecast", "ambiguous", "takes_no_dispatch"]
    """no_forecast: none is known at this warehouse; ambiguous: several declare the number; takes_no_dispatch: a dispatch of a type 1 forecast"""
    candidates: Sequence[str]
    """Numbers of the forecasts of this warehouse that it may be for, when it is ambiguous; at most 50"""
    occurred_at: str
    """When it happened in the warehouse"""
    received_at: str
    """When the platform received it"""


class WaitingEventList(TypedDict):
    """Waiting event list"""

    parcels: Sequence[WaitingEvent]
    next_cursor: str | None
    """null on the last page"""
    warnings: NotRequired[Sequence[Warning]]
    """Parameters of the query that are not known and were ignored, at most 20; absent when there are none"""


class WaitingEventQuery(TypedDict):
    """Waiting event query"""

    reason: NotRequired[Literal["no_forecast", "ambiguous", "takes_no_dispatch"]]
    """no_forecast: none is known at this warehouse; ambiguous: several declare the number; takes_no_dispatch: a dispatch of a type 1 forecast"""
    limit: NotRequired[int]
    """Page size, 1 to 100; default 50"""
    cursor: NotRequired[str]
    """`next_cursor` of the previous page"""


class Warehouse(TypedDict):
    """Warehouse"""

    code: str
    name: str


class WarehouseCarriers(TypedDict):
    """Carriers for a warehouse"""

    carriers: Sequence[str]
    """Codes that the connections of the platform name, each once; at most 1000"""
    warnings: NotRequired[Sequence[Warning]]
    """Parameters of the query that are not known and were ignored, at most 20; absent when there are none"""


class WarehouseEventBatch(TypedDict):
    """Warehouse event batch"""

    events: Sequence[WarehouseEvent]


class WarehouseException(TypedDict):
    """Warehouse exception"""

    event_id: str
    """The warehouse's id of the event"""
    express_no: str | None
    """As scanned"""
    occurred_at: str
    """When it happened in the warehouse"""
    reason: Literal["damaged", "wrong_content", "missing_items", "unreadable_label", "prohibited", "other"]
    """What is wrong with the parcel"""
    text: str | None
    """The warehouse's own words"""
    photos: Sequence[WarehouseExceptionPhoto]


class WarehouseForecast(TypedDict):
    """Warehouse forecast"""

    forecast_no: str
    tenant_id: str
    """The merchant"""
    po_number: str
    """The merchant's key"""
    forecast_type: int
    """1 = stock replenishment, 2 = direct-mail labelling"""
    warehouse_code: str
    status: int
    """Status as an integer: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED"""
    status_name: Literal["ACCEPTED", "ARRIVED", "WEIGHED", "PROCESSING", "SHIPPED", "COMPLETED", "CANCELLED"]
    """Status as a string"""
    due_date: str | None
    """Expected arrival"""
    item_count: int
    """Number of line items"""
    carton_count: int | None
    """As the merchant declares it"""
    version: int
    """Begins at 1 and rises with each correction"""
    tracking_numbers: Sequence[str]
    """Logistics numbers that the items declare, normalised; the first 100"""
    on_hold: bool
    """The warehouse holds the parcel"""
    update_time: str
    """When the platform last recorded a change"""


class WarehouseForecastDetail(TypedDict):
    """Warehouse forecast detail"""

    forecast_no: str
    tenant_id: str
    """The merchant"""
    po_number: str
    """The merchant's key"""
    forecast_type: int
    """1 = stock replenishment, 2 = direct-mail labelling"""
    warehouse_code: str
    status: int
    """Status as an integer: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED"""
    status_name: Literal["ACCEPTED", "ARRIVED", "WEIGHED", "PROCESSING", "SHIPPED", "COMPLETED", "CANCELLED"]
    """Status as a string"""
    due_date: str | None
    """Expected arrival"""
    item_count: int
    """Number of line items"""
    carton_count: int | None
    """As the merchant declares it"""
    version: int
    """Begins at 1 and rises with each correction"""
    tracking_numbers: Sequence[str]
    """Logistics numbers that the items declare, normalised; the first 100"""
    on_hold: bool
    """The warehouse holds the parcel"""
    update_time: str
    """When the platform last recorded a change"""
    create_time: str
    """When the forecast was accepted"""
    shipping_label: str | None
    """URL of the merchant's shipping label (PDF)"""
    shipping_note: str | None
    """URL of the merchant's packing list (PDF)"""
    marketplace_label: str | None
    """URL of the product label (PDF); null once the forecast has gone to another warehouse"""
    marketplace_label_version: int | None
    """Version of the forecast that the product label shows"""
    packing_slip: str | None
    """URL of the packing slip (PDF); null once the forecast has gone to another warehouse"""
    items: Sequence[ForecastItem]
    """Without `forecast_price`, unless the operator allows it"""
    measurements: Sequence[WarehouseMeasurement]
    """Latest first, at most 100"""
    photos: Sequence[WarehouseImage]
    """Ascending by image_order, at most 100"""
    holds: Sequence[WarehouseForecastDetailHold]
    """Latest first"""
    exceptions: Sequence[WarehouseException]
    """Latest first, at most 100"""
    received_items: Sequence[CountedItem] | None
    """Pieces that the warehouse counted, as last reported; null when it has not"""
    carrier_code: str | None
    """Set once the parcel is dispatched"""
    tracking_number: str | None
    """Number under which the parcel was dispatched"""
    dispatch_time: str | None
    """When the parcel was handed to the carrier"""
    warnings: NotRequired[Sequence[Warning]]
    """Parameters of the query that are not known and were ignored, at most 20; absent when there are none"""


class WarehouseForecastList(TypedDict):
    """Warehouse forecast list"""

    forecasts: Sequence[WarehouseListedForecast]
    next_cursor: str
    """While `has_more`, it leads to the next page. Afterwards, sending it again returns what has changed since the first page of this round"""
    has_more: bool
    """More follows in this round"""
    warnings: NotRequired[Sequence[Warning]]
    """Parameters of the query that are not known and were ignored, at most 20; absent when there are none"""


class WarehouseForecastQuery(TypedDict):
    """Warehouse forecast query"""

    status: NotRequired[str]
    """Only these statuses, each as an integer or by its name, separated by commas: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED. Names are in upper case. Chooses what the first round shows, 1 to 4 unless it is given; later rounds show every change"""
    due_from: NotRequired[str]
    """First day of the expected arrival, YYYY-MM-DD; only together with due_to, at most 31 days. Chooses what the first round shows"""
    due_to: NotRequired[str]
    """Last day of the expected arrival, YYYY-MM-DD; only together with due_from"""
    updated_from: NotRequired[str]
    """Changed at or after this instant. Chooses what the first round shows"""
    tenant_id: NotRequired[str]
    """Only forecasts of this merchant, in every round"""
    limit: NotRequired[int]
    """Page size, 1 to 100; default 20"""
    cursor: NotRequired[str]
    """`next_cursor` of the previous response; send the same filters with it"""


class WarehouseImage(TypedDict):
    """Warehouse image"""

    event_id: str
    """The warehouse's id of the event"""
    express_no: str | None
    """As scanned"""
    occurred_at: str
    """When it happened in the warehouse"""
    id: int
    """Photo record of the platform"""
    image_url: str
    """Opens without a key; cannot be guessed"""
    file_size: int
    """Bytes"""
    upload_time: str
    """When the photo was uploaded"""
    image_type: Literal["product", "package", "shipping", "document", "other"]
    """What the image shows"""
    image_order: int


class WarehouseList(TypedDict):
    """Warehouse list"""

    warehouses: Sequence[Warehouse]
    warnings: NotRequired[Sequence[Warning]]
    """Parameters of the query that are not known and were ignored, at most 20; absent when there are none"""


class WarehouseListedForecast(TypedDict):
    """Warehouse listed forecast"""

    forecast_no: str
    tenant_id: str
    """The merchant"""
    po_number: str
    """The merchant's key"""
    forecast_type: int
    """1 = stock replenishment, 2 = direct-mail labelling"""
    warehouse_code: str
    status: int
    """Status as an integer: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED"""
    status_name: Literal["ACCEPTED", "ARRIVED", "WEIGHED", "PROCESSING", "SHIPPED", "COMPLETED", "CANCELLED"]
    """Status as a string"""
    due_date: str | None
    """Expected arrival"""
    item_count: int
    """Number of line items"""
    carton_count: int | None
    """As the merchant declares it"""
    version: int
    """Begins at 1 and rises with each correction"""
    tracking_numbers: Sequence[str]
    """Logistics numbers that the items declare, normalised; the first 100"""
    on_hold: bool
    """The warehouse holds the parcel"""
    update_time: str
    """When the platform last recorded a change"""
    moved: bool
    """A correction has moved the forecast to another warehouse: this one no longer expects it, and can no longer read it or look it up. The other fields are as this warehouse last saw them. Shown only to requests for changes: with a cursor of an earlier round, or with `updated_from`"""


class WarehouseLookup(TypedDict):
    """Warehouse lookup"""

    scan: str
    """As sent"""
    candidates: Sequence[LookupCandidate]
    """Expected and present parcels first, at most 50. The platform does not choose: it returns every match"""
    has_more: bool
    """There are more candidates than shown"""
    warnings: NotRequired[Sequence[Warning]]
    """Parameters of the query that are not known and were ignored, at most 20; absent when there are none"""


class WarehouseLookupQuery(TypedDict):
    """Warehouse lookup query"""

    scan: str
    """What the scanner read; with or without a symbology identifier such as `]C1`"""


class WarehouseMeasurement(TypedDict):
    """Warehouse measurement"""

    event_id: str
    """The warehouse's id of the event"""
    express_no: str | None
    """As scanned"""
    occurred_at: str
    """When it happened in the warehouse"""
    length_cm: float
    width_cm: float
    height_cm: float
    weight_kg: float
    photos: Sequence[WarehouseMeasurementPhoto]


class Warning(TypedDict):
    """Warning"""

    field: str
    """JSON path of the field, or name of the parameter of the query"""
    message: str


class WebhookEndpoint(TypedDict):
    """Webhook endpoint"""

    endpoint_id: str
    url: str
    event_types: Sequence[str]
    description: str
    filter: EndpointFilter
    """Only events whose `data` matches every condition. A condition on a field that an event type does not have is ignored for events of this type. One of the listed values must match; a single value may be sent without a list. `{}` matches all events."""
    headers: Mapping[str, Literal["***"]]
    """Names of the custom headers; values are not shown"""
    metadata: Mapping[str, str]
    rate_limit: int | None
    """Maximum number of attempts per second; null: as fast as the endpoint responds"""
    payload: Literal["thin", "full"]
    """thin (the default): what happened to which parcel; full: each attempt adds what the query returns at that moment, as `data.weighing`, `data.tracking` or `data.forecast`"""
    status: Literal["enabled", "paused", "disabled"]
    """paused and disabled endpoints keep their events but receive none"""
    disabled_reason: Literal["tenant", "gone", "failing", "pause_expired"] | None
    """Why it is disabled: by the tenant, response 410, 5 days of failure, or a pause of 7 days"""
    pause_end_time: str | None
    """paused: when the platform disables the endpoint, 7 days after the pause began"""
    health: EndpointHealth
    former_secret_end_time: str | None
    """After a rotation: until when the previous secret also signs; null when one secret signs"""
    create_time: str
    """When it was created"""
    update_time: str
    """When it last changed"""


class WebhookEndpointList(TypedDict):
    """Webhook endpoint list"""

    endpoints: Sequence[WebhookEndpoint]
    warnings: NotRequired[Sequence[Warning]]
    """Parameters of the query that are not known and were ignored, at most 20; absent when there are none"""


class WeighingData(TypedDict):
    """Weighing data"""

    po_number: str
    status: int
    """Status as an integer: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED"""
    length_cm: float | None
    """cm; null when not yet weighed"""
    width_cm: float | None
    """cm; null when not yet weighed"""
    height_cm: float | None
    """cm; null when not yet weighed"""
    weight_kg: float | None
    """kg; null when not yet weighed"""
    weighing_images: Sequence[WeighingImage]
    """Newest first"""
    forecast_images: Sequence[ForecastImage]
    """Ascending by image_order"""
    on_hold: bool
    """True while a hold is not released. The status does not change with it"""
    holds: Sequence[WeighingDataHold]
    """Latest first"""
    exceptions: Sequence[WeighingDataException]
    """Latest first"""
    warnings: NotRequired[Sequence[Warning]]
    """Parameters of the query that are not known and were ignored, at most 20; absent when there are none"""


class WeighingEvent(TypedDict):
    """Weighing event"""

    event_id: str
    """The warehouse's id of the event; sent again, it has no second effect"""
    occurred_at: str
    """When it happened"""
    warehouse_code: str
    """The reporting warehouse; the one of the key; begins and ends with a visible character"""
    forecast_no: NotRequired[str]
    """Forecast number; this or express_no"""
    express_no: NotRequired[str]
    """Number scanned from the parcel; this or forecast_no"""
    type: Literal["weighing"]
    length_cm: float
    """Length in cm"""
    width_cm: float
    """Width in cm"""
    height_cm: float
    """Height in cm"""
    weight_kg: float
    """Weight in kg"""
    photo_ids: NotRequired[Sequence[str]]
    """Photos taken at the weigher"""


class WeighingImage(TypedDict):
    """Weighing image"""

    id: int
    """Photo record of the platform"""
    express_no: str
    """Number scanned at the weigher; empty when none was"""
    image_path: str
    """Storage key"""
    image_url: str
    """Opens without a key; cannot be guessed"""
    file_size: int
    """Bytes"""
    upload_time: str
    """When the photo was uploaded"""


AdminStatus: TypeAlias = Literal["Pending", "Info Received", "Picked Up", "In Transit", "Customs Clearance", "In Delivery", "Available for Pickup", "Delivery Attempted", "Exception", "Returning", "Delivery Success", "Delivery Failure", "Parcel Return to Origin"]
"""Status of a parcel in transit, as the platform reports it."""


WebhookEventType: TypeAlias = Literal["endpoint.disabled", "endpoint.test", "forecast.accepted", "forecast.cancelled", "forecast.corrected", "parcel.arrived", "parcel.completed", "parcel.dispatched", "parcel.exception", "parcel.photographed", "parcel.put_away", "parcel.weighed", "tracking.changed"]
"""Kind of an event."""


WebhookEvent: TypeAlias = Union[EndpointDisabledWebhook, EndpointTestWebhook, ForecastAcceptedWebhook, ForecastCancelledWebhook, ForecastCorrectedWebhook, ParcelArrivedWebhook, ParcelCompletedWebhook, ParcelDispatchedWebhook, ParcelExceptionWebhook, ParcelPhotographedWebhook, ParcelPutAwayWebhook, ParcelWeighedWebhook, TrackingChangedWebhook]
"""An event as a webhook and the feed carry it; `type` says which."""


SecretRotated: TypeAlias = EndpointCreated
"""The endpoint after a rotation, with its new secret."""


ImageOrder: TypeAlias = int
"""Sort order"""


WarehouseEvent: TypeAlias = Union[ArrivalEvent, WeighingEvent, PhotoEvent, ProcessingEvent, PutAwayEvent, DispatchEvent, ExceptionEvent, HoldEvent, ReleaseEvent]
"""Warehouse event"""


WarehouseReport: TypeAlias = Union[WarehouseEvent, WarehouseEventBatch]
"""Warehouse report"""
