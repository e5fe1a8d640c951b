import Type, { type Static } from 'typebox';
import { object } from './object.ts';
import { imageTypes } from './parcel-reports.ts';
import { oneOf } from './text.ts';
import { imageOrder } from './warehouse-api.ts';

/** Body that puts an image on a forecast. */
export const ForecastImageAddition = object('ForecastImageAddition', {
  image_id: Type.String({ minLength: 1, maxLength: 2048, description: '`image_id` of an upload' }),
  image_type: oneOf(imageTypes, 'What the image shows'),
  image_order: Type.Optional(imageOrder),
});
export type ForecastImageAddition = Static<typeof ForecastImageAddition>;

/** `data`: an image was taken from a forecast. */
export const ForecastImageRemoval = object('ForecastImageRemoval', {
  po_number: Type.String(),
  id: Type.Integer({ description: '`id` of the image' }),
  removed: Type.Literal(true),
});
export type ForecastImageRemoval = Static<typeof ForecastImageRemoval>;
