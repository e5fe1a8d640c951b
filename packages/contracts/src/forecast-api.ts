import Type, { type Static } from 'typebox';
import { forecastStatusMeanings } from './forecast-status.ts';
import { ForecastItem } from './forecast-submission-api.ts';
import { object } from './object.ts';
import { declaredAndFound, Measurement, parcelCondition } from './parcel-reports.ts';
import { poNumberToFind } from './po-number.ts';
import {
  booleanInQuery,
  cursorInQuery,
  FORECAST_STATUS_PATTERN,
  INTEGER_TO_100_PATTERN,
  identifier,
  instant,
  integerInQuery,
  logisticsNumber,
  nullable,
  oneOf,
  text,
  warehouseCode,
} from './text.ts';
import { queryWarnings } from './warnings.ts';

const statusName = oneOf(['ACCEPTED', 'ARRIVED', 'WEIGHED', 'PROCESSING', 'SHIPPED', 'COMPLETED', 'CANCELLED'], 'Status as a string');
/** Status of a forecast, wherever a response has it. */
export const forecastStatus = Type.Integer({ minimum: 1, maximum: 7, description: `Status as an integer: ${forecastStatusMeanings}` });

/** A forecast in the list. */
export const ForecastSummary = object('ForecastSummary', {
  forecast_no: Type.String(),
  po_number: Type.String(),
  forecast_type: Type.Integer(),
  warehouse_code: Type.String(),
  due_date: nullable(Type.String()),
  item_count: Type.Integer(),
  version: Type.Integer({ minimum: 1, description: 'Begins at 1 and rises with each correction' }),
  status: forecastStatus,
  status_name: statusName,
  has_exception: Type.Boolean({ description: 'The warehouse found something wrong with the parcel, such as damage' }),
  on_hold: parcelCondition.on_hold,
  create_time: instant('When it was accepted'),
  update_time: instant('When it last changed'),
});
export type ForecastSummary = Static<typeof ForecastSummary>;

/** What may have moved a forecast to a status, as its history says it. */
export const statusReasons = [
  'submitted',
  'cancelled',
  'warehouse.arrived',
  'warehouse.weighed',
  'warehouse.processed',
  'warehouse.put-away',
  'warehouse.dispatched',
  'tracking.ended',
] as const;

/** One past status of a forecast. */
export const StatusChange = object('StatusChange', {
  status: forecastStatus,
  status_name: statusName,
  time: instant('When the platform recorded it'),
  reason: Type.String({ description: 'What changed it: submitted, cancelled, or the warehouse or tracking event' }),
  key_id: nullable(
    Type.String({ description: 'Id of the API key that submitted or cancelled it; null for what the warehouse or the carrier reported' }),
  ),
});

/** A field that a correction changed. */
export const ForecastChange = object('ForecastChange', {
  field: Type.String({ description: 'JSON path, such as items[2].forecast_quantity. An item that was added or removed is one field' }),
  from: nullable(Type.String({ description: 'Value before, as text; of an item its sku_code; null when there was none' })),
  to: nullable(Type.String({ description: 'Value after, as text; of an item its sku_code; null when there is none' })),
});

/** One correction of a forecast. */
export const ForecastCorrectionEntry = object('ForecastCorrectionEntry', {
  version: Type.Integer({ description: 'Version of the forecast that it made' }),
  time: instant('When the platform recorded it'),
  key_id: nullable(
    Type.String({
      description: 'Id of the API key that made it; null when the parcel arrived at another warehouse than the forecast then named',
    }),
  ),
  changes: Type.Array(ForecastChange, { description: 'At most 100' }),
  has_more_changes: Type.Boolean({ description: 'True when it changed more than `changes` lists' }),
});

