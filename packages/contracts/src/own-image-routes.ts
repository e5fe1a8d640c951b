import { ForecastImageAddition, ForecastImageRemoval } from './own-images-api.ts';
import { type RouteDefinition, routesWith } from './route.ts';
import { ForecastImage } from './weighing-api.ts';

const route = routesWith({ service: 'forecast', scopes: ['forecasts:write'], tag: 'Forecasts' });

/** A merchant's own images on a forecast. */
export const ownImageRoutes: readonly RouteDefinition[] = [
  route({
    id: 'addForecastImage',
    method: 'POST',
    path: '/open/v1/forecasts/{po_number}/images',
    summary: 'Put an image on a forecast',
    description:
      'At most 20 own images for each forecast, in any status but CANCELLED. `forecast_images` of the weighing query shows them with `upload_source: "tenant"`. `version` stays.',
    body: ForecastImageAddition,
    data: ForecastImage,
    repeat: 'The same image_id stays one image; it gets the type and the order of the later call.',
    errors: ['40001', '40401', '40902', '41301', '41501', '42201'],
  }),
  route({
    id: 'removeForecastImage',
    method: 'DELETE',
    path: '/open/v1/forecasts/{po_number}/images/{image_number}',
    summary: 'Remove an own image from a forecast',
    description: '`image_number` is the `id` of the image. Images of the warehouse cannot be removed.',
    data: ForecastImageRemoval,
    repeat: 'Returns 40403: the image is no longer there.',
    errors: ['40401', '40403', '40902'],
  }),
];
