import Type, { type Static } from 'typebox';
import { forecastStatusMeanings } from './forecast-status.ts';
import {
  day,
  FORECAST_STATUS_PATTERN,
  HS_CODE_PATTERN,
  httpsUrl,
  INTEGER_TO_100_PATTERN,
  identifier,
  instant,
  integerInQuery,
  logisticsNumber,
  nullable,
  oneOf,
  TEXT_PATTERN,
  text,
  visibleText,
  warehouseCode,
  webUrl,
} from './text.ts';

/** Most characters of a po_number. */
const MAX_PO_NUMBER = 64;

/** `po_number` wherever a caller sends it. */
export const poNumber = identifier(1, MAX_PO_NUMBER, 'Business key of the forecast; case-sensitive and exact');

/** Longer than any URL that the platform reads. */
const MAX_IN_URL = 65_536;

/** `po_number` in a query, where any text may be asked for: one that no forecast can have finds nothing. */
const poNumberToFind = Type.String({
  minLength: 1,
  maxLength: MAX_IN_URL,
  description: 'po_number of the forecast, exactly as submitted',
});

const TEXT = new RegExp(TEXT_PATTERN, 'u');

/** False for a text that no forecast has for its po_number. Stores are not asked for such a one: they may end a text at a NUL. */
export function mayBePoNumber(text: string): boolean {
  // A character takes at most two units; only what can be short enough is counted.
  return text !== '' && text.length <= 2 * MAX_PO_NUMBER && [...text].length <= MAX_PO_NUMBER && TEXT.test(text);
}

/** A line item of a forecast. */
export const ForecastItem = Type.Object(
  {
    sku_code: identifier(1, 100, 'Stock keeping unit'),
    barcode: Type.Optional(identifier(0, 64, 'Barcode of the product')),
    product_name_en: visibleText(200, 'Product name in English'),
    product_name_cn: Type.Optional(text(0, 500, 'Product name in Chinese')),
    product_image: Type.Optional(webUrl('Image URL of the product')),
    forecast_quantity: Type.Integer({ minimum: 1, maximum: 500000, description: 'Number of pieces' }),
    forecast_price: Type.Optional(
      Type.Number({ minimum: 0, maximum: 99999999.9999, multipleOf: 0.0001, description: 'Declared unit price, at most 4 decimals' }),
    ),
    hs_code: Type.Optional(Type.String({ maxLength: 40, pattern: HS_CODE_PATTERN, description: 'Harmonised System code, 6 to 13 digits' })),
    tracking_number: Type.Optional(
      logisticsNumber('Logistics number. Compared in upper case without spaces and hyphens; unique among live type 2 forecasts'),
    ),
  },
  { $id: 'ForecastItem', title: 'Forecast item' },
);
export type ForecastItem = Static<typeof ForecastItem>;

/** 1 = stock replenishment, 2 = direct-mail labelling. */
export const forecastTypes = [1, 2] as const;

/** Body of a submission. Type 2, the default, also needs both PDF URLs. */
export const ForecastSubmission = Type.Object(
  {
    po_number: poNumber,
    forecast_type: Type.Optional(
      Type.Integer({ enum: [...forecastTypes], default: 2, description: '1 = stock replenishment, 2 = direct-mail labelling' }),
    ),
    warehouse_code: warehouseCode('Destination warehouse; see the list of warehouses'),
    due_date: Type.Optional(day('Expected arrival, YYYY-MM-DD, in the years 2000 to 2100')),
    shipping_label: Type.Optional(httpsUrl('URL of the shipping label from the upload endpoint. Required for type 2')),
    shipping_note: Type.Optional(httpsUrl('URL of the packing list from the upload endpoint. Required for type 2')),
    items: Type.Array(ForecastItem, { minItems: 1, maxItems: 2000, description: 'Line items' }),
  },
  {
    $id: 'ForecastSubmission',
    title: 'Forecast submission',
    // Also when forecast_type is absent, but not when it is wrong: then nobody knows which files are meant.
    if: { properties: { forecast_type: { const: 2 } } },
    // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
    then: { required: ['shipping_label', 'shipping_note'] },
  },
);
export type ForecastSubmission = Static<typeof ForecastSubmission>;

