import { collection } from '@parcelway/store/collection';
import Type from 'typebox';

/** What carries the messages of forecasts that have expired: these have no document of their own any more. */
export const expiryNotes = collection(
  'expiry_notes',
  Type.Object({ tenantId: Type.String(), noteId: Type.String(), at: Type.Integer() }, { additionalProperties: false }),
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
