import { DEAD_LETTER_RETENTION_DAYS, TOPIC_RETENTION_DAYS } from '@parcelway/contracts/topics';
import { collection } from '@parcelway/store/collection';
import Type, { type Static } from 'typebox';

/** A link of a photo to a deleted forecast may be on its way for as long as the log keeps messages, then as a dead letter, and a day more. */
export const DELETED_KEPT_MS = (TOPIC_RETENTION_DAYS + DEAD_LETTER_RETENTION_DAYS + 1) * 86_400_000;

const tokens = Type.Array(Type.String());

const schema = Type.Object(
  {
    tenantId: Type.String(),
    /** Of a refused report what `refusedReport` makes of it. */
    forecastNo: Type.String(),
    /** The version that was noted last; 0 before the first. */
    version: Type.Integer(),
    poNumber: Type.String(),
    /** The PDFs that it names now. */
    files: Type.Array(Type.Object({ token: Type.String(), fields: Type.Array(Type.String()) }, { additionalProperties: false })),
    /** Their tokens. */
    named: tokens,
    /** Tokens of all PDFs that it uses: also those that it does not name any more. */
    used: tokens,
    /** The list of own images that was noted last; 0 before the first. */
    imageRevision: Type.Integer(),
    images: tokens,
    /** Epoch milliseconds. From then on it has no files. */
    deletedAt: Type.Optional(Type.Integer()),
  },
  { additionalProperties: false },
);

/** What is known of a forecast: all that one decision about its files rests on. */
export type ForecastFiles = Static<typeof schema>;

/** Which PDFs and own images forecasts have, and which of them were deleted. */
export const forecastFiles = collection('forecast_files', schema, {
  describe: 'PDFs and own images of forecasts, and for some days forecasts that were deleted and reports that were refused',
  key: ['tenantId', 'forecastNo'],
  lists: {
    tenant: ['tenantId'],
    named: ['tenantId', { each: 'named' }, '-forecastNo'],
    used: ['tenantId', { each: 'used' }],
    images: ['tenantId', { each: 'images' }],
    // Over all tenants: forgetting is the platform's own work.
    deleted: ['deletedAt'],
  },
  tenant: 'tenantId',
  shard: 'tenantId',
  ends: [{ by: 'deleted', keptMs: DELETED_KEPT_MS }],
  copy: 'the forecasts are listed by their own service',
});

export function unknownForecast(tenantId: string, forecastNo: string): ForecastFiles {
  return { tenantId, forecastNo, version: 0, poNumber: '', files: [], named: [], used: [], imageRevision: 0, images: [] };
}
