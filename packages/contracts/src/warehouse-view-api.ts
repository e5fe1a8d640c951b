import Type, { type Static } from 'typebox';
import { forecastStatuses, forecastStatusMeanings } from './forecast-status.ts';
import { ForecastItem } from './forecast-submission-api.ts';
import { object } from './object.ts';
import { exceptionReasons, imageTypes, ParcelHold, ReportPhoto } from './parcel-reports.ts';
import {
  cursorInQuery,
  day,
  FORECAST_STATUSES_PATTERN,
  INTEGER_TO_100_PATTERN,
  instant,
  integerInQuery,
  nullable,
  oneOf,
  text,
} from './text.ts';
import { queryWarnings } from './warnings.ts';

/** At most this many logistics numbers of a forecast are shown outside its items. */
export const MAX_SHOWN_NUMBERS = 100;

/** At most this many candidates of one scan. */
export const MAX_CANDIDATES = 50;

/** Days between `due_from` and `due_to`, both included. */
export const MAX_DUE_DAYS = 31;

/** At most this many measurements, photos or exceptions of one forecast are shown: the latest. */
export const MAX_SHOWN_REPORTS = 100;

const statusName = oneOf(Object.keys(forecastStatuses) as (keyof typeof forecastStatuses)[], 'Status as a string');

/** A forecast as its warehouse sees it in lists. */
export const WarehouseForecast = object('WarehouseForecast', {
  forecast_no: Type.String(),
  tenant_id: Type.String({ description: 'The merchant' }),
  po_number: Type.String({ description: "The merchant's key" }),
  forecast_type: Type.Integer({ description: '1 = stock replenishment, 2 = direct-mail labelling' }),
  warehouse_code: Type.String(),
  status: Type.Integer({ minimum: 1, maximum: 7, description: `Status as an integer: ${forecastStatusMeanings}` }),
  status_name: statusName,
  due_date: nullable(Type.String({ description: 'Expected arrival' })),
  item_count: Type.Integer({ description: 'Number of line items' }),
  carton_count: nullable(Type.Integer({ description: 'As the merchant declares it' })),
  version: Type.Integer({ description: 'Begins at 1 and rises with each correction' }),
  tracking_numbers: Type.Array(Type.String(), {
    description: `Logistics numbers that the items declare, normalised; the first ${MAX_SHOWN_NUMBERS}`,
  }),
  on_hold: Type.Boolean({ description: 'The warehouse holds the parcel' }),
  update_time: instant('When the platform last recorded a change'),
});
export type WarehouseForecast = Static<typeof WarehouseForecast>;

const reported = {
  event_id: Type.String({ description: "The warehouse's id of the event" }),
  express_no: nullable(Type.String({ description: 'As scanned' })),
  occurred_at: instant('When it happened in the warehouse'),
};

/** A forecast in the warehouse's list. */
export const WarehouseListedForecast = object('WarehouseListedForecast', {
  ...WarehouseForecast.properties,
  moved: Type.Boolean({
    description:
      'A correction has moved the forecast to another warehouse: this one no longer expects it, and can no longer read it or look it up. The other fields are as this warehouse last saw them. Shown only to requests for changes: with a cursor of an earlier round, or with `updated_from`',
  }),
});
export type WarehouseListedForecast = Static<typeof WarehouseListedForecast>;

/** A measurement as the warehouse reported it. */
export const WarehouseMeasurement = object('WarehouseMeasurement', {
  ...reported,
  length_cm: Type.Number(),
  width_cm: Type.Number(),
  height_cm: Type.Number(),
  weight_kg: Type.Number(),
  photos: Type.Array(ReportPhoto),
});
/** A photo of the parcel or its content. */
export const WarehouseImage = object('WarehouseImage', {
  ...reported,
  ...ReportPhoto.properties,
  image_type: oneOf(imageTypes, 'What the image shows'),
  image_order: Type.Integer(),
});
/** A problem that the warehouse found. */
export const WarehouseException = object('WarehouseException', {
  ...reported,
  reason: oneOf(exceptionReasons, 'What is wrong with the parcel'),
  text: nullable(Type.String({ description: "The warehouse's own words" })),
  photos: Type.Array(ReportPhoto),
});
/** Pieces of one SKU that the warehouse counted. */
export const CountedItem = object('CountedItem', { sku_code: Type.String(), quantity: Type.Integer() });

