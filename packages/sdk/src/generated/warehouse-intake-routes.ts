// Made from the contract by `npm run docs`; do not edit.
import type { UploadedPhoto } from './file-api.ts';
import type { EventOutcome, ResolutionResult, UnclaimedClaim, UnclaimedDismissal, WaitingEventList, WaitingEventQuery } from './unclaimed-api.ts';
import type { IntakeResult, Warehouse, WarehouseReport } from './warehouse-api.ts';
import type { Upload } from '../content.ts';

/** What each route of "Warehouse intake" takes and gives. */
export interface WarehouseIntakeRoutes {
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
}
