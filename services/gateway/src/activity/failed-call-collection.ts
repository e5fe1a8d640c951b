import { FAILED_CALLS_KEPT_DAYS } from '@parcelway/contracts/activity-api';
import { nullable } from '@parcelway/contracts/text';
import { collection } from '@parcelway/store/collection';
import type { Store } from '@parcelway/store/store';
import Type from 'typebox';
import { type Page, type Part, readPage } from './read-page.ts';

const text = nullable(Type.String());

/** Calls with the keys of tenants that failed. */
export const failedCalls = collection(
  'failed_calls',
  Type.Object(
    {
      /** `call_…`; rises with the time. */
      callId: Type.String(),
      tenantId: Type.String(),
      /** When the request came; epoch milliseconds. */
      at: Type.Integer(),
      /** That of the response; clients may choose it, so several calls can have the same. */
      requestId: Type.String(),
      method: Type.String(),
      /** Path of the route; null when there is no such route. */
      route: text,
      /** Without the query. */
      path: Type.String(),
      /** HTTP status; 499 when the client closed the connection. */
      status: Type.Integer(),
      code: text,
      message: text,
      /** JSON of `data`; null when there is none, or it is too large. */
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

export type FailedCallRecord = NonNullable<(typeof failedCalls)['document']>;

/** Keeps failed calls. @param store with {@link failedCalls} */
export function createFailedCallStore(store: Store) {
  return {
    async add(calls: readonly FailedCallRecord[]): Promise<void> {
      // Inserted or there already: the write before may have come to some of them.
      await store.apply(calls.map((call) => ({ in: failedCalls, insert: call })));
    },
    /**
     * Newest first. Costs as much at any place.
     * @param requestId undefined for all of the tenant
     * @param matches which of them; default: all
     */
    list(
      tenantId: string,
      requestId: string | undefined,
      part: Part,
      matches?: (call: FailedCallRecord) => boolean,
    ): Promise<Page<FailedCallRecord>> {
      const [index, eq] = requestId === undefined ? [failedCalls.by.tenant, [tenantId]] : [failedCalls.by.request, [tenantId, requestId]];
      return readPage(store, index, { eq, ...part }, matches);
    },
  };
}

export type FailedCallStore = ReturnType<typeof createFailedCallStore>;
