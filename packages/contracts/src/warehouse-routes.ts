import { UploadedPhoto } from './file-api.ts';
import { type RouteDefinition, routesWith } from './route.ts';
import {
  EventOutcome,
  ResolutionResult,
  UnclaimedClaim,
  UnclaimedDismissal,
  WaitingEventList,
  WaitingEventQuery,
} from './unclaimed-api.ts';
import { IntakeResult, Warehouse, WarehouseList, WarehouseReport } from './warehouse-api.ts';
import {
  WarehouseForecastDetail,
  WarehouseForecastList,
  WarehouseForecastQuery,
  WarehouseLookup,
  WarehouseLookupQuery,
} from './warehouse-view-api.ts';

const route = routesWith({ service: 'gateway', access: 'warehouse', scopes: [], tag: 'Warehouse intake' });
const intakeRoute = routesWith({ service: 'warehouse-intake', access: 'warehouse', scopes: ['warehouse:read'], tag: 'Warehouse intake' });
const viewRoute = routesWith({ service: 'warehouse-intake', access: 'warehouse', scopes: ['warehouse:read'], tag: 'Warehouse view' });

/** Routes by which a warehouse reports, reads what became of its reports, and reads the forecasts that are meant for it. */
export const warehouseRoutes: readonly RouteDefinition[] = [
  route({
    id: 'listWarehouses',
    path: '/open/v1/warehouses',
    access: 'tenant',
    tag: 'Warehouses',
    summary: 'List warehouses',
    description: 'Codes that a forecast may name.',
    data: WarehouseList,
  }),
  route({
    id: 'getOwnWarehouse',
    path: '/warehouse/v1/warehouse',
    summary: 'Read the warehouse of the key',
    description: 'Verifies a key, and returns the `warehouse_code` that its events need.',
    data: Warehouse,
  }),
  route({
    id: 'uploadPhoto',
    method: 'POST',
    path: '/warehouse/v1/photos',
    service: 'file',
    scopes: ['warehouse:write'],
    rateClass: 'upload',
    summary: 'Upload a photo',
    description: 'JPEG, PNG or WebP of at most 10 MB. Use the returned photo_id in an event.',
    body: 'multipart',
    data: UploadedPhoto,
    repeat: 'Makes another photo.',
    idempotencyKey: true,
  }),
  route({
    id: 'reportEvents',
    method: 'POST',
    path: '/warehouse/v1/events',
    service: 'warehouse-intake',
    scopes: ['warehouse:write'],
    summary: 'Report events',
    description:
      'One event, or up to 500 as `{ "events": [ … ] }`. A bad event is rejected by itself; an `event_id` sent again has no second effect.',
    body: WarehouseReport,
    data: IntakeResult,
    success: 202,
    repeat: 'An event_id takes effect once.',
  }),
  intakeRoute({
    id: 'getEventOutcome',
    path: '/warehouse/v1/events/{event_id}',
    summary: 'Read the outcome of an event',
    description: 'Applied, waiting, dismissed or rejected. The newest 10,000 rejected reports of a warehouse are kept for 7 days.',
    data: EventOutcome,
  }),
  intakeRoute({
    id: 'listUnclaimed',
    path: '/warehouse/v1/unclaimed',
    summary: 'List unclaimed parcels',
    description: 'Events of this warehouse that wait for their forecast, oldest first, in pages.',
    query: WaitingEventQuery,
    data: WaitingEventList,
  }),
  intakeRoute({
    id: 'claimUnclaimed',
    method: 'POST',
    path: '/warehouse/v1/unclaimed/{id}/claim',
    scopes: ['warehouse:write'],
    summary: 'Claim an unclaimed parcel for a forecast',
    description:
      'All waiting events of this warehouse with the same number are applied to the forecast, in the order in which they occurred. Later events with this number are applied to it too. The forecast need not declare the number. The barcode or SKU of a product cannot be claimed, because it names no parcel: 40902.',
    body: UnclaimedClaim,
    data: ResolutionResult,
    repeat: 'Returns the first result; another forecast, or a dismissal, is 40902.',
    idempotencyKey: true,
    errors: ['40902'],
  }),
  intakeRoute({
    id: 'dismissUnclaimed',
    method: 'POST',
    path: '/warehouse/v1/unclaimed/{id}/dismiss',
    scopes: ['warehouse:write'],
    summary: 'Dismiss an unclaimed parcel',
    description: 'All waiting events of this warehouse with the same number are dismissed. Later events with this number wait again.',
    body: UnclaimedDismissal,
    data: ResolutionResult,
    repeat: 'Returns the first result; another reason, or a claim, is 40902.',
    idempotencyKey: true,
    errors: ['40902'],
  }),
  viewRoute({
    id: 'listWarehouseForecasts',
    path: '/warehouse/v1/forecasts',
    summary: 'List expected and present parcels',
    description:
      'Forecasts of the warehouse of the key, latest change first. One loop loads and polls: send `next_cursor` while `has_more` is true, then send it again to read what has changed. A forecast may be shown again; no change is left out. One that a correction has moved to another warehouse is shown once more, with `moved`.',
    query: WarehouseForecastQuery,
    data: WarehouseForecastList,
  }),
  viewRoute({
    id: 'getWarehouseForecast',
    path: '/warehouse/v1/forecasts/{forecast_no}',
    summary: 'Read a forecast of the warehouse',
    description: 'Items, files, status, measurements, photos and holds. A forecast of another warehouse is 40403.',
    data: WarehouseForecastDetail,
  }),
  viewRoute({
    id: 'lookUpScan',
    path: '/warehouse/v1/lookup',
    summary: 'Look up what a scanner has read',
    description:
      'A logistics number, declared or claimed, a forecast number, a po_number, the QR code of a carton label, a barcode (EAN-8, EAN-13, UPC-A, GTIN-14) or a SKU of an item.',
    query: WarehouseLookupQuery,
    data: WarehouseLookup,
  }),
];
