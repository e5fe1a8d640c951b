import Type, { type Static } from 'typebox';
import { forecastStatuses } from './forecast-status.ts';
import { object } from './object.ts';
import { identifier, instant, nullable, oneOf } from './text.ts';
import { queryWarnings } from './warnings.ts';

/* How an operator finds a parcel of any tenant by one of its numbers. `warehouse-intake` knows the numbers, `forecast` what became of the parcel. */

/** Most parcels that are found. */
export const MAX_FOUND_PARCELS = 20;
/** Most warehouses that are searched in one call of `warehouse-intake`. */
export const MAX_SEARCHED_WAREHOUSES = 100;

/** What a number may be; `event_id` is the reference of a warehouse's report. */
export const parcelMatches = ['forecast_no', 'sscc', 'claimed_number', 'tracking_number', 'po_number', 'event_id'] as const;
export type ParcelMatch = (typeof parcelMatches)[number];

const number = identifier(
  1,
  128,
  'Number of the parcel: forecast_no, po_number, logistics number, number of the carrier, SSCC, or event_id of a report',
);

/** Query of the operator's search. */
export const ParcelSearchQuery = object('ParcelSearchQuery', { number });

/** Body of the search of `warehouse-intake`. */
export const ParcelSearch = Type.Object({
  number,
  warehouse_codes: Type.Array(Type.String({ minLength: 1, maxLength: 32 }), { minItems: 1, maxItems: MAX_SEARCHED_WAREHOUSES }),
});
export type ParcelSearch = Static<typeof ParcelSearch>;

const names = {
  tenant_id: Type.String(),
  forecast_no: Type.String(),
  warehouse_code: Type.String(),
  matched_by: oneOf(parcelMatches, 'What the number is'),
};

/** What `warehouse-intake` finds. */
export const FoundParcels = Type.Object({
  parcels: Type.Array(Type.Object(names), { description: 'Expected and present ones of each warehouse first' }),
  has_more: Type.Boolean(),
});
export type FoundParcels = Static<typeof FoundParcels>;

const short = {
  po_number: Type.String(),
  status_name: oneOf(Object.keys(forecastStatuses) as (keyof typeof forecastStatuses)[], 'Status'),
  create_time: instant('Submission'),
  update_time: instant('Last change'),
  weighing: nullable(
    Type.Object(
      { weighed_at: Type.String(), weight_kg: Type.Number(), length_cm: Type.Number(), width_cm: Type.Number(), height_cm: Type.Number() },
      { description: 'The current measurement; null before the first' },
    ),
  ),
  dispatch: nullable(
    Type.Object(
      { carrier_code: Type.String(), tracking_number: Type.String(), dispatched_at: instant('Dispatch') },
      { description: 'The latest; null before the first' },
    ),
  ),
  tracking: nullable(
    Type.Object(
      {
        latest_status: Type.String(),
        is_terminal: Type.Boolean(),
        last_node_time: nullable(Type.String({ description: "The carrier's local time" })),
      },
      { description: 'As stored; null when no parcel is tracked, or it cannot be read now' },
    ),
  ),
};

/** Forecasts in short. Those that do not exist are missing. */
export const ForecastsInShort = Type.Object({
  forecasts: Type.Array(Type.Object({ tenant_id: names.tenant_id, forecast_no: names.forecast_no, ...short })),
});
export type ForecastsInShort = Static<typeof ForecastsInShort>;

/** What an operator finds. */
export const ParcelSearchResult = object('ParcelSearchResult', {
  number: Type.String(),
  parcels: Type.Array(
    Type.Object({ ...names, tenant_name: nullable(Type.String({ description: 'null: the tenant is erased' })), ...short }),
    { description: `At most ${MAX_FOUND_PARCELS}` },
  ),
  has_more: Type.Boolean({ description: 'There are more than shown' }),
  warnings: queryWarnings,
});
export type ParcelSearchResult = Static<typeof ParcelSearchResult>;
