import Type, { type Static } from 'typebox';

/** Most forecasts that one call names. */
export const MAX_NAMED_FORECASTS = 100;

/** Body that names forecasts, to learn which of them the forecast service has. */
export const NamedForecasts = Type.Object({
  forecasts: Type.Array(Type.Object({ tenant_id: Type.String({ maxLength: 64 }), forecast_no: Type.String({ maxLength: 64 }) }), {
    minItems: 1,
    maxItems: MAX_NAMED_FORECASTS,
  }),
});
/** See the schema of the same name. The response has the same shape: those that exist, in any order. */
export type NamedForecasts = Static<typeof NamedForecasts>;
