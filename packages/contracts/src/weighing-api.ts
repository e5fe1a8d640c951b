import Type, { type Static } from 'typebox';
import { forecastStatus } from './forecast-api.ts';
import { object, titled } from './object.ts';
import { imageTypes, parcelCondition } from './parcel-reports.ts';
import { instant, nullable, oneOf } from './text.ts';
import { queryWarnings } from './warnings.ts';

/** Photo taken at the weigher. */
export const WeighingImage = object('WeighingImage', {
  id: Type.Integer({ description: 'Photo record of the platform' }),
  express_no: Type.String({ description: 'Number scanned at the weigher; empty when none was' }),
  image_path: Type.String({ description: 'Storage key' }),
  image_url: Type.String({ description: 'Opens without a key; cannot be guessed' }),
  file_size: Type.Integer({ description: 'Bytes' }),
  upload_time: instant('When the photo was uploaded'),
});

/** Who uploaded an image of a forecast. */
export const uploadSources = ['warehouse', 'admin', 'system', 'tenant'] as const;

/** Photo attached to a forecast. */
export const ForecastImage = object('ForecastImage', {
  id: Type.Integer({ description: 'Photo record of the platform' }),
  forecast_id: Type.Integer({ description: "The platform's integer id of the forecast" }),
  image_type: oneOf(imageTypes, 'What the image shows'),
  image_url: Type.String({ description: 'Opens without a key; cannot be guessed' }),
  image_order: Type.Integer({ description: 'Sort order' }),
  upload_source: oneOf(uploadSources, 'Who uploaded it'),
});
export type ForecastImage = Static<typeof ForecastImage>;

const measure = (unit: string) => nullable(Type.Number({ description: `${unit}; null when not yet weighed` }));

/** `data` of the weighing query. */
export const WeighingData = titled('WeighingData', 'Weighing data', {
  po_number: Type.String(),
  status: forecastStatus,
  length_cm: measure('cm'),
  width_cm: measure('cm'),
  height_cm: measure('cm'),
  weight_kg: measure('kg'),
  weighing_images: Type.Array(WeighingImage, { description: 'Newest first' }),
  forecast_images: Type.Array(ForecastImage, { description: 'Ascending by image_order' }),
  ...parcelCondition,
  warnings: queryWarnings,
});
export type WeighingData = Static<typeof WeighingData>;
