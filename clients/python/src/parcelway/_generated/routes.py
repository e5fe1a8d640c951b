# Made from the contract by `npm run docs`; do not edit.
"""Where each route is."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Route(NamedTuple):
    """A route of the API."""

    method: str
    path: str
    kind: Literal["json", "upload", "file"]
    """upload: the body is a file. file: the response is one."""
    public: bool
    """True when it needs no key, and gets none."""
    takes_key: bool
    """True when it takes the header Idempotency-Key."""
    takes_version: bool
    """True when it takes the header If-Match."""
    repeatable: bool
    """True when the same call may be made twice."""
    call: str
    """Method of the client, such as `forecasts.list`; several are joined by "or"."""
    parameters: tuple[str, ...]
    """Parameters of the method that have to be named."""


ROUTES = {
    "submitForecast": Route("POST", "/open/v1/forecasts", "json", False, True, False, True, "forecasts.submit", ("validate_only",)),
    "listForecasts": Route("GET", "/open/v1/forecasts", "json", False, False, False, True, "forecasts.list", ("status", "po_number", "q", "tracking_number", "sku_code", "forecast_no", "warehouse_code", "has_exception", "on_hold", "created_from", "created_to", "updated_from", "updated_to", "limit", "cursor")),
    "countForecasts": Route("GET", "/open/v1/forecast-counts", "json", False, False, False, True, "forecasts.counts", ()),
    "exportForecasts": Route("GET", "/open/v1/forecasts.csv", "file", False, False, False, True, "forecasts.export_csv", ("status", "po_number", "q", "tracking_number", "sku_code", "forecast_no", "warehouse_code", "has_exception", "on_hold", "created_from", "created_to", "updated_from", "updated_to")),
    "queryWeighing": Route("GET", "/open/v1/forecasts/weighing", "json", False, False, False, True, "forecasts.weighing", ()),
    "queryTracking": Route("GET", "/open/v1/forecasts/tracking", "json", False, False, False, True, "forecasts.tracking", ()),
    "getForecast": Route("GET", "/open/v1/forecasts/{po_number}", "json", False, False, False, True, "forecasts.get", ()),
    "correctForecast": Route("PATCH", "/open/v1/forecasts/{po_number}", "json", False, True, True, False, "forecasts.correct", ()),
    "cancelForecast": Route("POST", "/open/v1/forecasts/{po_number}/cancel", "json", False, False, False, True, "forecasts.cancel", ()),
    "validateForecast": Route("POST", "/open/v1/forecasts/validate", "json", False, False, False, True, "forecasts.validate", ()),
    "submitForecastBatch": Route("POST", "/open/v1/forecasts/batch", "json", False, True, False, False, "forecasts.submit_batch or forecasts.validate_batch", ("validate_only",)),
    "queryForecasts": Route("POST", "/open/v1/forecasts/query", "json", False, False, False, True, "forecasts.query", ()),
    "addForecastImage": Route("POST", "/open/v1/forecasts/{po_number}/images", "json", False, False, False, True, "forecasts.add_image", ()),
    "removeForecastImage": Route("DELETE", "/open/v1/forecasts/{po_number}/images/{image_number}", "json", False, False, False, False, "forecasts.remove_image", ()),
    "importForecasts": Route("POST", "/open/v1/forecasts/import", "upload", False, True, False, False, "imports.create", ("name", "mapping", "validate_only")),
    "listImports": Route("GET", "/open/v1/forecasts/import", "json", False, False, False, True, "imports.list", ("cursor", "limit")),
    "previewImport": Route("POST", "/open/v1/forecasts/import/preview", "upload", False, False, False, True, "imports.preview", ("name", "mapping")),
    "getImportTemplateCsv": Route("GET", "/open/v1/forecasts/import/template.csv", "file", False, False, False, True, "imports.template_csv", ()),
    "getImportTemplateXlsx": Route("GET", "/open/v1/forecasts/import/template.xlsx", "file", False, False, False, True, "imports.template_xlsx", ()),
    "getImport": Route("GET", "/open/v1/forecasts/import/{import_id}", "json", False, False, False, True, "imports.get", ()),
    "listImportRows": Route("GET", "/open/v1/forecasts/import/{import_id}/rows", "json", False, False, False, True, "imports.rows", ("state", "cursor", "limit")),
    "getFailedRows": Route("GET", "/open/v1/forecasts/import/{import_id}/failed-rows", "file", False, False, False, True, "imports.failed_rows or imports.failed_csv", ("format",)),
    "cancelImport": Route("POST", "/open/v1/forecasts/import/{import_id}/cancel", "json", False, False, False, True, "imports.cancel", ()),
    "listCarriers": Route("GET", "/open/v1/carriers", "json", False, False, False, True, "carriers.list", ()),
    "detectCarriers": Route("GET", "/open/v1/carriers/detect", "json", False, False, False, True, "carriers.detect", ()),
    "listWarehouseCarriers": Route("GET", "/warehouse/v1/carriers", "json", False, False, False, True, "warehouse.carriers", ()),
    "createConnection": Route("POST", "/open/v1/carrier-connections", "json", False, True, False, False, "carrier_connections.create", ()),
    "listConnections": Route("GET", "/open/v1/carrier-connections", "json", False, False, False, True, "carrier_connections.list", ()),
    "getConnection": Route("GET", "/open/v1/carrier-connections/{connection_id}", "json", False, False, False, True, "carrier_connections.get", ()),
    "updateConnection": Route("PATCH", "/open/v1/carrier-connections/{connection_id}", "json", False, False, False, True, "carrier_connections.update", ()),
    "deleteConnection": Route("DELETE", "/open/v1/carrier-connections/{connection_id}", "json", False, False, False, False, "carrier_connections.delete", ()),
    "testConnection": Route("POST", "/open/v1/carrier-connections/{connection_id}/test", "json", False, False, False, True, "carrier_connections.test", ()),
    "uploadPdf": Route("POST", "/open/v1/files/pdf", "upload", False, True, False, True, "files.upload_pdf", ("name", "url_expires_in")),
    "uploadImage": Route("POST", "/open/v1/files/image", "upload", False, True, False, False, "files.upload_image", ("name",)),
    "listFiles": Route("GET", "/open/v1/files", "json", False, False, False, True, "files.list", ("used", "created_from", "created_to", "limit", "cursor")),
    "getFile": Route("GET", "/open/v1/files/{attachment_id}", "json", False, False, False, True, "files.get", ()),
    "deleteFile": Route("DELETE", "/open/v1/files/{attachment_id}", "json", False, False, False, True, "files.delete", ()),
    "createFileUrl": Route("POST", "/open/v1/files/{attachment_id}/url", "json", False, False, False, True, "files.url", ()),
    "openFile": Route("GET", "/files/{name}", "file", True, False, False, True, "files.open", ("copies",)),
    "openPhoto": Route("GET", "/photos/{name}", "file", True, False, False, True, "files.open", ()),
    "listWarehouses": Route("GET", "/open/v1/warehouses", "json", False, False, False, True, "warehouses.list", ()),
    "getOwnWarehouse": Route("GET", "/warehouse/v1/warehouse", "json", False, False, False, True, "warehouse.self", ()),
    "uploadPhoto": Route("POST", "/warehouse/v1/photos", "upload", False, True, False, False, "warehouse.upload_photo", ("name",)),
    "reportEvents": Route("POST", "/warehouse/v1/events", "json", False, False, False, True, "warehouse.report_events", ()),
    "getEventOutcome": Route("GET", "/warehouse/v1/events/{event_id}", "json", False, False, False, True, "warehouse.event", ()),
    "listUnclaimed": Route("GET", "/warehouse/v1/unclaimed", "json", False, False, False, True, "warehouse.list_unclaimed", ("reason", "limit", "cursor")),
    "claimUnclaimed": Route("POST", "/warehouse/v1/unclaimed/{id}/claim", "json", False, True, False, True, "warehouse.claim", ()),
    "dismissUnclaimed": Route("POST", "/warehouse/v1/unclaimed/{id}/dismiss", "json", False, True, False, True, "warehouse.dismiss", ()),
    "listWarehouseForecasts": Route("GET", "/warehouse/v1/forecasts", "json", False, False, False, True, "warehouse.forecasts", ("status", "due_from", "due_to", "updated_from", "tenant_id", "limit", "cursor")),
    "getWarehouseForecast": Route("GET", "/warehouse/v1/forecasts/{forecast_no}", "json", False, False, False, True, "warehouse.forecast", ()),
    "lookUpScan": Route("GET", "/warehouse/v1/lookup", "json", False, False, False, True, "warehouse.look_up", ()),
    "getOwnAccess": Route("GET", "/open/v1/me", "json", False, False, False, True, "me.get", ()),
    "listKeys": Route("GET", "/open/v1/keys", "json", False, False, False, True, "keys.list", ("limit", "cursor")),
    "createKey": Route("POST", "/open/v1/keys", "json", False, True, False, False, "keys.create", ()),
    "getKey": Route("GET", "/open/v1/keys/{key_id}", "json", False, False, False, True, "keys.get", ()),
    "updateKey": Route("PATCH", "/open/v1/keys/{key_id}", "json", False, False, False, False, "keys.update", ()),
    "rotateKey": Route("POST", "/open/v1/keys/{key_id}/rotate", "json", False, True, False, False, "keys.rotate", ()),
    "revokeKey": Route("POST", "/open/v1/keys/{key_id}/revoke", "json", False, False, False, False, "keys.revoke", ()),
    "listAuditLog": Route("GET", "/open/v1/audit-log", "json", False, False, False, True, "activity.audit_log", ("limit", "cursor", "action", "created_from", "created_to")),
    "listFailedCalls": Route("GET", "/open/v1/requests", "json", False, False, False, True, "activity.failed_calls", ("limit", "cursor", "request_id", "key_id", "code", "created_from", "created_to")),
    "getUsage": Route("GET", "/open/v1/usage", "json", False, False, False, True, "activity.usage", ("from_date", "to_date")),
    "createConsoleSession": Route("POST", "/open/v1/console/sessions", "json", False, False, False, False, "console.create_session", ()),
    "createConsoleLink": Route("POST", "/open/v1/console/links", "json", False, False, False, False, "console.create_link", ()),
    "createEndpoint": Route("POST", "/open/v1/webhook-endpoints", "json", False, True, False, False, "webhook_endpoints.create", ()),
    "listEndpoints": Route("GET", "/open/v1/webhook-endpoints", "json", False, False, False, True, "webhook_endpoints.list", ()),
    "getEndpoint": Route("GET", "/open/v1/webhook-endpoints/{endpoint_id}", "json", False, False, False, True, "webhook_endpoints.get", ()),
    "updateEndpoint": Route("PATCH", "/open/v1/webhook-endpoints/{endpoint_id}", "json", False, False, False, True, "webhook_endpoints.update", ()),
    "deleteEndpoint": Route("DELETE", "/open/v1/webhook-endpoints/{endpoint_id}", "json", False, False, False, False, "webhook_endpoints.delete", ()),
    "rotateSecret": Route("POST", "/open/v1/webhook-endpoints/{endpoint_id}/rotate-secret", "json", False, True, False, False, "webhook_endpoints.rotate_secret", ()),
    "sendTestEvent": Route("POST", "/open/v1/webhook-endpoints/{endpoint_id}/test", "json", False, True, False, False, "webhook_endpoints.test", ()),
    "listDeliveries": Route("GET", "/open/v1/webhook-endpoints/{endpoint_id}/deliveries", "json", False, False, False, True, "deliveries.list", ("status", "event_id", "limit", "cursor")),
    "getEndpointFigures": Route("GET", "/open/v1/webhook-endpoints/{endpoint_id}/figures", "json", False, False, False, True, "webhook_endpoints.figures", ("from_date", "to_date")),
    "getDelivery": Route("GET", "/open/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}", "json", False, False, False, True, "deliveries.get", ()),
    "listAttempts": Route("GET", "/open/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}/attempts", "json", False, False, False, True, "deliveries.attempts", ()),
    "resendDelivery": Route("POST", "/open/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}/resend", "json", False, True, False, False, "deliveries.resend", ()),
    "replayDeliveries": Route("POST", "/open/v1/webhook-endpoints/{endpoint_id}/replay", "json", False, True, False, False, "deliveries.replay", ()),
    "listEvents": Route("GET", "/open/v1/events", "json", False, False, False, True, "events.list", ("after", "since", "event_types", "po_number", "limit", "follow", "poll", "max_outage")),
    "listen": Route("GET", "/sandbox/v1/listen", "json", False, False, False, True, "sandbox.listen", ("after", "endpoint_id", "event_types", "wait")),
    "simulate": Route("POST", "/sandbox/v1/simulations", "json", False, True, False, False, "sandbox.simulate", ()),
}
