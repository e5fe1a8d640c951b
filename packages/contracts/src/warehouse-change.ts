import Type, { type Static } from 'typebox';
import { object } from './object.ts';
import { instant, nullable } from './text.ts';
import { WarehouseForecastDetail } from './warehouse-view-api.ts';

/*
 * Messages of the topic warehouse.expected.v1.
 */

/** A message is no larger than this: brokers and clients with their usual settings take 1 MiB with key and headers. */
export const MAX_CHANGE_BYTES = 900 * 1024;

/** Change that a message reports → in words. */
export const forecastChanges = {
  accepted: 'a merchant has submitted the forecast',
  corrected: 'a merchant has corrected it',
  cancelled: 'a merchant has cancelled it',
  held: 'a hold has been recorded',
  released: 'the end of a hold has been recorded',
  status: 'a report of the warehouse or a final status of the carrier has changed its status, or the parcel was dispatched',
} as const;
export type ForecastChange = keyof typeof forecastChanges;

const { items, measurements, photos, exceptions, ...others } = WarehouseForecastDetail.properties;
const tooLarge = `null when the message would exceed ${MAX_CHANGE_BYTES / 1024} KiB; read it with \`GET /warehouse/v1/forecasts/{forecast_no}\``;

/** A forecast as a message shows it: as its warehouse reads it, without what would make the message too large. */
const ExpectedForecast = object('ExpectedForecast', {
  ...others,
  items: nullable(
    Type.Array(items.items, {
      description: `Without \`forecast_price\`, unless the operator allows it; ${tooLarge}. Also null while the platform reads large items: another message follows`,
    }),
  ),
  measurements: nullable(Type.Array(measurements.items, { description: `Latest first; ${tooLarge}` })),
  photos: nullable(Type.Array(photos.items, { description: `Ascending by image_order; ${tooLarge}` })),
  exceptions: nullable(Type.Array(exceptions.items, { description: `Latest first; ${tooLarge}` })),
});
export type ExpectedForecast = Static<typeof ExpectedForecast>;

/** A change of a forecast, with its newest state. */
export const WarehouseForecastChange = object('WarehouseForecastChange', {
  change: Type.Unsafe<ForecastChange>({
    type: 'string',
    description: `The change that the message reports; more values may be added. ${Object.entries(forecastChanges)
      .map(([change, meaning]) => `${change} = ${meaning}`)
      .join('; ')}`,
  }),
  changed_at: instant('When that was recorded'),
  forecast: ExpectedForecast,
});
export type WarehouseForecastChange = Static<typeof WarehouseForecastChange>;
