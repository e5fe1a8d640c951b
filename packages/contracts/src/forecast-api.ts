import Type, { type Static } from 'typebox';
import { forecastStatusMeanings } from './forecast-status.ts';
import { declaredAndFound, Measurement, parcelCondition } from './parcel-reports.ts';
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

const declaredCentimetres = (name: string) =>
  Type.Optional(
    Type.Number({ exclusiveMinimum: 0, maximum: 10000, description: `${name} of one piece in cm, as the merchant declares it` }),
  );

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
    declared_weight_kg: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: 100000, description: 'Weight of one piece in kg, as the merchant declares it' }),
    ),
    declared_length_cm: declaredCentimetres('Length'),
    declared_width_cm: declaredCentimetres('Width'),
    declared_height_cm: declaredCentimetres('Height'),
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
    carton_count: Type.Optional(Type.Integer({ minimum: 1, maximum: 10000, description: 'Number of cartons' })),
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

/** Fields of a submission that no correction changes: what they are cannot be another forecast's. */
export const fixedFields = ['po_number', 'forecast_type'] as const;

/** Body of a correction: what is named replaces what was submitted, `items` as a whole; null removes. */
export const ForecastCorrection = Type.Object(
  {
    warehouse_code: Type.Optional(ForecastSubmission.properties.warehouse_code),
    due_date: Type.Optional(nullable(ForecastSubmission.properties.due_date)),
    shipping_label: Type.Optional(httpsUrl('URL of the shipping label from the upload endpoint')),
    shipping_note: Type.Optional(httpsUrl('URL of the packing list from the upload endpoint')),
    carton_count: Type.Optional(nullable(ForecastSubmission.properties.carton_count)),
    items: Type.Optional(ForecastSubmission.properties.items),
  },
  { $id: 'ForecastCorrection', title: 'Forecast correction', minProperties: 1 },
);
export type ForecastCorrection = Static<typeof ForecastCorrection>;

/** Something accepted but worth a look: an ignored field or parameter, a date in the past. */
export const Warning = Type.Object(
  { field: Type.String({ description: 'JSON path of the field, or name of the parameter of the query' }), message: Type.String() },
  { $id: 'Warning' },
);
export type Warning = Static<typeof Warning>;

/** `warnings` of a response that has none of its own. Any response may have them; those of lists and queries, where a slip is likely, say so. */
export const queryWarnings = Type.Optional(
  Type.Array(Warning, {
    description: 'Parameters of the query that are not known and were ignored, at most 20; absent when there are none',
  }),
);

/** `warnings` of a response to a body. */
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
    version: Type.Integer({ minimum: 1, description: 'Begins at 1 and rises with each correction' }),
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

/** A field that a correction changed. */
export const ForecastChange = Type.Object(
  {
    field: Type.String({ description: 'JSON path, such as items[2].forecast_quantity. An item that was added or removed is one field' }),
    from: nullable(Type.String({ description: 'Value before, as text; of an item its sku_code; null when there was none' })),
    to: nullable(Type.String({ description: 'Value after, as text; of an item its sku_code; null when there is none' })),
  },
  { $id: 'ForecastChange' },
);
export type ForecastChange = Static<typeof ForecastChange>;

/** One correction of a forecast. */
export const ForecastCorrectionEntry = Type.Object(
  {
    version: Type.Integer({ description: 'Version of the forecast that it made' }),
    time: instant('When the platform recorded it'),
    key_id: nullable(
      Type.String({
        description: 'Id of the API key that made it; null when the parcel arrived at another warehouse than the forecast then named',
      }),
    ),
    changes: Type.Array(ForecastChange, { description: 'At most 100' }),
    has_more_changes: Type.Boolean({ description: 'True when it changed more than `changes` lists' }),
  },
  { $id: 'ForecastCorrectionEntry' },
);

/** A forecast read by its po_number: everything submitted, with status, history and measurements. */
export const ForecastDetail = Type.Object(
  {
    ...ForecastSummary.properties,
    shipping_label: nullable(Type.String()),
    shipping_note: nullable(Type.String()),
    marketplace_label: nullable(Type.String({ description: 'URL of the product label that the platform made; null until it is there' })),
    marketplace_label_version: nullable(
      Type.Integer({ description: 'Version of the forecast that label and packing slip show; behind `version` until they are made again' }),
    ),
    packing_slip: nullable(Type.String({ description: 'URL of the packing slip that the platform made; null until it is there' })),
    carton_count: nullable(Type.Integer({ description: 'Number of cartons, as submitted' })),
    items: Type.Array(ForecastItem),
    carrier_code: nullable(Type.String({ description: 'Set once the parcel is dispatched' })),
    tracking_number: nullable(Type.String({ description: 'Number under which the parcel was dispatched' })),
    history: Type.Array(StatusChange, { description: 'Oldest first' }),
    measurements: Type.Array(Measurement, { description: 'Newest first' }),
    ...parcelCondition,
    ...declaredAndFound,
    corrections: Type.Array(ForecastCorrectionEntry, { description: 'Oldest first; the latest 100 at most' }),
  },
  { $id: 'ForecastDetail' },
);
export type ForecastDetail = Static<typeof ForecastDetail>;

/** `data` of a correction: the forecast as it is now. */
export const CorrectedForecast = Type.Object(
  { ...ForecastDetail.properties, warnings: Type.Array(Warning, { description: 'At most 100 of the body and 20 of the query' }) },
  { $id: 'CorrectedForecast' },
);
export type CorrectedForecast = Static<typeof CorrectedForecast>;

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

/** Query of the internal route by which other services read items that are too large for an event. */
export const ForecastContentQuery = Type.Object({
  tenant_id: Type.String({ maxLength: 64 }),
  forecast_no: Type.String({ maxLength: 64 }),
  version: Type.Optional(Type.String({ maxLength: 16, description: 'Version that the caller knows of. The response is the current one' })),
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

/** What a warehouse may find wrong with a parcel. */
export const exceptionReasons = ['damaged', 'wrong_content', 'missing_items', 'unreadable_label', 'prohibited', 'other'] as const;
export type ExceptionReason = (typeof exceptionReasons)[number];

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
    ...parcelCondition,
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