/** Something accepted but worth a look: an ignored field or parameter, a date in the past. */
export const Warning = Type.Object(
  { field: Type.String({ description: 'JSON path of the field, or name of the parameter of the query' }), message: Type.String() },
  { $id: 'Warning' },
);
export type Warning = Static<typeof Warning>;

/** `warnings` of an answer that has none of its own. Any answer may have them; those of lists and queries, where a slip is likely, say so. */
export const queryWarnings = Type.Optional(
  Type.Array(Warning, {
    description: 'Parameters of the query that are not known and were ignored, at most 20; absent when there are none',
  }),
);

/** `warnings` of an answer to a body. */
export const inputWarnings = Type.Array(Warning, {
  description: 'Fields of the body and parameters of the query that are not known and were ignored, at most 20 of each',
});

/** `data` of an accepted submission. */
export const ForecastAcceptance = Type.Object(
  {
    forecast_no: Type.String({ description: 'Forecast number given by the platform' }),
    po_number: Type.String(),
    item_count: Type.Integer({ description: 'Number of items accepted' }),
    status: Type.Literal('ACCEPTED'),
    create_time: instant('When the forecast was accepted'),
    warnings: Type.Array(Warning, { description: 'At most 100 of the body and 20 of the query; empty when there is nothing to say' }),
  },
  { $id: 'ForecastAcceptance', title: 'Forecast acceptance result' },
);
export type ForecastAcceptance = Static<typeof ForecastAcceptance>;

const statusName = oneOf(['ACCEPTED', 'ARRIVED', 'WEIGHED', 'PROCESSING', 'SHIPPED', 'COMPLETED', 'CANCELLED'], 'Status as a string');
const status = Type.Integer({ minimum: 1, maximum: 7, description: `Status as an integer: ${forecastStatusMeanings}` });

/** A forecast in the list. */
export const ForecastSummary = Type.Object(
  {
    forecast_no: Type.String(),
    po_number: Type.String(),
    forecast_type: Type.Integer(),
    warehouse_code: Type.String(),
    due_date: nullable(Type.String()),
    item_count: Type.Integer(),
    status,
    status_name: statusName,
    create_time: instant('When it was accepted'),
    update_time: instant('When it last changed'),
  },
  { $id: 'ForecastSummary' },
);
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
export const StatusChange = Type.Object(
  {
    status,
    status_name: statusName,
    time: instant('When the platform recorded it'),
    reason: Type.String({ description: 'What moved it: submitted, cancelled, or the warehouse or tracking event' }),
  },
  { $id: 'StatusChange' },
);

/** One measurement of a parcel; the newest is the current one. */
export const Measurement = Type.Object(
  {
    length_cm: Type.Number(),
    width_cm: Type.Number(),
    height_cm: Type.Number(),
    weight_kg: Type.Number(),
    weighed_at: instant('When the warehouse weighed it'),
  },
  { $id: 'Measurement' },
);

/** A forecast read by its po_number: everything submitted, with status, history and measurements. */
export const ForecastDetail = Type.Object(
  {
    ...ForecastSummary.properties,
    shipping_label: nullable(Type.String()),
    shipping_note: nullable(Type.String()),
    items: Type.Array(ForecastItem),
    carrier_code: nullable(Type.String({ description: 'Set once the parcel is dispatched' })),
    tracking_number: nullable(Type.String({ description: 'Number under which the parcel was dispatched' })),
    history: Type.Array(StatusChange, { description: 'Oldest first' }),
    measurements: Type.Array(Measurement, { description: 'Newest first' }),
  },
  { $id: 'ForecastDetail' },
);
export type ForecastDetail = Static<typeof ForecastDetail>;

