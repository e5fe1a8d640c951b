// Made from the contract by `npm run docs`; do not edit.
import type { EventFeed, EventFeedQuery } from './event-feed-api.ts';
import type { FileQuery, UploadedFile, UploadedPhoto } from './file-api.ts';
import type { CorrectedForecast, ForecastAcceptance, ForecastCancellation, ForecastCorrection, ForecastDetail, ForecastList, ForecastListQuery, ForecastSubmission, PoNumberQuery, WeighingData } from './forecast-api.ts';
import type { ListenQuery, ListenResult, Simulation, SimulationResult } from './sandbox-api.ts';
import type { TrackingResult } from './tracking-api.ts';
import type { EventOutcome, ResolutionResult, UnclaimedClaim, UnclaimedDismissal, WaitingEventList, WaitingEventQuery } from './unclaimed-api.ts';
import type { IntakeResult, Warehouse, WarehouseList, WarehouseReport } from './warehouse-api.ts';
import type { WarehouseForecastDetail, WarehouseForecastList, WarehouseForecastQuery, WarehouseLookup, WarehouseLookupQuery } from './warehouse-view-api.ts';
import type { Delivery, DeliveryAttemptList, DeliveryDetail, DeliveryList, DeliveryListQuery, ReplayRequest, ReplayResult, TestDelivery, TestRequest } from './webhook-delivery-api.ts';
import type { EndpointChange, EndpointChanged, EndpointCreated, EndpointCreation, EndpointDeletion, RotationRequest, WebhookEndpoint, WebhookEndpointList } from './webhook-endpoint-api.ts';
import type { Content, Upload } from '../content.ts';

