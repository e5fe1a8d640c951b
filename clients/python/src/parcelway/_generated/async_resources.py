# Made from the contract by `npm run docs`; do not edit.
"""The methods of the client for asyncio, by resource."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING, Literal

from .. import types as t
from .._async_by_hand import AsyncEventsByHand, AsyncFilesByHand, AsyncResource, AsyncWarehouseIntakeByHand
from .._async_caller import AsyncCaller
from .._files import FileSource
from .._options import CallOptions, CorrectionOptions, CreationOptions
from .._paged import AsyncPaged

if TYPE_CHECKING:
    from typing_extensions import Unpack


class AsyncForecasts(AsyncResource):
    """Announcing parcels, and asking for what became of them."""

    async def submit(
        self,
        forecast: t.ForecastSubmission,
        **options: Unpack[CreationOptions],
    ) -> t.ForecastAcceptance:
        """Submit a forecast.

        Sent again with the same content, the original result comes back with the header `Idempotent-Replayed: true`. Sent again with other content, the response is 40901 and nothing changes.

        `POST /open/v1/forecasts`
        """
        data: t.ForecastAcceptance = await self._caller.call("submitForecast", body=forecast, options=options)
        return data

    def list(
        self,
        *,
        status: Literal[1, 2, 3, 4, 5, 6, 7, "ACCEPTED", "ARRIVED", "WEIGHED", "PROCESSING", "SHIPPED", "COMPLETED", "CANCELLED"] | None = None,
        po_number: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        **options: Unpack[CallOptions],
    ) -> AsyncPaged[t.ForecastSummary, t.ForecastList]:
        """List forecasts.

        Newest first, in pages. Filters combine.

        `GET /open/v1/forecasts`
        """

        def fetch(next_cursor: str | None) -> Awaitable[t.ForecastList]:
            page: Awaitable[t.ForecastList] = self._caller.call("listForecasts", query={"status": status, "po_number": po_number, "created_from": created_from, "created_to": created_to, "limit": limit, "cursor": next_cursor}, options=options)
            return page

        return AsyncPaged(fetch, "forecasts", cursor)

    async def get(
        self,
        po_number: str,
        **options: Unpack[CallOptions],
    ) -> t.ForecastDetail:
        """Read a forecast.

        The live forecast of this po_number; when all are cancelled, the newest. A po_number that reads `weighing` or `tracking` is found by the filter of the list.

        `GET /open/v1/forecasts/{po_number}`
        """
        data: t.ForecastDetail = await self._caller.call("getForecast", path={"po_number": po_number}, options=options)
        return data

    async def correct(
        self,
        po_number: str,
        correction: t.ForecastCorrection,
        **options: Unpack[CorrectionOptions],
    ) -> t.CorrectedForecast:
        """Correct a forecast.

        Until the parcel arrives (status 1), every field of the body can change. From then until the dispatch only `shipping_label` and `shipping_note`. Each change makes a new `version`; a body that changes nothing makes none. `If-Match` with the version that you read keeps you from overwriting what somebody else corrected.

        `PATCH /open/v1/forecasts/{po_number}`
        """
        data: t.CorrectedForecast = await self._caller.call("correctForecast", path={"po_number": po_number}, body=correction, options=options)
        return data

    async def cancel(
        self,
        po_number: str,
        **options: Unpack[CallOptions],
    ) -> t.ForecastCancellation:
        """Cancel a forecast.

        Possible until the parcel arrives (status 1). The po_number and its tracking numbers are free again afterwards.

        `POST /open/v1/forecasts/{po_number}/cancel`
        """
        data: t.ForecastCancellation = await self._caller.call("cancelForecast", path={"po_number": po_number}, options=options)
        return data

    async def weighing(
        self,
        po_number: str,
        **options: Unpack[CallOptions],
    ) -> t.WeighingData:
        """Query weighing information.

        Complete from the moment at which `parcel.weighed` is sent.

        `GET /open/v1/forecasts/weighing`
        """
        data: t.WeighingData = await self._caller.call("queryWeighing", query={"po_number": po_number}, options=options)
        return data

    async def tracking(
        self,
        po_number: str,
        **options: Unpack[CallOptions],
    ) -> t.TrackingResult:
        """Query tracking.

        Asks the carrier at the time of the request.

        `GET /open/v1/forecasts/tracking`
        """
        data: t.TrackingResult = await self._caller.call("queryTracking", query={"po_number": po_number}, options=options)
        return data


class AsyncCarriers(AsyncResource):
    """Which carriers may have given a tracking number, and which can be tracked."""

    async def list(
        self,
        **options: Unpack[CallOptions],
    ) -> t.CarrierList:
        """List the carriers that can be tracked.

        Which carriers your connections and those of the platform serve. A parcel of another carrier cannot be tracked in production, unless a connection serves every carrier.

        `GET /open/v1/carriers`
        """
        data: t.CarrierList = await self._caller.call("listCarriers", options=options)
        return data

    async def detect(
        self,
        tracking_number: str,
        **options: Unpack[CallOptions],
    ) -> t.CarrierDetection:
        """Detect the carrier of a tracking number.

        Names the carriers that may have given the number, by its form and its check digit. No carrier is asked, and nothing is stored. An empty list is no fault: carriers change their numbers without notice.

        `GET /open/v1/carriers/detect`
        """
        data: t.CarrierDetection = await self._caller.call("detectCarriers", query={"tracking_number": tracking_number}, options=options)
        return data


class AsyncCarrierConnections(AsyncResource):
    """Your own accounts with vendors of tracking data."""

    async def create(
        self,
        connection: t.ConnectionCreation,
        **options: Unpack[CreationOptions],
    ) -> t.ConnectionSaved:
        """Connect an account.

        From then on the carriers of your parcels are asked with your own account. The credentials are stored encrypted, and no response shows them. At most 50 connections a tenant.

        `POST /open/v1/carrier-connections`
        """
        data: t.ConnectionSaved = await self._caller.call("createConnection", body=connection, options=options)
        return data

    async def list(
        self,
        **options: Unpack[CallOptions],
    ) -> t.CarrierConnectionList:
        """List connections.

        `GET /open/v1/carrier-connections`
        """
        data: t.CarrierConnectionList = await self._caller.call("listConnections", options=options)
        return data

    async def get(
        self,
        connection_id: str,
        **options: Unpack[CallOptions],
    ) -> t.CarrierConnection:
        """Read a connection.

        `GET /open/v1/carrier-connections/{connection_id}`
        """
        data: t.CarrierConnection = await self._caller.call("getConnection", path={"connection_id": connection_id}, options=options)
        return data

    async def update(
        self,
        connection_id: str,
        change: t.ConnectionChange,
        **options: Unpack[CallOptions],
    ) -> t.ConnectionSaved:
        """Change a connection.

        Changes only what the body names. A new value of a secret that proves pushes leaves the former one valid, too.

        `PATCH /open/v1/carrier-connections/{connection_id}`
        """
        data: t.ConnectionSaved = await self._caller.call("updateConnection", path={"connection_id": connection_id}, body=change, options=options)
        return data

    async def delete(
        self,
        connection_id: str,
        **options: Unpack[CallOptions],
    ) -> t.ConnectionDeletion:
        """Delete a connection.

        Its credentials are deleted, and its pushes are refused. Remove the address at the source, too.

        `DELETE /open/v1/carrier-connections/{connection_id}`
        """
        data: t.ConnectionDeletion = await self._caller.call("deleteConnection", path={"connection_id": connection_id}, options=options)
        return data

    async def test(
        self,
        connection_id: str,
        **options: Unpack[CallOptions],
    ) -> t.ConnectionTest:
        """Test a connection.

        Makes one call of the source that shows whether it accepts the credentials. A refusal of the source is a result, not a failure.

        `POST /open/v1/carrier-connections/{connection_id}/test`
        """
        data: t.ConnectionTest = await self._caller.call("testConnection", path={"connection_id": connection_id}, options=options)
        return data


class AsyncFiles(AsyncFilesByHand):
    """PDFs of forecasts, and opening photos."""

    async def upload_pdf(
        self,
        file: FileSource,
        *,
        name: str | None = None,
        **options: Unpack[CreationOptions],
    ) -> t.UploadedFile:
        """Upload a PDF.

        The file name must end in `.pdf`, in any case, and the content must be a PDF. At most 10 MB (10,485,760 bytes). Identical content is stored once per tenant.

        `POST /open/v1/files/pdf`
        """
        data: t.UploadedFile = await self._caller.call("uploadPdf", upload=(file, name), options=options)
        return data


class AsyncWarehouses(AsyncResource):
    """Warehouses that a forecast may name."""

    async def list(
        self,
        **options: Unpack[CallOptions],
    ) -> t.WarehouseList:
        """List warehouses.

        Codes that a forecast may name.

        `GET /open/v1/warehouses`
        """
        data: t.WarehouseList = await self._caller.call("listWarehouses", options=options)
        return data


class AsyncWebhookEndpoints(AsyncResource):
    """Receivers of webhooks."""

    async def create(
        self,
        endpoint: t.EndpointCreation,
        **options: Unpack[CreationOptions],
    ) -> t.EndpointCreated:
        """Register an endpoint.

        The response shows the signing secret, this once. At most 10 endpoints a tenant.

        `POST /open/v1/webhook-endpoints`
        """
        data: t.EndpointCreated = await self._caller.call("createEndpoint", body=endpoint, options=options)
        return data

    async def list(
        self,
        **options: Unpack[CallOptions],
    ) -> t.WebhookEndpointList:
        """List endpoints.

        `GET /open/v1/webhook-endpoints`
        """
        data: t.WebhookEndpointList = await self._caller.call("listEndpoints", options=options)
        return data

    async def get(
        self,
        endpoint_id: str,
        **options: Unpack[CallOptions],
    ) -> t.WebhookEndpoint:
        """Read an endpoint.

        `GET /open/v1/webhook-endpoints/{endpoint_id}`
        """
        data: t.WebhookEndpoint = await self._caller.call("getEndpoint", path={"endpoint_id": endpoint_id}, options=options)
        return data

    async def update(
        self,
        endpoint_id: str,
        change: t.EndpointChange,
        **options: Unpack[CallOptions],
    ) -> t.EndpointChanged:
        """Change an endpoint.

        Only the fields given; `filter`, `headers` and `metadata` are replaced as a whole. `status: enabled` starts a paused or disabled endpoint again: events that waited during a pause are sent at once; events that were held while it was disabled are sent by a replay.

        `PATCH /open/v1/webhook-endpoints/{endpoint_id}`
        """
        data: t.EndpointChanged = await self._caller.call("updateEndpoint", path={"endpoint_id": endpoint_id}, body=change, options=options)
        return data

    async def delete(
        self,
        endpoint_id: str,
        **options: Unpack[CallOptions],
    ) -> t.EndpointDeletion:
        """Delete an endpoint.

        `DELETE /open/v1/webhook-endpoints/{endpoint_id}`
        """
        data: t.EndpointDeletion = await self._caller.call("deleteEndpoint", path={"endpoint_id": endpoint_id}, options=options)
        return data

    async def rotate_secret(
        self,
        endpoint_id: str,
        request: t.RotationRequest | None = None,
        **options: Unpack[CreationOptions],
    ) -> t.EndpointCreated:
        """Rotate the signing secret.

        For 24 hours deliveries are signed with the new and the former secret, unless the body says otherwise. An even older secret becomes invalid at once.

        `POST /open/v1/webhook-endpoints/{endpoint_id}/rotate-secret`
        """
        data: t.EndpointCreated = await self._caller.call("rotateSecret", path={"endpoint_id": endpoint_id}, body=request, options=options)
        return data

    async def test(
        self,
        endpoint_id: str,
        request: t.TestRequest | None = None,
        **options: Unpack[CreationOptions],
    ) -> t.TestDelivery:
        """Send a test event.

        An event of the chosen type with made-up data, sent and logged like any other, whatever the endpoint subscribes to. Tried once; a failure does not count against the endpoint.

        `POST /open/v1/webhook-endpoints/{endpoint_id}/test`
        """
        data: t.TestDelivery = await self._caller.call("sendTestEvent", path={"endpoint_id": endpoint_id}, body=request, options=options)
        return data


class AsyncDeliveries(AsyncResource):
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
    ) -> AsyncPaged[t.Delivery, t.DeliveryList]:
        """List deliveries.

        `GET /open/v1/webhook-endpoints/{endpoint_id}/deliveries`
        """

        def fetch(next_cursor: str | None) -> Awaitable[t.DeliveryList]:
            page: Awaitable[t.DeliveryList] = self._caller.call("listDeliveries", path={"endpoint_id": endpoint_id}, query={"status": status, "event_id": event_id, "limit": limit, "cursor": next_cursor}, options=options)
            return page

        return AsyncPaged(fetch, "deliveries", cursor)

    async def get(
        self,
        endpoint_id: str,
        delivery_id: str,
        **options: Unpack[CallOptions],
    ) -> t.DeliveryDetail:
        """Read a delivery.

        With the body that is sent.

        `GET /open/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}`
        """
        data: t.DeliveryDetail = await self._caller.call("getDelivery", path={"endpoint_id": endpoint_id, "delivery_id": delivery_id}, options=options)
        return data

    async def attempts(
        self,
        endpoint_id: str,
        delivery_id: str,
        **options: Unpack[CallOptions],
    ) -> t.DeliveryAttemptList:
        """List the attempts of a delivery.

        `GET /open/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}/attempts`
        """
        data: t.DeliveryAttemptList = await self._caller.call("listAttempts", path={"endpoint_id": endpoint_id, "delivery_id": delivery_id}, options=options)
        return data

    async def resend(
        self,
        endpoint_id: str,
        delivery_id: str,
        **options: Unpack[CreationOptions],
    ) -> t.Delivery:
        """Resend a delivery.

        Sends the same event under the same webhook-id, whatever its previous result.

        `POST /open/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}/resend`
        """
        data: t.Delivery = await self._caller.call("resendDelivery", path={"endpoint_id": endpoint_id, "delivery_id": delivery_id}, options=options)
        return data

    async def replay(
        self,
        endpoint_id: str,
        request: t.ReplayRequest,
        **options: Unpack[CreationOptions],
    ) -> t.ReplayResult:
        """Replay a time range.

        Sends the events of a time range that match the subscription of the endpoint, those held while it was disabled included. A long range takes several calls: ask again with `cursor: next_cursor` until that is null.

        `POST /open/v1/webhook-endpoints/{endpoint_id}/replay`
        """
        data: t.ReplayResult = await self._caller.call("replayDeliveries", path={"endpoint_id": endpoint_id}, body=request, options=options)
        return data


class AsyncEvents(AsyncEventsByHand):
    """The feed of events."""


class AsyncSandbox(AsyncResource):
    """What only the sandbox has."""

    async def simulate(
        self,
        simulation: t.Simulation,
        **options: Unpack[CreationOptions],
    ) -> t.SimulationResult:
        """Simulate the warehouse or the carrier.

        Sends what a warehouse or carrier would send, on the real path. Sandbox only.

        `POST /sandbox/v1/simulations`
        """
        data: t.SimulationResult = await self._caller.call("simulate", body=simulation, options=options)
        return data

    async def listen(
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
        data: t.ListenResult = await self._caller.call("listen", query={"after": after, "endpoint_id": endpoint_id, "event_types": event_types, "wait": wait}, options=options)
        return data


class AsyncWarehouseIntake(AsyncWarehouseIntakeByHand):
    """What a warehouse reports and sees, with a warehouse's key."""

    async def self(
        self,
        **options: Unpack[CallOptions],
    ) -> t.Warehouse:
        """Read the warehouse of the key.

        Verifies a key, and returns the `warehouse_code` that its events need.

        `GET /warehouse/v1/warehouse`
        """
        data: t.Warehouse = await self._caller.call("getOwnWarehouse", options=options)
        return data

    async def event(
        self,
        event_id: str,
        **options: Unpack[CallOptions],
    ) -> t.EventOutcome:
        """Read the outcome of an event.

        Applied, waiting, dismissed or rejected. The newest 10,000 rejected reports of a warehouse are kept for 7 days.

        `GET /warehouse/v1/events/{event_id}`
        """
        data: t.EventOutcome = await self._caller.call("getEventOutcome", path={"event_id": event_id}, options=options)
        return data

    async def list_unclaimed(
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
        data: t.WaitingEventList = await self._caller.call("listUnclaimed", query={"reason": reason, "limit": limit, "cursor": cursor}, options=options)
        return data

    async def claim(
        self,
        id: str,
        claim: t.UnclaimedClaim,
        **options: Unpack[CreationOptions],
    ) -> t.ResolutionResult:
        """Claim an unclaimed parcel for a forecast.

        All waiting events of this warehouse with the same number are applied to the forecast, in the order in which they occurred. Later events with this number are applied to it too. The forecast need not declare the number. The barcode or SKU of a product cannot be claimed, because it names no parcel: 40902.

        `POST /warehouse/v1/unclaimed/{id}/claim`
        """
        data: t.ResolutionResult = await self._caller.call("claimUnclaimed", path={"id": id}, body=claim, options=options)
        return data

    async def dismiss(
        self,
        id: str,
        dismissal: t.UnclaimedDismissal,
        **options: Unpack[CreationOptions],
    ) -> t.ResolutionResult:
        """Dismiss an unclaimed parcel.

        All waiting events of this warehouse with the same number are dismissed. Later events with this number wait again.

        `POST /warehouse/v1/unclaimed/{id}/dismiss`
        """
        data: t.ResolutionResult = await self._caller.call("dismissUnclaimed", path={"id": id}, body=dismissal, options=options)
        return data

    async def forecasts(
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
        data: t.WarehouseForecastList = await self._caller.call("listWarehouseForecasts", query={"status": status, "due_from": due_from, "due_to": due_to, "updated_from": updated_from, "tenant_id": tenant_id, "limit": limit, "cursor": cursor}, options=options)
        return data

    async def forecast(
        self,
        forecast_no: str,
        **options: Unpack[CallOptions],
    ) -> t.WarehouseForecastDetail:
        """Read a forecast of the warehouse.

        Items, files, status, measurements, photos and holds. A forecast of another warehouse is 40403.

        `GET /warehouse/v1/forecasts/{forecast_no}`
        """
        data: t.WarehouseForecastDetail = await self._caller.call("getWarehouseForecast", path={"forecast_no": forecast_no}, options=options)
        return data

    async def look_up(
        self,
        scan: str,
        **options: Unpack[CallOptions],
    ) -> t.WarehouseLookup:
        """Look up what a scanner has read.

        A logistics number, declared or claimed, a forecast number, a po_number, the QR code of a carton label, a barcode (EAN-8, EAN-13, UPC-A, GTIN-14) or a SKU of an item.

        `GET /warehouse/v1/lookup`
        """
        data: t.WarehouseLookup = await self._caller.call("lookUpScan", query={"scan": scan}, options=options)
        return data

    async def upload_photo(
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
        data: t.UploadedPhoto = await self._caller.call("uploadPhoto", upload=(photo, name), options=options)
        return data


class AsyncResources:
    """What a client can do."""

    forecasts: AsyncForecasts
    """Announcing parcels, and asking for what became of them."""
    carriers: AsyncCarriers
    """Which carriers may have given a tracking number, and which can be tracked."""
    carrier_connections: AsyncCarrierConnections
    """Your own accounts with vendors of tracking data."""
    files: AsyncFiles
    """PDFs of forecasts, and opening photos."""
    warehouses: AsyncWarehouses
    """Warehouses that a forecast may name."""
    webhook_endpoints: AsyncWebhookEndpoints
    """Receivers of webhooks."""
    deliveries: AsyncDeliveries
    """Events on their way to a receiver."""
    events: AsyncEvents
    """The feed of events."""
    sandbox: AsyncSandbox
    """What only the sandbox has."""
    warehouse: AsyncWarehouseIntake
    """What a warehouse reports and sees, with a warehouse's key."""

    def __init__(self, caller: AsyncCaller) -> None:
        self.forecasts = AsyncForecasts(caller)
        self.carriers = AsyncCarriers(caller)
        self.carrier_connections = AsyncCarrierConnections(caller)
        self.files = AsyncFiles(caller)
        self.warehouses = AsyncWarehouses(caller)
        self.webhook_endpoints = AsyncWebhookEndpoints(caller)
        self.deliveries = AsyncDeliveries(caller)
        self.events = AsyncEvents(caller)
        self.sandbox = AsyncSandbox(caller)
        self.warehouse = AsyncWarehouseIntake(caller)
