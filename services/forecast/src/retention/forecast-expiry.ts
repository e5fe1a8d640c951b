import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import { newToken } from '@parcelway/kernel/ids';
import { decideTogether } from '@parcelway/store/in-turn';
import type { Store, Write } from '@parcelway/store/store';
import { type ForecastDocument, forecasts } from '../store/forecast-collection.ts';
import { expiredFiles, expiryNotes } from './expiry-collections.ts';
import type { EndedForecast, ExpiredForecast, ForecastExpiry } from './ports.ts';

/** Ends the keeping of forecasts. @param store with the collections of expiry-collections, and forecasts @param now epoch milliseconds */
export function createForecastExpiry(store: Store, now: () => number): ForecastExpiry {
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
    async nextTenant(after) {
      const [next] = await store.groups(forecasts.by.ended, { ...(after !== '' && { after }), limit: 1 });
      return next && { tenantId: String(next.group), endedAt: Number(next.first) };
    },

    async ended(tenantId, before, after, limit) {
      const { items } = await store.find(forecasts.by.ended, { eq: [tenantId], to: before, ...(after !== undefined && { after }), limit });
      return items.map((stored) => {
        const { forecastNo, itemCount, endedAt = 0 } = stored.value;
        return { tenantId, forecastNo, itemCount, endedAt, version: stored.version, place: store.placeIn(forecasts.by.ended, 1, stored) };
      });
    },

    async expire(tenantId, expired) {
      if (await expireTogether(tenantId, expired)) return expired.map(({ forecast }) => forecast);
      if (expired.length === 1) return [];
      // One of them is not as it was found: the others go one by one.
      const deleted: EndedForecast[] = [];
      for (const one of expired) if (await expireTogether(tenantId, [one])) deleted.push(one.forecast);
      return deleted;
    },

    filesExpiredTo: async (tenantId) => (await filesOf(tenantId))?.value.place,

    expireFiles: (tenantId, place, messages, skipped = []) =>
      decideTogether(store, tenantId, async () => {
        const known = await filesOf(tenantId);
        const set = { place, skipped: [...new Set([...(known?.value.skipped ?? []), ...skipped])] };
        const write = known ? { in: expiredFiles, patch: known, set } : { in: expiredFiles, insert: { tenantId, ...set } };
        return [write as Write, ...noteOf(tenantId, messages)];
      }),

    filesSkipped: async (tenantId) => (await filesOf(tenantId))?.value.skipped ?? [],

    settleFiles: (tenantId, forecastNo, messages) =>
      decideTogether(store, tenantId, async () => {
        const known = await filesOf(tenantId);
        // One that was erased meanwhile has nothing to publish.
        if (known === undefined) return [];
        const set = { skipped: known.value.skipped.filter((one) => one !== forecastNo) };
        return [{ in: expiredFiles, patch: known, set } as Write, ...noteOf(tenantId, messages)];
      }),
  };
}
