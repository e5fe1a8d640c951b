import Type from 'typebox';
import { object } from './object.ts';
import { instant, nullable } from './text.ts';

/*
 * What a merchant reads of the reports of the warehouse.
 */

/** What a forecast image shows. */
export const imageTypes = ['product', 'package', 'shipping', 'document', 'other'] as const;
/** One of `imageTypes`. */
export type ImageType = (typeof imageTypes)[number];

/** What a warehouse may find wrong with a parcel. */
export const exceptionReasons = ['damaged', 'wrong_content', 'missing_items', 'unreadable_label', 'prohibited', 'other'] as const;
/** One of `exceptionReasons`. */
export type ExceptionReason = (typeof exceptionReasons)[number];

/** A photo that belongs to a report. */
export const ReportPhoto = object('ReportPhoto', {
  id: Type.Integer({ description: 'Photo record of the platform' }),
  image_url: Type.String({ description: 'Opens without a key; cannot be guessed' }),
  file_size: Type.Integer({ description: 'Bytes' }),
  upload_time: instant('When the photo was uploaded'),
});

/** Which event of which warehouse a measurement comes from. */
const MeasurementReporter = object('MeasurementReporter', {
  warehouse_code: Type.String(),
  event_id: Type.String({ description: "The warehouse's id of the event" }),
  express_no: nullable(Type.String({ description: 'Number scanned at the weigher; null when none was' })),
});

/** One measurement of a parcel; the newest is the current one. */
export const Measurement = object('Measurement', {
  length_cm: Type.Number(),
  width_cm: Type.Number(),
  height_cm: Type.Number(),
  weight_kg: Type.Number(),
  weighed_at: instant('When the warehouse weighed it'),
  photos: Type.Array(ReportPhoto, { description: 'Taken at the weigher' }),
  reported_by: MeasurementReporter,
});

/** Something that the warehouse found wrong with the parcel. */
const ParcelException = object('ParcelException', {
  reason: Type.String({
    description: 'What is wrong: damaged, wrong_content, missing_items, unreadable_label, prohibited or other; more may come',
  }),
  text: nullable(Type.String({ description: "The warehouse's own words" })),
  occurred_at: instant('When the warehouse found it'),
  photos: Type.Array(ReportPhoto),
});

/** A time in which the warehouse keeps the parcel back. */
export const ParcelHold = object('ParcelHold', {
  reason: nullable(Type.String({ description: "The warehouse's own words" })),
  held_at: instant('When the hold began in the warehouse'),
  released_at: nullable(instant('When the warehouse released it; null while the hold lasts')),
});

/** What the warehouse says of a parcel besides its measurements. */
export const parcelCondition = {
  on_hold: Type.Boolean({ description: 'True while a hold is not released. The status does not change with it' }),
  holds: Type.Array(ParcelHold, { description: 'Latest first' }),
  exceptions: Type.Array(ParcelException, { description: 'Latest first' }),
};

/** Pieces of one SKU, forecast and counted. */
const ReceivedItem = object('ReceivedItem', {
  sku_code: Type.String(),
  forecast_quantity: Type.Integer({ description: '0 for a SKU that is not in the forecast' }),
  received_quantity: Type.Integer({ description: '0 for a SKU that the count does not name' }),
  difference: Type.Integer({ description: 'received_quantity - forecast_quantity' }),
});

const WeightAndVolume = object('WeightAndVolume', {
  weight_kg: nullable(
    Type.Number({
      description:
        'In kg, rounded to grams, of all pieces or of all parcels that were weighed. null until one is weighed; of the difference, until all are; of what is declared, while an item has no declared weight',
    }),
  ),
  volume_cm3: nullable(
    Type.Number({
      description:
        'In cm³. null until a parcel is weighed; of the difference, until all are; of what is declared, while an item lacks a declared dimension',
    }),
  ),
});

/** What was declared against what the warehouse found. */
export const declaredAndFound = {
  received_items: Type.Array(ReceivedItem, {
    description: 'Latest count of the warehouse against the forecast; empty until there is one',
  }),
  declared: WeightAndVolume,
  measured: WeightAndVolume,
  difference: WeightAndVolume,
  volumetric_weight_kg: nullable(Type.Number({ description: 'Measured volume divided by `volume_divisor`; null until it is weighed' })),
  chargeable_weight_kg: nullable(Type.Number({ description: 'The greater of measured and volumetric weight; null until it is weighed' })),
  volume_divisor: Type.Integer({ description: 'cm³ that count as 1 kg; set by the operator' }),
};
