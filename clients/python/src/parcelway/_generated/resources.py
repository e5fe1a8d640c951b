# Made from the contract by `npm run docs`; do not edit.
"""The methods of the client, by resource."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, overload

from .. import types as t
from .._batch import batch_of
from .._by_hand import EventsByHand, FilesByHand, ImportsByHand, Resource, WarehouseIntakeByHand
from .._caller import Caller
from .._files import FileSource
from .._options import CallOptions, CorrectionOptions, CreationOptions, check_options
from .._paged import Paged
from .._response import Content
from .._stream import ContentStream

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Forecasts(Resource):
    """Announcing parcels, and asking for what became of them."""

    @overload
    def submit(
        self,
        forecast: t.ForecastSubmission,
        *,
        validate_only: Literal["false"] | None = None,
        **options: Unpack[CreationOptions],
    ) -> t.ForecastAcceptance: ...

    @overload
    def submit(
        self,
        forecast: t.ForecastSubmission,
        *,
        validate_only: Literal["true"],
        **options: Unpack[CreationOptions],
    ) -> t.ForecastValidation: ...

    def submit(
        self,
        forecast: t.ForecastSubmission,
        *,
        validate_only: Literal["true", "false"] | None = None,
        **options: Unpack[CreationOptions],
    ) -> t.ForecastAcceptance | t.ForecastValidation:
        """Submit a forecast.

        Sent again with the same content, the original result comes back with the header `Idempotent-Replayed: true`. Sent again with other content, the response is 40901 and nothing changes. With `validate_only=true` nothing is stored, and the response is that of `POST /open/v1/forecasts/validate`.

        `POST /open/v1/forecasts`
        """
        data: t.ForecastAcceptance | t.ForecastValidation = self._caller.call("submitForecast", query={"validate_only": validate_only}, body=forecast, options=options)
        return data

    def validate(
        self,
        forecast: t.ForecastSubmission,
        **options: Unpack[CallOptions],
    ) -> t.ForecastValidation:
        """Validate a forecast.

        Checks the body of a submission and returns every error and warning that the submission would meet now. Nothing is stored and no number is claimed. The same as a submission with `validate_only=true`.

        `POST /open/v1/forecasts/validate`
        """
        data: t.ForecastValidation = self._caller.call("validateForecast", body=forecast, options=options)
        return data

    def submit_batch(
        self,
        forecasts: t.ForecastBatch | Sequence[t.ForecastSubmission],
        *,
        validate_only: Literal["true", "false"] | None = None,
        **options: Unpack[CreationOptions],
    ) -> t.ForecastBatchResults:
        """Submit many forecasts.

        At most 100 forecasts, at most 5 MB. The platform accepts or refuses each forecast as if you sent it alone. Results keep the order of the request. With `validate_only=true` nothing is stored; the results then have `valid`, `errors` and `warnings`, also for what the forecasts of the batch take from each other.

        `POST /open/v1/forecasts/batch`
        """
        data: t.ForecastBatchResults = self._caller.call("submitForecastBatch", query={"validate_only": validate_only}, body=batch_of(forecasts), options=options)
        return data

    def validate_batch(
        self,
        forecasts: t.ForecastBatch | Sequence[t.ForecastSubmission],
        **options: Unpack[CreationOptions],
    ) -> t.ForecastBatchResults:
        """Validate many forecasts.

        At most 100 forecasts, at most 5 MB. The platform accepts or refuses each forecast as if you sent it alone. Results keep the order of the request. With `validate_only=true` nothing is stored; the results then have `valid`, `errors` and `warnings`, also for what the forecasts of the batch take from each other.

        `POST /open/v1/forecasts/batch`
        """
        data: t.ForecastBatchResults = self._caller.call("submitForecastBatch", query={"validate_only": "true"}, body=batch_of(forecasts), options=options)
        return data

    def query(
        self,
        query: t.ForecastsQuery,
        **options: Unpack[CallOptions],
    ) -> t.ForecastQueryResults:
        """Query many forecasts.

        At most 100 po_numbers, with weighing data and tracking if you ask for them. The tracking is the stored one, with `as_of`: no carrier is asked. Use the tracking query for the current state of one forecast.

        `POST /open/v1/forecasts/query`
        """
        data: t.ForecastQueryResults = self._caller.call("queryForecasts", body=query, options=options)
        return data

    def list(
        self,
        *,
        status: Literal[1, 2, 3, 4, 5, 6, 7, "ACCEPTED", "ARRIVED", "WEIGHED", "PROCESSING", "SHIPPED", "COMPLETED", "CANCELLED"] | None = None,
        po_number: str | None = None,
        q: str | None = None,
        tracking_number: str | None = None,
        sku_code: str | None = None,
        forecast_no: str | None = None,
        warehouse_code: str | None = None,
        has_exception: str | None = None,
        on_hold: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        updated_from: str | None = None,
        updated_to: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[CallOptions],
    ) -> Paged[t.ForecastSummary, t.ForecastList]:
        """List forecasts.

        In pages. Filters combine. Newest first; with `q` in the order of po_number, and with `updated_from` or `updated_to` the latest change first. With several filters a page may have fewer forecasts than `limit`, or none, and others follow: only `next_cursor: null` ends the list.

        `GET /open/v1/forecasts`
        """

        check_options("listForecasts", options)

        def fetch(next_cursor: str | None) -> t.ForecastList:
            page: t.ForecastList = self._caller.call("listForecasts", query={"status": status, "po_number": po_number, "q": q, "tracking_number": tracking_number, "sku_code": sku_code, "forecast_no": forecast_no, "warehouse_code": warehouse_code, "has_exception": has_exception, "on_hold": on_hold, "created_from": created_from, "created_to": created_to, "updated_from": updated_from, "updated_to": updated_to, "limit": limit, "cursor": next_cursor}, options=options)
            return page

        return Paged(fetch, "forecasts", cursor)

    def counts(
        self,
        **options: Unpack[CallOptions],
    ) -> t.ForecastCounts:
        """Count forecasts by status.

        Of each status up to 10,000 forecasts are counted.

        `GET /open/v1/forecast-counts`
        """
        data: t.ForecastCounts = self._caller.call("countForecasts", options=options)
        return data

    def export_csv(
        self,
        *,
        status: Literal[1, 2, 3, 4, 5, 6, 7, "ACCEPTED", "ARRIVED", "WEIGHED", "PROCESSING", "SHIPPED", "COMPLETED", "CANCELLED"] | None = None,
        po_number: str | None = None,
        q: str | None = None,
        tracking_number: str | None = None,
        sku_code: str | None = None,
        forecast_no: str | None = None,
        warehouse_code: str | None = None,
        has_exception: str | None = None,
        on_hold: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        updated_from: str | None = None,
        updated_to: str | None = None,
        **options: Unpack[CallOptions],
    ) -> ContentStream:
        """Export forecasts.

        Every forecast that the filters of the list find, in the order of the list, as CSV: UTF-8 with a byte order mark, a line with the names of the columns, then one line for each forecast. A text that a spreadsheet would take for a formula begins with an apostrophe. If the connection breaks, the table is incomplete. At most 2 exports at the same time.

        `GET /open/v1/forecasts.csv`
        """
        data: ContentStream = self._caller.stream("exportForecasts", query={"status": status, "po_number": po_number, "q": q, "tracking_number": tracking_number, "sku_code": sku_code, "forecast_no": forecast_no, "warehouse_code": warehouse_code, "has_exception": has_exception, "on_hold": on_hold, "created_from": created_from, "created_to": created_to, "updated_from": updated_from, "updated_to": updated_to}, options=options)
        return data

    def get(
        self,
        po_number: str,
        **options: Unpack[CallOptions],
    ) -> t.ForecastDetail:
        """Read a forecast.

        The live forecast of this po_number; when all are cancelled, the newest. A po_number that reads `weighing`, `tracking` or `import` is found by the filter of the list.

        `GET /open/v1/forecasts/{po_number}`
        """
        data: t.ForecastDetail = self._caller.call("getForecast", path={"po_number": po_number}, options=options)
        return data

    def correct(
        self,
        po_number: str,
        correction: t.ForecastCorrection,
        **options: Unpack[CorrectionOptions],
    ) -> t.CorrectedForecast:
        """Correct a forecast.

        Until the parcel arrives (status 1), every field of the body can change. From then until the dispatch only `shipping_label` and `shipping_note`. Each change makes a new `version`; a body that changes nothing makes none. `If-Match` with the version that you read keeps you from overwriting what somebody else corrected.

        `PATCH /open/v1/forecasts/{po_number}`
        """
        data: t.CorrectedForecast = self._caller.call("correctForecast", path={"po_number": po_number}, body=correction, options=options)
        return data

    def cancel(
        self,
        po_number: str,
        **options: Unpack[CallOptions],
    ) -> t.ForecastCancellation:
        """Cancel a forecast.

        Possible until the parcel arrives (status 1). The po_number and its tracking numbers are free again afterwards.

        `POST /open/v1/forecasts/{po_number}/cancel`
        """
        data: t.ForecastCancellation = self._caller.call("cancelForecast", path={"po_number": po_number}, options=options)
        return data

    def add_image(
        self,
        po_number: str,
        image: t.ForecastImageAddition,
        **options: Unpack[CallOptions],
    ) -> t.ForecastImage:
        """Put an image on a forecast.

        At most 20 own images for each forecast, in any status but CANCELLED. `forecast_images` of the weighing query shows them with `upload_source: "tenant"`. `version` stays.

        `POST /open/v1/forecasts/{po_number}/images`
        """
        data: t.ForecastImage = self._caller.call("addForecastImage", path={"po_number": po_number}, body=image, options=options)
        return data

    def remove_image(
        self,
        po_number: str,
        image_number: str,
        **options: Unpack[CallOptions],
    ) -> t.ForecastImageRemoval:
        """Remove an own image from a forecast.

        `image_number` is the `id` of the image. Images of the warehouse cannot be removed.

        `DELETE /open/v1/forecasts/{po_number}/images/{image_number}`
        """
        data: t.ForecastImageRemoval = self._caller.call("removeForecastImage", path={"po_number": po_number, "image_number": image_number}, options=options)
        return data

    def weighing(
        self,
        po_number: str,
        **options: Unpack[CallOptions],
    ) -> t.WeighingData:
        """Query weighing information.

        Complete from the moment at which `parcel.weighed` is sent.

        `GET /open/v1/forecasts/weighing`
        """
        data: t.WeighingData = self._caller.call("queryWeighing", query={"po_number": po_number}, options=options)
        return data

    def tracking(
        self,
        po_number: str,
        **options: Unpack[CallOptions],
    ) -> t.TrackingResult:
        """Query tracking.

        Asks the carrier at the time of the request.

        `GET /open/v1/forecasts/tracking`
        """
        data: t.TrackingResult = self._caller.call("queryTracking", query={"po_number": po_number}, options=options)
        return data


class Carriers(Resource):
    """Which carriers may have given a tracking number, and which can be tracked."""

    def list(
        self,
        **options: Unpack[CallOptions],
    ) -> t.CarrierList:
        """List the carriers that can be tracked.

        Which carriers your connections and those of the platform serve. A parcel of another carrier cannot be tracked in production, unless a connection serves every carrier.

        `GET /open/v1/carriers`
        """
        data: t.CarrierList = self._caller.call("listCarriers", options=options)
        return data

    def detect(
        self,
        tracking_number: str,
        **options: Unpack[CallOptions],
    ) -> t.CarrierDetection:
        """Detect the carrier of a tracking number.

        Names the carriers that may have given the number, by its form and its check digit. No carrier is asked, and nothing is stored. An empty list is no fault: carriers change their numbers without notice.

        `GET /open/v1/carriers/detect`
        """
        data: t.CarrierDetection = self._caller.call("detectCarriers", query={"tracking_number": tracking_number}, options=options)
        return data


class CarrierConnections(Resource):
    """Your own accounts with vendors of tracking data."""

    def create(
        self,
        connection: t.ConnectionCreation,
        **options: Unpack[CreationOptions],
    ) -> t.ConnectionSaved:
        """Connect an account.

        From then on the carriers of your parcels are asked with your own account. The credentials are stored encrypted, and no response shows them. At most 50 connections a tenant.

        `POST /open/v1/carrier-connections`
        """
        data: t.ConnectionSaved = self._caller.call("createConnection", body=connection, options=options)
        return data

    def list(
        self,
        **options: Unpack[CallOptions],
    ) -> t.CarrierConnectionList:
        """List connections.

        `GET /open/v1/carrier-connections`
        """
        data: t.CarrierConnectionList = self._caller.call("listConnections", options=options)
        return data

    def get(
        self,
        connection_id: str,
        **options: Unpack[CallOptions],
    ) -> t.CarrierConnection:
        """Read a connection.

        `GET /open/v1/carrier-connections/{connection_id}`
        """
        data: t.CarrierConnection = self._caller.call("getConnection", path={"connection_id": connection_id}, options=options)
        return data

    def update(
        self,
        connection_id: str,
        change: t.ConnectionChange,
        **options: Unpack[CallOptions],
    ) -> t.ConnectionSaved:
        """Change a connection.

        Changes only what the body names. A new value of a secret that proves pushes leaves the former one valid, too.

        `PATCH /open/v1/carrier-connections/{connection_id}`
        """
        data: t.ConnectionSaved = self._caller.call("updateConnection", path={"connection_id": connection_id}, body=change, options=options)
        return data

    def delete(
        self,
        connection_id: str,
        **options: Unpack[CallOptions],
    ) -> t.ConnectionDeletion:
        """Delete a connection.

        Its credentials are deleted, and its pushes are refused. Remove the address at the source, too.

        `DELETE /open/v1/carrier-connections/{connection_id}`
        """
        data: t.ConnectionDeletion = self._caller.call("deleteConnection", path={"connection_id": connection_id}, options=options)
        return data

    def test(
        self,
        connection_id: str,
        **options: Unpack[CallOptions],
    ) -> t.ConnectionTest:
        """Test a connection.

        Makes one call of the source that shows whether it accepts the credentials. A refusal of the source is a result, not a failure.

        `POST /open/v1/carrier-connections/{connection_id}/test`
        """
        data: t.ConnectionTest = self._caller.call("testConnection", path={"connection_id": connection_id}, options=options)
        return data


class Files(FilesByHand):
    """PDFs of forecasts, and opening photos."""

    def upload_pdf(
        self,
        file: FileSource,
        *,
        name: str | None = None,
        url_expires_in: int | None = None,
        **options: Unpack[CreationOptions],
    ) -> t.UploadedFile:
        """Upload a PDF.

        The file name must end in `.pdf`, in any case, and the content must be a PDF. At most 10 MB (10,485,760 bytes). Identical content is stored once per tenant. The field `url_expires_in` makes the returned URL expire; a forecast that names it keeps its file all the same.

        url_expires_in: seconds for which the returned URL opens the file, an hour to a year; it never expires when absent.

        `POST /open/v1/files/pdf`
        """
        data: t.UploadedFile = self._caller.call("uploadPdf", upload=(file, name), form={"url_expires_in": url_expires_in}, options=options)
        return data

    def upload_image(
        self,
        image: FileSource,
        *,
        name: str | None = None,
        **options: Unpack[CreationOptions],
    ) -> t.UploadedImage:
        """Upload an image.

        JPEG, PNG or WebP of at most 10 MB (10,485,760 bytes), by its content. Put it on a forecast within 30 days; an image that is on no forecast is deleted after that.

        `POST /open/v1/files/image`
        """
        data: t.UploadedImage = self._caller.call("uploadImage", upload=(image, name), options=options)
        return data

    def list(
        self,
        *,
        used: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[CallOptions],
    ) -> Paged[t.OwnFile, t.FileList]:
        """List uploaded PDFs.

        Newest first, in pages, each with the forecasts that name it. Filters combine.

        `GET /open/v1/files`
        """

        check_options("listFiles", options)

        def fetch(next_cursor: str | None) -> t.FileList:
            page: t.FileList = self._caller.call("listFiles", query={"used": used, "created_from": created_from, "created_to": created_to, "limit": limit, "cursor": next_cursor}, options=options)
            return page

        return Paged(fetch, "files", cursor)

    def get(
        self,
        attachment_id: str,
        **options: Unpack[CallOptions],
    ) -> t.OwnFile:
        """Read an uploaded PDF.

        `GET /open/v1/files/{attachment_id}`
        """
        data: t.OwnFile = self._caller.call("getFile", path={"attachment_id": attachment_id}, options=options)
        return data

    def delete(
        self,
        attachment_id: str,
        **options: Unpack[CallOptions],
    ) -> t.FileDeletion:
        """Delete an uploaded PDF.

        Only a file that no forecast names: otherwise 40902 lists the forecasts in `used_by`. It opens no more at once, and its content is deleted after 24 hours. Until then a forecast that names one of its URLs brings it back.

        `DELETE /open/v1/files/{attachment_id}`
        """
        data: t.FileDeletion = self._caller.call("deleteFile", path={"attachment_id": attachment_id}, options=options)
        return data

    def url(
        self,
        attachment_id: str,
        request: t.FileUrlRequest | None = None,
        **options: Unpack[CallOptions],
    ) -> t.FileUrl:
        """Make a URL of an uploaded PDF.

        Forecasts take it like the URL of the upload. Earlier URLs stay as they are.

        `POST /open/v1/files/{attachment_id}/url`
        """
        data: t.FileUrl = self._caller.call("createFileUrl", path={"attachment_id": attachment_id}, body=request, options=options)
        return data


class Imports(ImportsByHand):
    """Forecasts from a spreadsheet."""

    def create(
        self,
        spreadsheet: FileSource,
        *,
        name: str | None = None,
        mapping: Mapping[str, str | None] | None = None,
        validate_only: bool | None = None,
        **options: Unpack[CreationOptions],
    ) -> t.ForecastImport:
        """Import forecasts from a spreadsheet.

        A `.csv` or `.xlsx` file of at most 20 MB and 50,000 rows, with a header and one row for each item. The rows with one `po_number` form one forecast. The response comes before the forecasts are submitted: read the import until its `state` is not `running`. At most 10 imports may be unfinished: one more is 40902.

        mapping: title of a column → name of a field, or None to ignore the column. Columns that it does not name are mapped by their titles.

        validate_only: True checks every forecast and submits none.

        `POST /open/v1/forecasts/import`
        """
        data: t.ForecastImport = self._caller.call("importForecasts", upload=(spreadsheet, name), form={"mapping": mapping, "validate_only": validate_only}, options=options)
        return data

    def preview(
        self,
        spreadsheet: FileSource,
        *,
        name: str | None = None,
        mapping: Mapping[str, str | None] | None = None,
        **options: Unpack[CallOptions],
    ) -> t.ForecastImportPreview:
        """Preview an import.

        Which column fills which field, and the first 10 rows with their errors. Nothing is stored or submitted.

        mapping: title of a column → name of a field, or None to ignore the column. Columns that it does not name are mapped by their titles.

        `POST /open/v1/forecasts/import/preview`
        """
        data: t.ForecastImportPreview = self._caller.call("previewImport", upload=(spreadsheet, name), form={"mapping": mapping}, options=options)
        return data

    def list(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        **options: Unpack[CallOptions],
    ) -> Paged[t.ForecastImport, t.ForecastImportList]:
        """List imports.

        Newest first, in pages. Imports are kept for 30 days.

        `GET /open/v1/forecasts/import`
        """

        check_options("listImports", options)

        def fetch(next_cursor: str | None) -> t.ForecastImportList:
            page: t.ForecastImportList = self._caller.call("listImports", query={"cursor": next_cursor, "limit": limit}, options=options)
            return page

        return Paged(fetch, "imports", cursor)

    def get(
        self,
        import_id: str,
        **options: Unpack[CallOptions],
    ) -> t.ForecastImport:
        """Read an import.

        `GET /open/v1/forecasts/import/{import_id}`
        """
        data: t.ForecastImport = self._caller.call("getImport", path={"import_id": import_id}, options=options)
        return data

    def rows(
        self,
        import_id: str,
        *,
        state: Literal["accepted", "failed"] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        **options: Unpack[CallOptions],
    ) -> Paged[t.ImportRow, t.ImportRowList]:
        """List the rows of an import.

        The result of each row, in the order of the file, in pages.

        `GET /open/v1/forecasts/import/{import_id}/rows`
        """

        check_options("listImportRows", options)

        def fetch(next_cursor: str | None) -> t.ImportRowList:
            page: t.ImportRowList = self._caller.call("listImportRows", path={"import_id": import_id}, query={"state": state, "cursor": next_cursor, "limit": limit}, options=options)
            return page

        return Paged(fetch, "rows", cursor)

    def failed_rows(
        self,
        import_id: str,
        *,
        format: Literal["csv", "xlsx"] | None = None,
        **options: Unpack[CallOptions],
    ) -> Content:
        """Get the failed rows as a spreadsheet.

        The columns of the file, and `error`. Correct the rows and import the file: the column `error` is ignored. When a row fails, all rows of its forecast are here. The file has the format of the one that was imported, or that of `format`. In XLSX, every cell is a text: a spreadsheet program keeps long numbers and dates as they are.

        `GET /open/v1/forecasts/import/{import_id}/failed-rows`
        """
        data: Content = self._caller.call("getFailedRows", path={"import_id": import_id}, query={"format": format}, options=options)
        return data

    def failed_csv(
        self,
        import_id: str,
        **options: Unpack[CallOptions],
    ) -> Content:
        """Get the failed rows as CSV.

        The columns of the file, and `error`. Correct the rows and import the file: the column `error` is ignored. When a row fails, all rows of its forecast are here. The file has the format of the one that was imported, or that of `format`. In XLSX, every cell is a text: a spreadsheet program keeps long numbers and dates as they are.

        `GET /open/v1/forecasts/import/{import_id}/failed-rows`
        """
        data: Content = self._caller.call("getFailedRows", path={"import_id": import_id}, query={"format": "csv"}, options=options)
        return data

    def cancel(
        self,
        import_id: str,
        **options: Unpack[CallOptions],
    ) -> t.ForecastImport:
        """Cancel an import.

        Forecasts that are not submitted yet, except for a few under way, are not submitted. Accepted forecasts stay.

        `POST /open/v1/forecasts/import/{import_id}/cancel`
        """
        data: t.ForecastImport = self._caller.call("cancelImport", path={"import_id": import_id}, options=options)
        return data

    def template_csv(
        self,
        **options: Unpack[CallOptions],
    ) -> Content:
        """Get a template as CSV.

        A header and two sample rows. Replace the URLs of label and packing list by those of your uploads.

        `GET /open/v1/forecasts/import/template.csv`
        """
        data: Content = self._caller.call("getImportTemplateCsv", options=options)
        return data

    def template_xlsx(
        self,
        **options: Unpack[CallOptions],
    ) -> Content:
        """Get a template as XLSX.

        A header and two sample rows. Replace the URLs of label and packing list by those of your uploads.

        `GET /open/v1/forecasts/import/template.xlsx`
        """
        data: Content = self._caller.call("getImportTemplateXlsx", options=options)
        return data


class Warehouses(Resource):
    """Warehouses that a forecast may name."""

    def list(
        self,
        **options: Unpack[CallOptions],
    ) -> t.WarehouseList:
        """List warehouses.

        Codes that a forecast may name.

        `GET /open/v1/warehouses`
        """
        data: t.WarehouseList = self._caller.call("listWarehouses", options=options)
        return data


class WebhookEndpoints(Resource):
    """Receivers of webhooks."""

    def create(
        self,
        endpoint: t.EndpointCreation,
        **options: Unpack[CreationOptions],
    ) -> t.EndpointCreated:
        """Register an endpoint.

        The response shows the signing secret, this once. At most 10 endpoints a tenant.

        `POST /open/v1/webhook-endpoints`
        """
        data: t.EndpointCreated = self._caller.call("createEndpoint", body=endpoint, options=options)
        return data

    def list(
        self,
        **options: Unpack[CallOptions],
    ) -> t.WebhookEndpointList:
        """List endpoints.

        `GET /open/v1/webhook-endpoints`
        """
        data: t.WebhookEndpointList = self._caller.call("listEndpoints", options=options)
        return data

    def get(
        self,
        endpoint_id: str,
        **options: Unpack[CallOptions],
    ) -> t.WebhookEndpoint:
        """Read an endpoint.

        `GET /open/v1/webhook-endpoints/{endpoint_id}`
        """
        data: t.WebhookEndpoint = self._caller.call("getEndpoint", path={"endpoint_id": endpoint_id}, options=options)
        return data

    def update(
        self,
        endpoint_id: str,
        change: t.EndpointChange,
        **options: Unpack[CallOptions],
    ) -> t.EndpointChanged:
        """Change an endpoint.

        Only the fields given; `filter`, `headers` and `metadata` are replaced as a whole. `status: enabled` starts a paused or disabled endpoint again: events that waited during a pause are sent at once; events that were held while it was disabled are sent by a replay.

        `PATCH /open/v1/webhook-endpoints/{endpoint_id}`
        """
        data: t.EndpointChanged = self._caller.call("updateEndpoint", path={"endpoint_id": endpoint_id}, body=change, options=options)
        return data

    def delete(
        self,
        endpoint_id: str,
        **options: Unpack[CallOptions],
    ) -> t.EndpointDeletion:
        """Delete an endpoint.

        `DELETE /open/v1/webhook-endpoints/{endpoint_id}`
        """
        data: t.EndpointDeletion = self._caller.call("deleteEndpoint", path={"endpoint_id": endpoint_id}, options=options)
        return data

    def rotate_secret(
        self,
        endpoint_id: str,
        request: t.RotationRequest | None = None,
        **options: Unpack[CreationOptions],
    ) -> t.EndpointCreated:
        """Rotate the signing secret.

        For 24 hours deliveries are signed with the new and the former secret, unless the body says otherwise. An even older secret becomes invalid at once.

        `POST /open/v1/webhook-endpoints/{endpoint_id}/rotate-secret`
        """
        data: t.EndpointCreated = self._caller.call("rotateSecret", path={"endpoint_id": endpoint_id}, body=request, options=options)
        return data

    def figures(
        self,
        endpoint_id: str,
        *,
        from_date: str | None = None,
        to_date: str | None = None,
        **options: Unpack[CallOptions],
    ) -> t.EndpointFigures:
        """Read the figures of an endpoint.

        How many attempts of each day, UTC, succeeded and failed, and how long they took. What happened in the last seconds may be missing. The figures are for your information: if a process of the platform is killed, some seconds of them are lost.

        `GET /open/v1/webhook-endpoints/{endpoint_id}/figures`
        """
        data: t.EndpointFigures = self._caller.call("getEndpointFigures", path={"endpoint_id": endpoint_id}, query={"from_date": from_date, "to_date": to_date}, options=options)
        return data

    def test(
        self,
        endpoint_id: str,
        request: t.TestRequest | None = None,
        **options: Unpack[CreationOptions],
    ) -> t.TestDelivery:
        """Send a test event.

        An event of the chosen type with made-up data, sent and logged like any other, whatever the endpoint subscribes to. Tried once; a failure does not count against the endpoint.

        `POST /open/v1/webhook-endpoints/{endpoint_id}/test`
        """
        data: t.TestDelivery = self._caller.call("sendTestEvent", path={"endpoint_id": endpoint_id}, body=request, options=options)
        return data


class Deliveries(Resource):
    """Events on their way to a receiver."""

    def list(
        self,
        endpoint_id: str,
        *,
        status: Literal["pending", "succeeded", "failed", "held"] | None = None,
        event_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[CallOptions],
    ) -> Paged[t.Delivery, t.DeliveryList]:
        """List deliveries.

        `GET /open/v1/webhook-endpoints/{endpoint_id}/deliveries`
        """

        check_options("listDeliveries", options)

        def fetch(next_cursor: str | None) -> t.DeliveryList:
            page: t.DeliveryList = self._caller.call("listDeliveries", path={"endpoint_id": endpoint_id}, query={"status": status, "event_id": event_id, "limit": limit, "cursor": next_cursor}, options=options)
            return page

        return Paged(fetch, "deliveries", cursor)

    def get(
        self,
        endpoint_id: str,
        delivery_id: str,
        **options: Unpack[CallOptions],
    ) -> t.DeliveryDetail:
        """Read a delivery.

        With the body that is sent.

        `GET /open/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}`
        """
        data: t.DeliveryDetail = self._caller.call("getDelivery", path={"endpoint_id": endpoint_id, "delivery_id": delivery_id}, options=options)
        return data

    def attempts(
        self,
        endpoint_id: str,
        delivery_id: str,
        **options: Unpack[CallOptions],
    ) -> t.DeliveryAttemptList:
        """List the attempts of a delivery.

        `GET /open/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}/attempts`
        """
        data: t.DeliveryAttemptList = self._caller.call("listAttempts", path={"endpoint_id": endpoint_id, "delivery_id": delivery_id}, options=options)
        return data

    def resend(
        self,
        endpoint_id: str,
        delivery_id: str,
        **options: Unpack[CreationOptions],
    ) -> t.Delivery:
        """Resend a delivery.

        Sends the same event under the same webhook-id, whatever its previous result.

        `POST /open/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}/resend`
        """
        data: t.Delivery = self._caller.call("resendDelivery", path={"endpoint_id": endpoint_id, "delivery_id": delivery_id}, options=options)
        return data

    def replay(
        self,
        endpoint_id: str,
        request: t.ReplayRequest,
        **options: Unpack[CreationOptions],
    ) -> t.ReplayResult:
        """Replay a time range.

        Sends the events of a time range that match the subscription of the endpoint, those held while it was disabled included. A long range takes several calls: ask again with `cursor: next_cursor` until that is null.

        `POST /open/v1/webhook-endpoints/{endpoint_id}/replay`
        """
        data: t.ReplayResult = self._caller.call("replayDeliveries", path={"endpoint_id": endpoint_id}, body=request, options=options)
        return data


class Events(EventsByHand):
    """The feed of events."""


class Keys(Resource):
    """Your API keys."""

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[CallOptions],
    ) -> Paged[t.TenantKey, t.TenantKeyList]:
        """List keys.

        Newest first, in pages, with the revoked and expired ones. No response shows a key itself again.

        `GET /open/v1/keys`
        """

        check_options("listKeys", options)

        def fetch(next_cursor: str | None) -> t.TenantKeyList:
            page: t.TenantKeyList = self._caller.call("listKeys", query={"limit": limit, "cursor": next_cursor}, options=options)
            return page

        return Paged(fetch, "keys", cursor)

    def create(
        self,
        creation: t.KeyCreation,
        **options: Unpack[CreationOptions],
    ) -> t.KeyCreated:
        """Create a key.

        The response shows the key, this once. It never has more scopes than the calling key, and has the same rate limit. At most 100 working keys a tenant.

        `POST /open/v1/keys`
        """
        data: t.KeyCreated = self._caller.call("createKey", body=creation, options=options)
        return data

    def get(
        self,
        key_id: str,
        **options: Unpack[CallOptions],
    ) -> t.TenantKey:
        """Read a key.

        `GET /open/v1/keys/{key_id}`
        """
        data: t.TenantKey = self._caller.call("getKey", path={"key_id": key_id}, options=options)
        return data

    def update(
        self,
        key_id: str,
        change: t.KeyChange,
        **options: Unpack[CallOptions],
    ) -> t.KeyChanged:
        """Change a key.

        Only the fields given; `scopes` and `allowed_addresses` are replaced as a whole. Takes effect within 5 seconds. A key that is revoked or expired cannot be changed.

        `PATCH /open/v1/keys/{key_id}`
        """
        data: t.KeyChanged = self._caller.call("updateKey", path={"key_id": key_id}, body=change, options=options)
        return data

    def rotate(
        self,
        key_id: str,
        request: t.KeyRotation | None = None,
        **options: Unpack[CreationOptions],
    ) -> t.KeyRotated:
        """Rotate a key.

        Creates a key with the same scopes, description, addresses, rate limit and length of life. The former key works until the overlap ends. A key with `keys:manage` may rotate itself, too. A key with more scopes than the calling key is refused with 40301.

        `POST /open/v1/keys/{key_id}/rotate`
        """
        data: t.KeyRotated = self._caller.call("rotateKey", path={"key_id": key_id}, body=request, options=options)
        return data

    def revoke(
        self,
        key_id: str,
        **options: Unpack[CallOptions],
    ) -> t.TenantKey:
        """Revoke a key.

        For good, within 5 seconds. The last key that has `keys:manage` for more than a day cannot be revoked.

        `POST /open/v1/keys/{key_id}/revoke`
        """
        data: t.TenantKey = self._caller.call("revokeKey", path={"key_id": key_id}, options=options)
        return data


class Activity(Resource):
    """What your keys did."""

    def audit_log(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        action: Literal["key.created", "key.updated", "key.rotated", "key.revoked", "console_link.created", "console_session.created", "forecast.corrected", "forecast.cancelled", "forecast.image_added", "forecast.image_removed", "import.started", "import.cancelled", "endpoint.created", "endpoint.updated", "endpoint.deleted", "endpoint.secret_rotated", "connection.created", "connection.updated", "connection.deleted", "file.deleted", "file.url_created", "tenant.renamed", "tenant.suspended", "tenant.resumed", "tenant.retention_changed", "tenant.numbers_limited", "tenant.exported"] | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        **options: Unpack[CallOptions],
    ) -> Paged[t.AuditEntry, t.AuditLog]:
        """Read the audit log.

        Who changed keys, webhook endpoints, carrier connections, files and forecasts, newest first, for a year. Submissions are not among them: the status history of a forecast names the key that submitted it.

        `GET /open/v1/audit-log`
        """

        check_options("listAuditLog", options)

        def fetch(next_cursor: str | None) -> t.AuditLog:
            page: t.AuditLog = self._caller.call("listAuditLog", query={"limit": limit, "cursor": next_cursor, "action": action, "created_from": created_from, "created_to": created_to}, options=options)
            return page

        return Paged(fetch, "entries", cursor)

    def failed_calls(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        request_id: str | None = None,
        key_id: str | None = None,
        code: Literal["40001", "40002", "40003", "40101", "40301", "40302", "40401", "40402", "40403", "40501", "40901", "40902", "41201", "41301", "41501", "42201", "42202", "42203", "42204", "42205", "42206", "42207", "42901", "50000", "50001", "50301"] | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        **options: Unpack[CallOptions],
    ) -> Paged[t.FailedCall, t.FailedCallList]:
        """List failed calls.

        Calls of the last 7 days with a status of 400 or more, newest first, without their bodies. A call appears within a few seconds. Each gateway records 100 at once, then one every 4 seconds, and fewer that exceed the rate limit; `failed_calls` of the usage counts them all.

        `GET /open/v1/requests`
        """

        check_options("listFailedCalls", options)

        def fetch(next_cursor: str | None) -> t.FailedCallList:
            page: t.FailedCallList = self._caller.call("listFailedCalls", query={"limit": limit, "cursor": next_cursor, "request_id": request_id, "key_id": key_id, "code": code, "created_from": created_from, "created_to": created_to}, options=options)
            return page

        return Paged(fetch, "requests", cursor)

    def usage(
        self,
        *,
        from_date: str | None = None,
        to_date: str | None = None,
        **options: Unpack[CallOptions],
    ) -> t.Usage:
        """Read the usage.

        Calls, parcels, events and files of each day, UTC, and what was stored at its beginning. What happened in the last minute may be missing. The figures are for your information: if a process of the platform is killed, some seconds of them are lost.

        `GET /open/v1/usage`
        """
        data: t.Usage = self._caller.call("getUsage", query={"from_date": from_date, "to_date": to_date}, options=options)
        return data


class Console(Resource):
    """How people come into the console."""

    def create_link(
        self,
        creation: t.ConsoleLinkCreation | None = None,
        **options: Unpack[CallOptions],
    ) -> t.ConsoleLink:
        """Create a link to the console.

        For a person who has no key: your own system creates the link and opens it for its user. It works for an hour at most, ends with the calling key, and never manages keys. Revoke the key to end it at once. A session creates no links.

        `POST /open/v1/console/links`
        """
        data: t.ConsoleLink = self._caller.call("createConsoleLink", body=creation, options=options)
        return data

    def create_session(
        self,
        **options: Unpack[CallOptions],
    ) -> t.ConsoleSession:
        """Begin a session of the console.

        The console sends the session token instead of the key, so that it does not store the key. The token has the scopes and allowed addresses of the key, and expires after 8 hours or with the key. Only the key itself can create, change or rotate keys, begin sessions and create links.

        `POST /open/v1/console/sessions`
        """
        data: t.ConsoleSession = self._caller.call("createConsoleSession", options=options)
        return data


class Me(Resource):
    """Who calls."""

    def get(
        self,
        **options: Unpack[CallOptions],
    ) -> t.OwnAccess:
        """Read who calls.

        The tenant, the calling key with its scopes, and the rate limits in force. Verifies a key.

        `GET /open/v1/me`
        """
        data: t.OwnAccess = self._caller.call("getOwnAccess", options=options)
        return data


class Sandbox(Resource):
    """What only the sandbox has."""

    def simulate(
        self,
        simulation: t.Simulation,
        **options: Unpack[CreationOptions],
    ) -> t.SimulationResult:
        """Simulate the warehouse or the carrier.

        Sends what a warehouse or carrier would send, on the real path. Sandbox only.

        `POST /sandbox/v1/simulations`
        """
        data: t.SimulationResult = self._caller.call("simulate", body=simulation, options=options)
        return data

    def listen(
        self,
        *,
        after: str | None = None,
        endpoint_id: str | None = None,
        event_types: Sequence[t.WebhookEventType] | None = None,
        wait: int | None = None,
        **options: Unpack[CallOptions],
    ) -> t.ListenResult:
        """Receive webhooks without a public address.

        Returns signed webhooks, for a program that passes them on to a local receiver, such as `parcelctl listen`. Waits for events when there are none. Sandbox only.

        `GET /sandbox/v1/listen`
        """
        data: t.ListenResult = self._caller.call("listen", query={"after": after, "endpoint_id": endpoint_id, "event_types": event_types, "wait": wait}, options=options)
        return data


class WarehouseIntake(WarehouseIntakeByHand):
    """What a warehouse reports and sees, with a warehouse's key."""

    def self(
        self,
        **options: Unpack[CallOptions],
    ) -> t.Warehouse:
        """Read the warehouse of the key.

        Verifies a key, and returns the `warehouse_code` that its events need.

        `GET /warehouse/v1/warehouse`
        """
        data: t.Warehouse = self._caller.call("getOwnWarehouse", options=options)
        return data

    def event(
        self,
        event_id: str,
        **options: Unpack[CallOptions],
    ) -> t.EventOutcome:
        """Read the outcome of an event.

        Applied, waiting, dismissed or rejected. The newest 10,000 rejected reports of a warehouse are kept for 7 days.

        `GET /warehouse/v1/events/{event_id}`
        """
        data: t.EventOutcome = self._caller.call("getEventOutcome", path={"event_id": event_id}, options=options)
        return data

    def list_unclaimed(
        self,
        *,
        reason: Literal["no_forecast", "ambiguous", "takes_no_dispatch"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[CallOptions],
    ) -> t.WaitingEventList:
        """List unclaimed parcels.

        Events of this warehouse that wait for their forecast, oldest first, in pages.

        `GET /warehouse/v1/unclaimed`
        """
        data: t.WaitingEventList = self._caller.call("listUnclaimed", query={"reason": reason, "limit": limit, "cursor": cursor}, options=options)
        return data

    def claim(
        self,
        id: str,
        claim: t.UnclaimedClaim,
        **options: Unpack[CreationOptions],
    ) -> t.ResolutionResult:
        """Claim an unclaimed parcel for a forecast.

        All waiting events of this warehouse with the same number are applied to the forecast, in the order in which they occurred. Later events with this number are applied to it too. The forecast need not declare the number. The barcode or SKU of a product cannot be claimed, because it names no parcel: 40902.

        `POST /warehouse/v1/unclaimed/{id}/claim`
        """
        data: t.ResolutionResult = self._caller.call("claimUnclaimed", path={"id": id}, body=claim, options=options)
        return data

    def dismiss(
        self,
        id: str,
        dismissal: t.UnclaimedDismissal,
        **options: Unpack[CreationOptions],
    ) -> t.ResolutionResult:
        """Dismiss an unclaimed parcel.

        All waiting events of this warehouse with the same number are dismissed. Later events with this number wait again.

        `POST /warehouse/v1/unclaimed/{id}/dismiss`
        """
        data: t.ResolutionResult = self._caller.call("dismissUnclaimed", path={"id": id}, body=dismissal, options=options)
        return data

    def forecasts(
        self,
        *,
        status: str | None = None,
        due_from: str | None = None,
        due_to: str | None = None,
        updated_from: str | None = None,
        tenant_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[CallOptions],
    ) -> t.WarehouseForecastList:
        """List expected and present parcels.

        Forecasts of the warehouse of the key, latest change first. One loop loads and polls: send `next_cursor` while `has_more` is true, then send it again to read what has changed. A forecast may be shown again; no change is left out. One that a correction has moved to another warehouse is shown once more, with `moved`.

        `GET /warehouse/v1/forecasts`
        """
        data: t.WarehouseForecastList = self._caller.call("listWarehouseForecasts", query={"status": status, "due_from": due_from, "due_to": due_to, "updated_from": updated_from, "tenant_id": tenant_id, "limit": limit, "cursor": cursor}, options=options)
        return data

    def forecast(
        self,
        forecast_no: str,
        **options: Unpack[CallOptions],
    ) -> t.WarehouseForecastDetail:
        """Read a forecast of the warehouse.

        Items, files, status, measurements, photos and holds. A forecast of another warehouse is 40403.

        `GET /warehouse/v1/forecasts/{forecast_no}`
        """
        data: t.WarehouseForecastDetail = self._caller.call("getWarehouseForecast", path={"forecast_no": forecast_no}, options=options)
        return data

    def look_up(
        self,
        scan: str,
        **options: Unpack[CallOptions],
    ) -> t.WarehouseLookup:
        """Look up what a scanner has read.

        A logistics number, declared or claimed, a forecast number, a po_number, the QR code of a carton label, a barcode (EAN-8, EAN-13, UPC-A, GTIN-14) or a SKU of an item.

        `GET /warehouse/v1/lookup`
        """
        data: t.WarehouseLookup = self._caller.call("lookUpScan", query={"scan": scan}, options=options)
        return data

    def carriers(
        self,
        **options: Unpack[CallOptions],
    ) -> t.WarehouseCarriers:
        """List the carriers that connections of the platform name.

        Offer these codes for a dispatch. A parcel of another carrier may not be tracked by anybody.

        `GET /warehouse/v1/carriers`
        """
        data: t.WarehouseCarriers = self._caller.call("listWarehouseCarriers", options=options)
        return data

    def upload_photo(
        self,
        photo: FileSource,
        *,
        name: str | None = None,
        **options: Unpack[CreationOptions],
    ) -> t.UploadedPhoto:
        """Upload a photo.

        JPEG, PNG or WebP of at most 10 MB. Use the returned photo_id in an event.

        `POST /warehouse/v1/photos`
        """
        data: t.UploadedPhoto = self._caller.call("uploadPhoto", upload=(photo, name), options=options)
        return data


class Resources:
    """What a client can do."""

    forecasts: Forecasts
    """Announcing parcels, and asking for what became of them."""
    carriers: Carriers
    """Which carriers may have given a tracking number, and which can be tracked."""
    carrier_connections: CarrierConnections
    """Your own accounts with vendors of tracking data."""
    files: Files
    """PDFs of forecasts, and opening photos."""
    imports: Imports
    """Forecasts from a spreadsheet."""
    warehouses: Warehouses
    """Warehouses that a forecast may name."""
    webhook_endpoints: WebhookEndpoints
    """Receivers of webhooks."""
    deliveries: Deliveries
    """Events on their way to a receiver."""
    events: Events
    """The feed of events."""
    keys: Keys
    """Your API keys."""
    activity: Activity
    """What your keys did."""
    console: Console
    """How people come into the console."""
    me: Me
    """Who calls."""
    sandbox: Sandbox
    """What only the sandbox has."""
    warehouse: WarehouseIntake
    """What a warehouse reports and sees, with a warehouse's key."""

    def __init__(self, caller: Caller) -> None:
        self.forecasts = Forecasts(caller)
        self.carriers = Carriers(caller)
        self.carrier_connections = CarrierConnections(caller)
        self.files = Files(caller)
        self.imports = Imports(caller)
        self.warehouses = Warehouses(caller)
        self.webhook_endpoints = WebhookEndpoints(caller)
        self.deliveries = Deliveries(caller)
        self.events = Events(caller)
        self.keys = Keys(caller)
        self.activity = Activity(caller)
        self.console = Console(caller)
        self.me = Me(caller)
        self.sandbox = Sandbox(caller)
        self.warehouse = WarehouseIntake(caller)
