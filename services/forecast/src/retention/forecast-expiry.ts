import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import { newToken } from '@parcelway/kernel/ids';
import { decideTogether } from '@parcelway/store/in-turn';
import type { Store, Write } from '@parcelway/store/store';
import { type ForecastDocument, forecasts } from '../store/forecast-collection.ts';
import { expiredFiles, expiryNotes } from './expiry-collections.ts';
import type { EndedForecast, ExpiredForecast } from './ports.ts';

export type ForecastExpiry = ReturnType<typeof createForecastExpiry>;

/**
 * Deletes forecasts at the end of their retention. Any number of processes may do so side by side. Each method throws AppError 50301 when the database is out.
 * @param store with {@link forecasts} and the collections of expiry-collections
 * @param now epoch milliseconds
 */
export function createForecastExpiry(store: Store, now: () => number) {
  /** Carries messages in the same step as other writes. */
  const noteOf = (tenantId: string, messages: readonly EncodedMessage[]): readonly Write[] =>
    messages.length === 0 ? [] : [{ in: expiryNotes, insert: { tenantId, noteId: newToken(), at: now() }, messages }];

  const expireTogether = async (tenantId: string, expired: readonly ExpiredForecast[]): Promise<boolean> => {
    const deletions = expired.map(({ forecast: { forecastNo, version } }): Write => {
      return { in: forecasts, delete: { value: { tenantId, forecastNo } as ForecastDocument, version } };
    });
    const notes = noteOf(
      tenantId,
      expired.map(({ message }) => message),
    );
    const outcomes = await store.apply([...deletions, ...notes], { together: true, sparesMessages: true });
    return outcomes.every(({ kind }) => kind === 'written');
  };

  const filesOf = (tenantId: string) => store.get(expiredFiles, [tenantId]);

  return {
    /** The next tenant with ended forecasts, in the order of ids, and when the oldest of these ended. */
    async nextTenant(after: string): Promise<{ readonly tenantId: string; readonly endedAt: number } | undefined> {
      const [next] = await store.groups(forecasts.by.ended, { ...(after !== '' && { after }), limit: 1 });
      return next && { tenantId: String(next.group), endedAt: Number(next.first) };
    },

    /** Forecasts of a tenant that have ended before an instant, oldest first. @param after the place of the one before; undefined begins */
    async ended(tenantId: string, before: number, after: string | undefined, limit: number): Promise<readonly EndedForecast[]> {
      const { items } = await store.find(forecasts.by.ended, { eq: [tenantId], to: before, ...(after !== undefined && { after }), limit });
      return items.map((stored) => {
        const { forecastNo, itemCount, endedAt = 0 } = stored.value;
        return { tenantId, forecastNo, itemCount, endedAt, version: stored.version, place: store.placeIn(forecasts.by.ended, 1, stored) };
      });
    },

    /**
     * Deletes forecasts with all that belongs to them, and writes their messages in the same durable step. What has changed since, or has other messages to
     * publish, stays, and its message is not written.
     * @returns those that were deleted
     */
    async expire(tenantId: string, expired: readonly ExpiredForecast[]): Promise<readonly EndedForecast[]> {
      if (await expireTogether(tenantId, expired)) return expired.map(({ forecast }) => forecast);
      if (expired.length === 1) return [];
      // One of them is not as it was found: the others go one by one.
      const deleted: EndedForecast[] = [];
      for (const one of expired) if (await expireTogether(tenantId, [one])) deleted.push(one.forecast);
      return deleted;
    },

    /** Up to where the files of a tenant's forecasts have expired. */
    filesExpiredTo: async (tenantId: string) => (await filesOf(tenantId))?.value.place,

    /**
     * Notes that the files of forecasts have expired, with the messages that say it, in one durable step.
     * @param skipped numbers of forecasts before the place whose files could not be ended
     */
    expireFiles: (tenantId: string, place: string, messages: readonly EncodedMessage[], skipped: readonly string[] = []): Promise<void> =>
      decideTogether(store, tenantId, async () => {
        const known = await filesOf(tenantId);
        const set = { place, skipped: [...new Set([...(known?.value.skipped ?? []), ...skipped])] };
        const write = known ? { in: expiredFiles, patch: known, set } : { in: expiredFiles, insert: { tenantId, ...set } };
        return [write as Write, ...noteOf(tenantId, messages)];
      }),

    /** Numbers of a tenant's forecasts before the place whose files could not be ended. */
    filesSkipped: async (tenantId: string): Promise<readonly string[]> => (await filesOf(tenantId))?.value.skipped ?? [],

    /** Takes a forecast off those that were skipped, with the message that its files have expired, in one durable step. */
    settleFiles: (tenantId: string, forecastNo: string, messages: readonly EncodedMessage[]): Promise<void> =>
      decideTogether(store, tenantId, async () => {
        const known = await filesOf(tenantId);
        // One that was erased meanwhile has nothing to publish.
        if (known === undefined) return [];
        const set = { skipped: known.value.skipped.filter((one) => one !== forecastNo) };
        return [{ in: expiredFiles, patch: known, set } as Write, ...noteOf(tenantId, messages)];
      }),
  };
}
