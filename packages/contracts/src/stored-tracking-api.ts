import Type, { type Static } from 'typebox';
import { MAX_BATCH } from './forecast-batch-api.ts';
import { TrackingResult } from './tracking-api.ts';

/** Body of the internal route by which the forecast service reads the stored tracking of many forecasts. */
export const StoredTrackingQuery = Type.Object({
  tenant_id: Type.String({ minLength: 1, maxLength: 64 }),
  forecast_nos: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: MAX_BATCH }),
});
export type StoredTrackingQuery = Static<typeof StoredTrackingQuery>;

/** `data` of that route: the forecasts with a parcel under watch, in any order. */
export const StoredTrackings = Type.Object({
  trackings: Type.Array(Type.Object({ forecast_no: Type.String(), tracking: TrackingResult })),
});
export type StoredTrackings = Static<typeof StoredTrackings>;
