import { FAILED_CALLS_KEPT_DAYS } from '@parcelway/contracts/activity-api';
import type { ListPosition } from '@parcelway/kernel/list-position';
import { collection, type Index } from '@parcelway/store/collection';
import type { Store } from '@parcelway/store/store';
import Type from 'typebox';
import type { FailedCallRecord } from './domain/failed-call.ts';
import type { FailedCallStore, TimeRange } from './ports.ts';

const text = Type.Optional(Type.String());

/** Failed calls. */
export const failedCalls = collection(
  'failed_calls',
  Type.Object(
    {
      callId: Type.String(),
      tenantId: Type.String(),
      at: Type.Integer(),
      requestId: Type.String(),
      method: Type.String(),
      route: text,
      path: Type.String(),
      status: Type.Integer(),
      code: text,
      message: text,
      data: text,
      keyId: Type.String(),
      durationMs: Type.Number(),
    },
    { additionalProperties: false },
  ),
  {
    describe: 'Calls of tenants that failed, without their bodies',
    key: ['callId'],
    // Over all tenants: the sweep is the platform's own work.
    lists: { tenant: ['tenantId', '-at'], request: ['tenantId', 'requestId', '-at'], age: ['at'] },
    tenant: 'tenantId',
    shard: 'tenantId',
    ends: [{ by: 'age', keptMs: FAILED_CALLS_KEPT_DAYS * 86_400_000 }],
  },
);

type Call = NonNullable<(typeof failedCalls)['document']>;

function documentOf({ route, code, message, data, ...call }: FailedCallRecord): Call {
  return {
    ...call,
    ...(route !== null && { route }),
    ...(code !== null && { code }),
    ...(message !== null && { message }),
    ...(data !== null && { data }),
  };
}

const recordOf = (call: Call): FailedCallRecord => ({ route: null, code: null, message: null, data: null, ...call });

/** Keeps failed calls. @param store with {@link failedCalls} */
export function createFailedCallStore(store: Store): FailedCallStore {
  const page = async (index: Index<Call>, eq: readonly string[], range: TimeRange, limit: number, after: ListPosition | undefined) => {
    const place = after && store.placeIn(index, eq.length, { value: { at: after.createdAt, callId: after.id } });
    return (await store.find(index, { eq, ...range, limit, after: place })).items.map(({ value }) => recordOf(value));
  };
  return {
    async add(calls) {
      // Inserted or there already: the write before may have come to some of them.
      await store.apply(calls.map((call) => ({ in: failedCalls, insert: documentOf(call) })));
    },
    list: (tenantId, ...asked) => page(failedCalls.by.tenant, [tenantId], ...asked),
    withRequestId: (requestId, tenantId, ...asked) => page(failedCalls.by.request, [tenantId, requestId], ...asked),
  };
}