/** Everything that the dock needs to know of a forecast. */
export const WarehouseForecastDetail = object('WarehouseForecastDetail', {
  ...WarehouseForecast.properties,
  create_time: instant('When the forecast was accepted'),
  shipping_label: nullable(Type.String({ description: "URL of the merchant's shipping label (PDF)" })),
  shipping_note: nullable(Type.String({ description: "URL of the merchant's packing list (PDF)" })),
  marketplace_label: nullable(
    Type.String({ description: 'URL of the product label (PDF); null once the forecast has gone to another warehouse' }),
  ),
  marketplace_label_version: nullable(Type.Integer({ description: 'Version of the forecast that the product label shows' })),
  packing_slip: nullable(
    Type.String({ description: 'URL of the packing slip (PDF); null once the forecast has gone to another warehouse' }),
  ),
  items: Type.Array(ForecastItem, { description: 'Without `forecast_price`, unless the operator allows it' }),
  measurements: Type.Array(WarehouseMeasurement, { description: `Latest first, at most ${MAX_SHOWN_REPORTS}` }),
  photos: Type.Array(WarehouseImage, { description: `Ascending by image_order, at most ${MAX_SHOWN_REPORTS}` }),
  holds: Type.Array(ParcelHold, { description: 'Latest first' }),
  exceptions: Type.Array(WarehouseException, { description: `Latest first, at most ${MAX_SHOWN_REPORTS}` }),
  received_items: nullable(
    Type.Array(CountedItem, {
      description: 'Pieces that the warehouse counted, as last reported; null when it has not',
    }),
  ),
  carrier_code: nullable(Type.String({ description: 'Set once the parcel is dispatched' })),
  tracking_number: nullable(Type.String({ description: 'Number under which the parcel was dispatched' })),
  dispatch_time: nullable(instant('When the parcel was handed to the carrier')),
  warnings: queryWarnings,
});
export type WarehouseForecastDetail = Static<typeof WarehouseForecastDetail>;

/** Query of the warehouse's list. */
export const WarehouseForecastQuery = object('WarehouseForecastQuery', {
  status: Type.Optional(
    Type.String({
      pattern: FORECAST_STATUSES_PATTERN,
      description: `Only these statuses, each as an integer or by its name, separated by commas: ${forecastStatusMeanings}. Names are in upper case. Chooses what the first round shows, 1 to 4 unless it is given; later rounds show every change`,
    }),
  ),
  due_from: Type.Optional(
    day(
      `First day of the expected arrival, YYYY-MM-DD; only together with due_to, at most ${MAX_DUE_DAYS} days. Chooses what the first round shows`,
    ),
  ),
  due_to: Type.Optional(day(`Last day of the expected arrival, YYYY-MM-DD; only together with due_from`)),
  updated_from: Type.Optional(instant('Changed at or after this instant. Chooses what the first round shows')),
  tenant_id: Type.Optional(text(1, 64, 'Only forecasts of this merchant, in every round')),
  limit: Type.Optional(integerInQuery(INTEGER_TO_100_PATTERN, 20, 'Page size, 1 to 100; default 20')),
  cursor: cursorInQuery('`next_cursor` of the previous response; send the same filters with it'),
});
export type WarehouseForecastQuery = Static<typeof WarehouseForecastQuery>;

/** A page of the warehouse's forecasts, latest change first. */
export const WarehouseForecastList = object('WarehouseForecastList', {
  forecasts: Type.Array(WarehouseListedForecast),
  next_cursor: Type.String({
    description:
      'While `has_more`, it leads to the next page. Afterwards, sending it again returns what has changed since the first page of this round',
  }),
  has_more: Type.Boolean({ description: 'More follows in this round' }),
  warnings: queryWarnings,
});
export type WarehouseForecastList = Static<typeof WarehouseForecastList>;

/** By what a scan matches a forecast, the surest first. */
export const scanMatches = [
  'label',
  'forecast_no',
  'sscc',
  'claimed_number',
  'tracking_number',
  'po_number',
  'barcode',
  'sku_code',
] as const;
export type ScanMatch = (typeof scanMatches)[number];

/** Query of the lookup. */
export const WarehouseLookupQuery = object('WarehouseLookupQuery', {
  scan: Type.String({
    minLength: 1,
    maxLength: 1024,
    description: 'What the scanner read; with or without a symbology identifier such as `]C1`',
  }),
});

/** A forecast that a scan may mean. */
export const LookupCandidate = object('LookupCandidate', {
  forecast: WarehouseForecast,
  matched_by: oneOf(
    scanMatches,
    "label: the QR code of a carton label; claimed_number: a number that the warehouse has claimed for the forecast; tracking_number: a logistics number that the forecast declares, or the carrier's number of the dispatch; barcode: an EAN-8, EAN-13, UPC-A or GTIN-14 of an item; the others: the field of this name",
  ),
  reason: Type.String({ description: 'Why it is a candidate, in a sentence' }),
  is_doubtful: Type.Optional(
    Type.Boolean({
      description:
        'true: nothing was scanned for it under this number, and its merchant declares many numbers that never come, or the parcel has left and the number is one of several. Compare the parcel before you name this forecast in an event',
    }),
  ),
});

/** What a scan may mean. */
export const WarehouseLookup = object('WarehouseLookup', {
  scan: Type.String({ description: 'As sent' }),
  candidates: Type.Array(LookupCandidate, {
    description: `Expected and present parcels first, at most ${MAX_CANDIDATES}. The platform does not choose: it returns every match`,
  }),
  has_more: Type.Boolean({ description: 'There are more candidates than shown' }),
  warnings: queryWarnings,
});
export type WarehouseLookup = Static<typeof WarehouseLookup>;