/** A forecast read by its po_number: everything submitted, with status, history and measurements. */
export const ForecastDetail = object('ForecastDetail', {
  ...ForecastSummary.properties,
  shipping_label: nullable(Type.String()),
  shipping_note: nullable(Type.String()),
  marketplace_label: Type.String({ description: 'URL of the product label (PDF), which the platform generates when it is first opened' }),
  marketplace_label_version: Type.Integer({ description: 'Version of the forecast that label and packing slip show: the current one' }),
  packing_slip: Type.String({ description: 'URL of the packing slip (PDF), which the platform generates when it is first opened' }),
  carton_count: nullable(Type.Integer({ description: 'Number of cartons, as submitted' })),
  items: Type.Array(ForecastItem),
  carrier_code: nullable(Type.String({ description: 'Set once the parcel is dispatched' })),
  tracking_number: nullable(Type.String({ description: 'Number under which the parcel was dispatched' })),
  history: Type.Array(StatusChange, { description: 'Oldest first' }),
  measurements: Type.Array(Measurement, { description: 'Newest first' }),
  ...parcelCondition,
  ...declaredAndFound,
  corrections: Type.Array(ForecastCorrectionEntry, { description: 'Oldest first; the latest 100 at most' }),
});
export type ForecastDetail = Static<typeof ForecastDetail>;

/** Filters of the list and of the export. */
const listFilters = {
  status: Type.Optional(
    Type.String({
      pattern: FORECAST_STATUS_PATTERN,
      description: `Only this status, as an integer or by its name: ${forecastStatusMeanings}`,
    }),
  ),
  po_number: Type.Optional(poNumberToFind),
  q: Type.Optional(text(1, 64, 'Beginning of the po_number; case-sensitive')),
  tracking_number: Type.Optional(
    logisticsNumber(
      'Logistics number of an item, or number under which a parcel was dispatched; compared without spaces, hyphens and case',
    ),
  ),
  sku_code: Type.Optional(identifier(1, 100, 'SKU of an item, exactly')),
  forecast_no: Type.Optional(text(1, 64, 'Number that the platform gave, exactly')),
  warehouse_code: Type.Optional(warehouseCode('Warehouse that the forecast names')),
  has_exception: booleanInQuery('true: only parcels that the warehouse found something wrong with; false: only the others'),
  on_hold: booleanInQuery('true: only parcels that the warehouse holds; false: only the others'),
  created_from: Type.Optional(instant('Accepted at or after this instant')),
  created_to: Type.Optional(instant('Accepted before this instant')),
  updated_from: Type.Optional(instant('Last changed at or after this instant')),
  updated_to: Type.Optional(instant('Last changed before this instant')),
};

/** Query of the list. */
export const ForecastListQuery = object('ForecastListQuery', {
  ...listFilters,
  limit: Type.Optional(integerInQuery(INTEGER_TO_100_PATTERN, 20, 'Page size, 1 to 100; default 20')),
  cursor: cursorInQuery('`next_cursor` of the previous page, with the same filters'),
});

/** Query of the export. */
export const ForecastExportQuery = object('ForecastExportQuery', listFilters);
export type ForecastExportQuery = Static<typeof ForecastExportQuery>;

/** A page of forecasts. */
export const ForecastList = object('ForecastList', {
  forecasts: Type.Array(ForecastSummary),
  next_cursor: nullable(
    Type.String({
      description:
        'null on the last page. Nothing else ends the list: with several filters a page may have fewer forecasts than `limit`, or none, and others follow',
    }),
  ),
  warnings: queryWarnings,
});

/** Query of the internal route by which other services read items that are too large for an event. */
export const ForecastContentQuery = Type.Object({
  tenant_id: Type.String({ maxLength: 64 }),
  forecast_no: Type.String({ maxLength: 64 }),
  version: Type.Optional(Type.String({ maxLength: 16, description: 'Version that the caller knows of. The response is the current one' })),
});

/** `data` of a cancellation. */
export const ForecastCancellation = object('ForecastCancellation', {
  forecast_no: Type.String(),
  po_number: Type.String(),
  status: Type.Literal('CANCELLED'),
  cancel_time: instant('When it was cancelled'),
});
export type ForecastCancellation = Static<typeof ForecastCancellation>;
