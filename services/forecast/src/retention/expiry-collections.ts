import { collection } from '@parcelway/store/collection';
import Type from 'typebox';

const closed = { additionalProperties: false } as const;

/** What carries the messages of forecasts that have expired: these have no document of their own any more. */
export const expiryNotes = collection(
  'expiry_notes',
  Type.Object({ tenantId: Type.String(), noteId: Type.String(), at: Type.Integer() }, closed),
  {
    describe: 'Forecasts that have expired, until that is published',
    key: ['tenantId', 'noteId'],
    lists: { tenant: ['tenantId'], age: ['at'] },
    hasMessages: true,
    tenant: 'tenantId',
    shard: 'tenantId',
    // Those whose messages wait stay.
    ends: [{ by: 'age', keptMs: 0 }],
    copy: 'nothing is kept of what it says',
  },
);

/** Up to where the files of tenants' forecasts have expired. */
export const expiredFiles = collection(
  'expired_files',
  Type.Object(
    {
      tenantId: Type.String(),
      /** Among the forecasts that have ended. */
      place: Type.String(),
      /** Numbers of forecasts before it whose files could not be ended. */
      skipped: Type.Array(Type.String()),
    },
    closed,
  ),
  {
    describe: 'Up to where the files of ended forecasts have expired',
    key: ['tenantId'],
    lists: { tenant: ['tenantId'] },
    tenant: 'tenantId',
    shard: 'tenantId',
    ends: 'with the erasure of the tenant',
    copy: 'it is about the work of the platform',
  },
);