/** What each route takes and gives. */
export interface RouteTypes {
  /** Submit a forecast: `POST /open/v1/forecasts` */
  readonly submitForecast: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: ForecastSubmission;
    readonly data: ForecastAcceptance;
  };
  /** List forecasts: `GET /open/v1/forecasts` */
  readonly listForecasts: {
    readonly path: undefined;
    readonly query: ForecastListQuery;
    readonly body: undefined;
    readonly data: ForecastList;
  };
  /** Query weighing information: `GET /open/v1/forecasts/weighing` */
  readonly queryWeighing: {
    readonly path: undefined;
    readonly query: PoNumberQuery;
    readonly body: undefined;
    readonly data: WeighingData;
  };
  /** Query tracking: `GET /open/v1/forecasts/tracking` */
  readonly queryTracking: {
    readonly path: undefined;
    readonly query: PoNumberQuery;
    readonly body: undefined;
    readonly data: TrackingResult;
  };
  /** Read a forecast: `GET /open/v1/forecasts/{po_number}` */
  readonly getForecast: {
    readonly path: { readonly po_number: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: ForecastDetail;
  };
  /** Correct a forecast: `PATCH /open/v1/forecasts/{po_number}` */
  readonly correctForecast: {
    readonly path: { readonly po_number: string };
    readonly query: undefined;
    readonly body: ForecastCorrection;
    readonly data: CorrectedForecast;
  };
  /** Cancel a forecast: `POST /open/v1/forecasts/{po_number}/cancel` */
  readonly cancelForecast: {
    readonly path: { readonly po_number: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: ForecastCancellation;
  };
  /** Upload a PDF: `POST /open/v1/files/pdf` */
  readonly uploadPdf: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: Upload;
    readonly data: UploadedFile;
  };
  /** Open an uploaded PDF, a product label or a packing slip: `GET /files/{name}` */
  readonly openFile: {
    readonly path: { readonly name: string };
    readonly query: FileQuery;
    readonly body: undefined;
    readonly data: Content;
  };
  /** Open a photo: `GET /photos/{name}` */
  readonly openPhoto: {
    readonly path: { readonly name: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: Content;
  };
  /** List warehouses: `GET /open/v1/warehouses` */
  readonly listWarehouses: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly data: WarehouseList;
  };
  /** Read the warehouse of the key: `GET /warehouse/v1/warehouse` */
  readonly getOwnWarehouse: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly data: Warehouse;
  };
  /** Upload a photo: `POST /warehouse/v1/photos` */
  readonly uploadPhoto: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: Upload;
    readonly data: UploadedPhoto;
  };
  /** Report events: `POST /warehouse/v1/events` */
  readonly reportEvents: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: WarehouseReport;
    readonly data: IntakeResult;
  };
  /** Read the outcome of an event: `GET /warehouse/v1/events/{event_id}` */
  readonly getEventOutcome: {
    readonly path: { readonly event_id: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: EventOutcome;
  };
  /** List unclaimed parcels: `GET /warehouse/v1/unclaimed` */
  readonly listUnclaimed: {
    readonly path: undefined;
    readonly query: WaitingEventQuery;
    readonly body: undefined;
    readonly data: WaitingEventList;
  };
  /** Claim an unclaimed parcel for a forecast: `POST /warehouse/v1/unclaimed/{id}/claim` */
  readonly claimUnclaimed: {
    readonly path: { readonly id: string };
    readonly query: undefined;
    readonly body: UnclaimedClaim;
    readonly data: ResolutionResult;
  };
  /** Dismiss an unclaimed parcel: `POST /warehouse/v1/unclaimed/{id}/dismiss` */
  readonly dismissUnclaimed: {
    readonly path: { readonly id: string };
    readonly query: undefined;
    readonly body: UnclaimedDismissal;
    readonly data: ResolutionResult;
  };
  /** List expected and present parcels: `GET /warehouse/v1/forecasts` */
  readonly listWarehouseForecasts: {
    readonly path: undefined;
    readonly query: WarehouseForecastQuery;
    readonly body: undefined;
    readonly data: WarehouseForecastList;
  };
  /** Read a forecast of the warehouse: `GET /warehouse/v1/forecasts/{forecast_no}` */
  readonly getWarehouseForecast: {
    readonly path: { readonly forecast_no: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: WarehouseForecastDetail;
  };
  /** Look up what a scanner has read: `GET /warehouse/v1/lookup` */
  readonly lookUpScan: {
    readonly path: undefined;
    readonly query: WarehouseLookupQuery;
    readonly body: undefined;
    readonly data: WarehouseLookup;
  };
  /** Register an endpoint: `POST /open/v1/webhook-endpoints` */
  readonly createEndpoint: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: EndpointCreation;
    readonly data: EndpointCreated;
  };
  /** List endpoints: `GET /open/v1/webhook-endpoints` */
  readonly listEndpoints: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly data: WebhookEndpointList;
  };
  /** Read an endpoint: `GET /open/v1/webhook-endpoints/{endpoint_id}` */
  readonly getEndpoint: {
    readonly path: { readonly endpoint_id: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: WebhookEndpoint;
  };
  /** Change an endpoint: `PATCH /open/v1/webhook-endpoints/{endpoint_id}` */
  readonly updateEndpoint: {
    readonly path: { readonly endpoint_id: string };
    readonly query: undefined;
    readonly body: EndpointChange;
    readonly data: EndpointChanged;
  };
  /** Delete an endpoint: `DELETE /open/v1/webhook-endpoints/{endpoint_id}` */
  readonly deleteEndpoint: {
    readonly path: { readonly endpoint_id: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: EndpointDeletion;
  };
  /** Rotate the signing secret: `POST /open/v1/webhook-endpoints/{endpoint_id}/rotate-secret` */
  readonly rotateSecret: {
    readonly path: { readonly endpoint_id: string };
    readonly query: undefined;
    readonly body: RotationRequest | undefined;
    readonly data: EndpointCreated;
  };
  /** Send a test event: `POST /open/v1/webhook-endpoints/{endpoint_id}/test` */
  readonly sendTestEvent: {
    readonly path: { readonly endpoint_id: string };
    readonly query: undefined;
    readonly body: TestRequest | undefined;
    readonly data: TestDelivery;
  };
  /** List deliveries: `GET /open/v1/webhook-endpoints/{endpoint_id}/deliveries` */
  readonly listDeliveries: {
    readonly path: { readonly endpoint_id: string };
    readonly query: DeliveryListQuery;
    readonly body: undefined;
    readonly data: DeliveryList;
  };
  /** Read a delivery: `GET /open/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}` */
  readonly getDelivery: {
    readonly path: { readonly endpoint_id: string; readonly delivery_id: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: DeliveryDetail;
  };
  /** List the attempts of a delivery: `GET /open/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}/attempts` */
  readonly listAttempts: {
    readonly path: { readonly endpoint_id: string; readonly delivery_id: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: DeliveryAttemptList;
  };
  /** Resend a delivery: `POST /open/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}/resend` */
  readonly resendDelivery: {
    readonly path: { readonly endpoint_id: string; readonly delivery_id: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: Delivery;
  };
  /** Replay a time range: `POST /open/v1/webhook-endpoints/{endpoint_id}/replay` */
  readonly replayDeliveries: {
    readonly path: { readonly endpoint_id: string };
    readonly query: undefined;
    readonly body: ReplayRequest;
    readonly data: ReplayResult;
  };
  /** Read the feed of events: `GET /open/v1/events` */
  readonly listEvents: {
    readonly path: undefined;
    readonly query: EventFeedQuery;
    readonly body: undefined;
    readonly data: EventFeed;
  };
  /** Receive webhooks without a public address: `GET /sandbox/v1/listen` */
  readonly listen: {
    readonly path: undefined;
    readonly query: ListenQuery;
    readonly body: undefined;
    readonly data: ListenResult;
  };
  /** Play the warehouse or the carrier: `POST /sandbox/v1/simulations` */
  readonly simulate: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: Simulation;
    readonly data: SimulationResult;
  };
}

/** Where each route is, and whether it takes the header Idempotency-Key. */
export const routes = {
  submitForecast: { method: 'POST', path: '/open/v1/forecasts', takesKey: true },
  listForecasts: { method: 'GET', path: '/open/v1/forecasts', takesKey: false },
  queryWeighing: { method: 'GET', path: '/open/v1/forecasts/weighing', takesKey: false },
  queryTracking: { method: 'GET', path: '/open/v1/forecasts/tracking', takesKey: false },
  getForecast: { method: 'GET', path: '/open/v1/forecasts/{po_number}', takesKey: false },
  correctForecast: { method: 'PATCH', path: '/open/v1/forecasts/{po_number}', takesKey: true },
  cancelForecast: { method: 'POST', path: '/open/v1/forecasts/{po_number}/cancel', takesKey: false },
  uploadPdf: { method: 'POST', path: '/open/v1/files/pdf', takesKey: true },
  openFile: { method: 'GET', path: '/files/{name}', takesKey: false },
  openPhoto: { method: 'GET', path: '/photos/{name}', takesKey: false },
  listWarehouses: { method: 'GET', path: '/open/v1/warehouses', takesKey: false },
  getOwnWarehouse: { method: 'GET', path: '/warehouse/v1/warehouse', takesKey: false },
  uploadPhoto: { method: 'POST', path: '/warehouse/v1/photos', takesKey: true },
  reportEvents: { method: 'POST', path: '/warehouse/v1/events', takesKey: false },
  getEventOutcome: { method: 'GET', path: '/warehouse/v1/events/{event_id}', takesKey: false },
  listUnclaimed: { method: 'GET', path: '/warehouse/v1/unclaimed', takesKey: false },
  claimUnclaimed: { method: 'POST', path: '/warehouse/v1/unclaimed/{id}/claim', takesKey: true },
  dismissUnclaimed: { method: 'POST', path: '/warehouse/v1/unclaimed/{id}/dismiss', takesKey: true },
  listWarehouseForecasts: { method: 'GET', path: '/warehouse/v1/forecasts', takesKey: false },
  getWarehouseForecast: { method: 'GET', path: '/warehouse/v1/forecasts/{forecast_no}', takesKey: false },
  lookUpScan: { method: 'GET', path: '/warehouse/v1/lookup', takesKey: false },
  createEndpoint: { method: 'POST', path: '/open/v1/webhook-endpoints', takesKey: true },
  listEndpoints: { method: 'GET', path: '/open/v1/webhook-endpoints', takesKey: false },
  getEndpoint: { method: 'GET', path: '/open/v1/webhook-endpoints/{endpoint_id}', takesKey: false },
  updateEndpoint: { method: 'PATCH', path: '/open/v1/webhook-endpoints/{endpoint_id}', takesKey: false },
  deleteEndpoint: { method: 'DELETE', path: '/open/v1/webhook-endpoints/{endpoint_id}', takesKey: false },
  rotateSecret: { method: 'POST', path: '/open/v1/webhook-endpoints/{endpoint_id}/rotate-secret', takesKey: true },
  sendTestEvent: { method: 'POST', path: '/open/v1/webhook-endpoints/{endpoint_id}/test', takesKey: true },
  listDeliveries: { method: 'GET', path: '/open/v1/webhook-endpoints/{endpoint_id}/deliveries', takesKey: false },
  getDelivery: { method: 'GET', path: '/open/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}', takesKey: false },
  listAttempts: { method: 'GET', path: '/open/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}/attempts', takesKey: false },
  resendDelivery: { method: 'POST', path: '/open/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}/resend', takesKey: true },
  replayDeliveries: { method: 'POST', path: '/open/v1/webhook-endpoints/{endpoint_id}/replay', takesKey: true },
  listEvents: { method: 'GET', path: '/open/v1/events', takesKey: false },
  listen: { method: 'GET', path: '/sandbox/v1/listen', takesKey: false },
  simulate: { method: 'POST', path: '/sandbox/v1/simulations', takesKey: true },
} as const satisfies Record<keyof RouteTypes, { method: string; path: string; takesKey: boolean }>;