/** Query of the list. */
export const ForecastListQuery = Type.Object(
  {
    status: Type.Optional(
      Type.String({
        pattern: FORECAST_STATUS_PATTERN,
        description: `Only this status, as an integer or by its name: ${forecastStatusMeanings}`,
      }),
    ),
    po_number: Type.Optional(poNumberToFind),
    created_from: Type.Optional(instant('Accepted at or after this instant')),
    created_to: Type.Optional(instant('Accepted before this instant')),
    limit: Type.Optional(integerInQuery(INTEGER_TO_100_PATTERN, 20, 'Page size, 1 to 100; default 20')),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512, description: '`next_cursor` of the page before' })),
  },
  { $id: 'ForecastListQuery' },
);
export type ForecastListQuery = Static<typeof ForecastListQuery>;

/** A page of forecasts, newest first. */
export const ForecastList = Type.Object(
  {
    forecasts: Type.Array(ForecastSummary),
    next_cursor: nullable(Type.String({ description: 'null on the last page' })),
    warnings: queryWarnings,
  },
  { $id: 'ForecastList' },
);

/** Query parameter of the weighing and tracking queries. */
export const PoNumberQuery = Type.Object({ po_number: poNumberToFind }, { $id: 'PoNumberQuery' });
export type PoNumberQuery = Static<typeof PoNumberQuery>;

/** Query of the internal look-up, by which other services of the platform learn of a tenant's forecast. */
export const ForecastLookupQuery = Type.Object({
  tenant_id: Type.String({ maxLength: 64 }),
  ...PoNumberQuery.properties,
});

/** Photo taken at the weigher. */
export const WeighingImage = Type.Object(
  {
    id: Type.Integer({ description: 'Photo record of the platform' }),
    express_no: Type.String({ description: 'Number scanned at the weigher; empty when none was' }),
    image_path: Type.String({ description: 'Storage key' }),
    image_url: Type.String({ description: 'Opens without a key; cannot be guessed' }),
    file_size: Type.Integer({ description: 'Bytes' }),
    upload_time: instant('When the photo was uploaded'),
  },
  { $id: 'WeighingImage' },
);
export type WeighingImage = Static<typeof WeighingImage>;

/** What a forecast image shows. */
export const imageTypes = ['product', 'package', 'shipping', 'document', 'other'] as const;
export type ImageType = (typeof imageTypes)[number];

/** Who uploaded an image of a forecast. */
export const uploadSources = ['warehouse', 'admin', 'system', 'tenant'] as const;

/** Photo attached to a forecast. */
export const ForecastImage = Type.Object(
  {
    id: Type.Integer({ description: 'Photo record of the platform' }),
    forecast_id: Type.Integer({ description: "The platform's integer id of the forecast" }),
    image_type: oneOf(imageTypes, 'What the image shows'),
    image_url: Type.String({ description: 'Opens without a key; cannot be guessed' }),
    image_order: Type.Integer({ description: 'Sort order' }),
    upload_source: oneOf(uploadSources, 'Who uploaded it'),
  },
  { $id: 'ForecastImage' },
);
export type ForecastImage = Static<typeof ForecastImage>;

const measure = (unit: string) => nullable(Type.Number({ description: `${unit}; null when not yet weighed` }));

/** `data` of the weighing query. */
export const WeighingData = Type.Object(
  {
    po_number: Type.String(),
    status,
    length_cm: measure('cm'),
    width_cm: measure('cm'),
    height_cm: measure('cm'),
    weight_kg: measure('kg'),
    weighing_images: Type.Array(WeighingImage, { description: 'Newest first' }),
    forecast_images: Type.Array(ForecastImage, { description: 'Ascending by image_order' }),
    warnings: queryWarnings,
  },
  { $id: 'WeighingData', title: 'Weighing data' },
);
export type WeighingData = Static<typeof WeighingData>;

/** `data` of a cancellation. */
export const ForecastCancellation = Type.Object(
  {
    forecast_no: Type.String(),
    po_number: Type.String(),
    status: Type.Literal('CANCELLED'),
    cancel_time: instant('When it was cancelled'),
  },
  { $id: 'ForecastCancellation' },
);
export type ForecastCancellation = Static<typeof ForecastCancellation>;
