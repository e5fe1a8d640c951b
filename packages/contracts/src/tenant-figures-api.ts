import Type, { type Static } from 'typebox';
import { Tenant } from './admin-api.ts';
import { ForecastCount } from './forecast-counts-api.ts';
import { object } from './object.ts';
import { instant, nullable } from './text.ts';

/* What an operator sees of one tenant. Every figure ends at a limit, so that it costs the same however much a tenant has stored. */

/** Forecasts of one status that are counted. */
export const MAX_COUNTED_FORECASTS = 1000;

/** Query of the figures of forecasts. */
export const ForecastFiguresQuery = Type.Object({ tenant_id: Type.String({ minLength: 1, maxLength: 64 }) });

/** Forecasts of a tenant in figures. */
export const ForecastFigures = Type.Object({
  parcels: Type.Array(
    Type.Object({ ...ForecastCount.properties, count: Type.Integer({ description: `Up to ${MAX_COUNTED_FORECASTS}` }) }),
    { description: 'Every status, in the order of the statuses' },
  ),
  last_change_time: nullable(instant('Last change of a forecast; null without forecasts')),
});
export type ForecastFigures = Static<typeof ForecastFigures>;

const count = (description: string) => Type.Integer({ description });

/** A tenant with its figures. What a service cannot say now is null. */
export const TenantDetail = object('TenantDetail', {
  ...Tenant.properties,
  keys: Type.Object({
    alive: count('Keys that are neither revoked nor expired, up to 1000'),
    has_more: Type.Boolean(),
    last_use_time: nullable(instant('Last use of one of them, to the minute; null: none was used')),
  }),
  webhook_endpoints: nullable(
    Type.Object({
      enabled: count('Enabled ones'),
      paused: count('Paused ones'),
      disabled: count('Disabled ones'),
      failing: count('Enabled ones to which nothing has been delivered since an attempt failed'),
    }),
  ),
  parcels: nullable(ForecastFigures.properties.parcels),
  last_change_time: ForecastFigures.properties.last_change_time,
  last_activity_time: nullable(instant('Last use of a key or last change of a forecast; null: none')),
});
export type TenantDetail = Static<typeof TenantDetail>;
