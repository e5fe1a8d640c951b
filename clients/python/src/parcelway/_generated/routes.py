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


ROUTES = {
    "submitForecast": Route("POST", "/open/v1/forecasts", "json", False, True, False, True),
    "listForecasts": Route("GET", "/open/v1/forecasts", "json", False, False, False, True),
    "countForecasts": Route("GET", "/open/v1/forecast-counts", "json", False, False, False, True),
    "exportForecasts": Route("GET", "/open/v1/forecasts.csv", "file", False, False, False, True),
    "queryWeighing": Route("GET", "/open/v1/forecasts/weighing", "json", False, False, False, True),
    "queryTracking": Route("GET", "/open/v1/forecasts/tracking", "json", False, False, False, True),
    "getForecast": Route("GET", "/open/v1/forecasts/{po_number}", "json", False, False, False, True),
    "correctForecast": Route("PATCH", "/open/v1/forecasts/{po_number}", "json", False, True, True, False),
    "cancelForecast": Route("POST", "/open/v1/forecasts/{po_number}/cancel", "json", False, False, False, True),
    "validateForecast": Route("POST", "/open/v1/forecasts/validate", "json", False, False, False, True),
    "submitForecastBatch": Route("POST", "/open/v1/forecasts/batch", "json", False, True, False, False),
    "queryForecasts": Route("POST", "/open/v1/forecasts/query", "json", False, False, False, True),
    "addForecastImage": Route("POST", "/open/v1/forecasts/{po_number}/images", "json", False, False, False, True),
    "removeForecastImage": Route("DELETE", "/open/v1/forecasts/{po_number}/images/{image_number}", "json", False, False, False, False),
    "importForecasts": Route("POST", "/open/v1/forecasts/import", "upload", False, True, False, False),
    "listImports": Route("GET", "/open/v1/forecasts/import", "json", False, False, False, True),
    "previewImport": Route("POST", "/open/v1/forecasts/import/preview", "upload", False, False, False, True),
    "getImportTemplateCsv": Route("GET", "/open/v1/forecasts/import/template.csv", "file", False, False, False, True),
    "getImportTemplateXlsx": Route("GET", "/open/v1/forecasts/import/template.xlsx", "file", False, False, False, True),
    "getImport": Route("GET", "/open/v1/forecasts/import/{import_id}", "json", False, False, False, True),
    "listImportRows": Route("GET", "/open/v1/forecasts/import/{import_id}/rows", "json", False, False, False, True),
    "getFailedRows": Route("GET", "/open/v1/forecasts/import/{import_id}/failed.csv", "file", False, False, False, True),
    "cancelImport": Route("POST", "/open/v1/forecasts/import/{import_id}/cancel", "json", False, False, False, True),
    "listCarriers": Route("GET", "/open/v1/carriers", "json", False, False, False, True),
    "detectCarriers": Route("GET", "/open/v1/carriers/detect", "json", False, False, False, True),
    "createConnection": Route("POST", "/open/v1/carrier-connections", "json", False, True, False, False),
    "listConnections": Route("GET", "/open/v1/carrier-connections", "json", False, False, False, True),
    "getConnection": Route("GET", "/open/v1/carrier-connections/{connection_id}", "json", False, False, False, True),
    "updateConnection": Route("PATCH", "/open/v1/carrier-connections/{connection_id}", "json", False, False, False, True),
    "deleteConnection": Route("DELETE", "/open/v1/carrier-connections/{connection_id}", "json", False, False, False, False),
    "testConnection": Route("POST", "/open/v1/carrier-connections/{connection_id}/test", "json", False, False, False, True),
    "uploadPdf": Route("POST", "/open/v1/files/pdf", "upload", False, True, False, True),
    "uploadImage": Route("POST", "/open/v1/files/image", "upload", False, True, False, False),
    "listFiles": Route("GET", "/open/v1/files", "json", False, False, False, True),
    "getFile": Route("GET", "/open/v1/files/{attachment_id}", "json", False, False, False, True),
    "deleteFile": Route("DELETE", "/open/v1/files/{attachment_id}", "json", False, False, False, True),
    "createFileUrl": Route("POST", "/open/v1/files/{attachment_id}/url", "json", False, False, False, True),
    "openFile": Route("GET", "/files/{name}", "file", True, False, False, True),
    "openPhoto": Route("GET", "/photos/{name}", "file", True, False, False, True),
    "listWarehouses": Route("GET", "/open/v1/warehouses", "json", False, False, False, True),
    "getOwnWarehouse": Route("GET", "/warehouse/v1/warehouse", "json", False, False, False, True),
    "uploadPhoto": Route("POST", "/warehouse/v1/photos", "upload", False, True, False, False),
    "reportEvents": Route("POST", "/warehouse/v1/events", "json", False, False, False, True),
    "getEventOutcome": Route("GET", "/warehouse/v1/events/{event_id}", "json", False, False, False, True),
    "listUnclaimed": Route("GET", "/warehouse/v1/unclaimed", "json", False, False, False, True),
    "claimUnclaimed": Route("POST", "/warehouse/v1/unclaimed/{id}/claim", "json", False, True, False, True),
    "dismissUnclaimed": Route("POST", "/warehouse/v1/unclaimed/{id}/dismiss", "json", False, True, False, True),
    "listWarehouseForecasts": Route("GET", "/warehouse/v1/forecasts", "json", False, False, False, True),
    "getWarehouseForecast": Route("GET", "/warehouse/v1/forecasts/{forecast_no}", "json", False, False, False, True),
    "lookUpScan": Route("GET", "/warehouse/v1/lookup", "json", False, False, False, True),
    "getOwnAccess": Route("GET", "/open/v1/me", "json", False, False, False, True),
    "listKeys": Route("GET", "/open/v1/keys", "json", False, False, False, True),
    "createKey": Route("POST", "/open/v1/keys", "json", False, True, False, False),
    "getKey": Route("GET", "/open/v1/keys/{key_id}", "json", False, False, False, True),
    "updateKey": Route("PATCH", "/open/v1/keys/{key_id}", "json", False, False, False, False),
    "rotateKey": Route("POST", "/open/v1/keys/{key_id}/rotate", "json", False, True, False, False),
    "revokeKey": Route("POST", "/open/v1/keys/{key_id}/revoke", "json", False, False, False, False),
    "listAuditLog": Route("GET", "/open/v1/audit-log", "json", False, False, False, True),
    "listFailedCalls": Route("GET", "/open/v1/requests", "json", False, False, False, True),
    "getUsage": Route("GET", "/open/v1/usage", "json", False, False, False, True),
    "createConsoleSession": Route("POST", "/open/v1/console/sessions", "json", False, False, False, False),
    "createConsoleLink": Route("POST", "/open/v1/console/links", "json", False, False, False, False),
    "createEndpoint": Route("POST", "/open/v1/webhook-endpoints", "json", False, True, False, False),
    "listEndpoints": Route("GET", "/open/v1/webhook-endpoints", "json", False, False, False, True),
    "getEndpoint": Route("GET", "/open/v1/webhook-endpoints/{endpoint_id}", "json", False, False, False, True),
    "updateEndpoint": Route("PATCH", "/open/v1/webhook-endpoints/{endpoint_id}", "json", False, False, False, True),
    "deleteEndpoint": Route("DELETE", "/open/v1/webhook-endpoints/{endpoint_id}", "json", False, False, False, False),
    "rotateSecret": Route("POST", "/open/v1/webhook-endpoints/{endpoint_id}/rotate-secret", "json", False, True, False, False),
    "sendTestEvent": Route("POST", "/open/v1/webhook-endpoints/{endpoint_id}/test", "json", False, True, False, False),
    "listDeliveries": Route("GET", "/open/v1/webhook-endpoints/{endpoint_id}/deliveries", "json", False, False, False, True),
    "getEndpointFigures": Route("GET", "/open/v1/webhook-endpoints/{endpoint_id}/figures", "json", False, False, False, True),
    "getDelivery": Route("GET", "/open/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}", "json", False, False, False, True),
    "listAttempts": Route("GET", "/open/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}/attempts", "json", False, False, False, True),
    "resendDelivery": Route("POST", "/open/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}/resend", "json", False, True, False, False),
    "replayDeliveries": Route("POST", "/open/v1/webhook-endpoints/{endpoint_id}/replay", "json", False, True, False, False),
    "listEvents": Route("GET", "/open/v1/events", "json", False, False, False, True),
    "listen": Route("GET", "/sandbox/v1/listen", "json", False, False, False, True),
    "simulate": Route("POST", "/sandbox/v1/simulations", "json", False, True, False, False),
}
