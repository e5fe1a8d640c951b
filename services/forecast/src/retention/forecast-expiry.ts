import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import { newToken } from '@parcelway/kernel/ids';
import { collection } from '@parcelway/store/collection';
import type { Store, Stored, Write } from '@parcelway/store/store';
import Type from 'typebox';
import { type ForecastDocument, forecasts } from '../store/forecast-collection.ts';

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

/** A forecast that has ended, without its heavy fields. */
export type EndedForecast = Stored<ForecastDocument>;

/** A forecast whose time is over, or that of its files, and the message that says it. */
export interface ExpiredForecast {
  readonly forecast: EndedForecast;
  readonly message: EncodedMessage;
}

/** Forecasts of a tenant that have ended before an instant, oldest first. */
export interface EndedQuery {
  /** `files`: those whose files have not expired. */
  readonly of: 'forecasts' | 'files';
  /** Epoch milliseconds. */
  readonly before: number;
  /** The one before; undefined begins. */
  readonly after: EndedForecast | undefined;
  readonly limit: number;
}

export type ForecastExpiry = ReturnType<typeof createForecastExpiry>;

/**
 * Deletes forecasts at the end of their retention. Any number of processes may do so side by side. Each method throws AppError 50301 when the database is out.
 * @param store with {@link forecasts} and {@link expiryNotes}
 * @param now epoch milliseconds
 */
export function createForecastExpiry(store: Store, now: () => number) {
  const expireTogether = async (tenantId: string, expired: readonly ExpiredForecast[]): Promise<boolean> => {
    const deletions = expired.map(({ forecast }): Write => ({ in: forecasts, delete: forecast }));
    // Carries the messages in the same step.
    const insert = { tenantId, noteId: newToken(), at: now() };
    const note: Write = { in: expiryNotes, insert, messages: expired.map(({ message }) => message) };
    const outcomes = await store.apply([...deletions, note], { together: true, sparesMessages: true });
    return outcomes.every(({ kind }) => kind === 'written');
  };

  return {
    /** The next tenant with ended forecasts, in the order of ids, and when the oldest of these ended. */
    async nextTenant(after: string): Promise<{ readonly tenantId: string; readonly endedAt: number } | undefined> {
      const [next] = await store.groups(forecasts.by.ended, { ...(after !== '' && { after }), limit: 1 });
      return next && { tenantId: String(next.group), endedAt: Number(next.first) };
    },

    async ended(tenantId: string, { of, before, after, limit }: EndedQuery): Promise<readonly EndedForecast[]> {
      const by = of === 'files' ? forecasts.by.files : forecasts.by.ended;
      const place = after && { after: store.placeIn(by, 1, after) };
      return (await store.find(by, { eq: [tenantId], to: before, ...place, limit })).items;
    },

    /**
     * Deletes forecasts with all that belongs to them, and writes their messages in the same durable step. What has changed since, or has other messages to
     * publish, stays, and its message is not written.
     * @returns those that were deleted
     */
    async expire(tenantId: string, expired: readonly ExpiredForecast[]): Promise<readonly ExpiredForecast[]> {
      if (expired.length === 0 || (await expireTogether(tenantId, expired))) return expired;
      if (expired.length === 1) return [];
      // One of them is not as it was found: the others go one by one.
      const deleted: ExpiredForecast[] = [];
      for (const one of expired) if (await expireTogether(tenantId, [one])) deleted.push(one);
      return deleted;
    },

    /** Notes that the files of forecasts have expired, each with its message in one durable write. What has changed since stays. @returns those that were noted */
    async expireFiles(expired: readonly ExpiredForecast[]): Promise<readonly ExpiredForecast[]> {
      const set = { filesSince: undefined } as unknown as Partial<ForecastDocument>;
      const outcomes = await store.apply(
        expired.map(({ forecast, message }) => ({ in: forecasts, patch: forecast, set, messages: [message] }) as Write),
      );
      return expired.filter((_, place) => outcomes[place]?.kind === 'written');
    },
  };
}
