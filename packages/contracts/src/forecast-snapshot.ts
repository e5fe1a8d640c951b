import Type, { type Static } from 'typebox';
import { domainEventSchemas } from './domain-events.ts';
import { instant, nullable } from './text.ts';

/*
 * What the forecast service sends other services about forecasts whose events they have missed, as those events would have.
 */

/** Most forecasts in a page. */
export const MAX_SNAPSHOTS = 100;

const { hold_reports, on_hold, holds } = domainEventSchemas['parcel.held'].properties;
const { carrier_code, tracking_number, dispatched_at } = domainEventSchemas['forecast.dispatched'].properties;
const { version, marketplace_label, packing_slip } = domainEventSchemas['documents.generated'].properties;

/** A forecast as it is. */
export const ForecastSnapshot = Type.Object({
  tenant_id: Type.String(),
  /** Events of this time and before are in it. */
  as_of: instant('When the forecast last changed'),
  status: Type.Integer({ minimum: 1, maximum: 7 }),
  /** Of the current version. `items` is null when they are too large for an event. */
  content: domainEventSchemas['forecast.accepted'],
  documents: nullable(Type.Object({ version, marketplace_label, packing_slip })),
  dispatch: nullable(Type.Object({ carrier_code, tracking_number, dispatched_at })),
  /** Null when the parcel has never been held. */
  holding: nullable(Type.Object({ hold_reports, on_hold, holds })),
});
export type ForecastSnapshot = Static<typeof ForecastSnapshot>;

/** `data` of the internal route that goes through all forecasts. */
export const ForecastSnapshotPage = Type.Object({
  forecasts: Type.Array(ForecastSnapshot, { maxItems: MAX_SNAPSHOTS }),
  next: nullable(Type.String({ description: '`after` of the next page; null on the last one. A page may be empty and not the last' })),
});
export type ForecastSnapshotPage = Static<typeof ForecastSnapshotPage>;

/** Query of that route. */
export const ForecastSnapshotQuery = Type.Object({
  after: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: '`next` of the previous page' })),
  closed_since: Type.Optional(instant('Leaves out forecasts that were shipped, completed or cancelled and have not changed since')),
});
export type ForecastSnapshotQuery = Static<typeof ForecastSnapshotQuery>;
