import Type from 'typebox';
import { instant } from './text.ts';

/** Most images that a merchant puts on one forecast. */
export const MAX_OWN_IMAGES = 20;

/** The whole list of a merchant's own images, with a number that rises with each change: of two events the one with more is the later. */
export const ForecastImagesChanged = Type.Object({
  forecast_no: Type.String(),
  po_number: Type.String(),
  revision: Type.Integer({ minimum: 1, description: 'Begins at 1 and rises with each change of the list' }),
  images: Type.Array(Type.String({ maxLength: 22 }), {
    maxItems: MAX_OWN_IMAGES,
    description: "Tokens of the tenant's own images on the forecast",
  }),
  changed_at: instant('Change of the list'),
});
