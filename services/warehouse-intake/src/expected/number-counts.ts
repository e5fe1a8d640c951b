import type { Clock } from '@parcelway/kernel/clock';
import { collection, type Index } from '@parcelway/store/collection';
import { untilWrittenInTurn } from '@parcelway/store/in-turn';
import type { Store, Write } from '@parcelway/store/store';
import Type from 'typebox';
import { type CountChange, type DeclaredNumbers, dayOf, firstSeenDay, isSuspect } from './domain/declared-numbers.ts';

/** Counts of the logistics numbers of tenants. */
export const declaredNumbers = collection(
  'declared_numbers',
  Type.Object(
    {
      tenantId: Type.String(),
      unseen: Type.Integer(),
      /** Set by the operator. */
      most: Type.Optional(Type.Integer()),
      /** Day (YYYYMMDD) → parcels that warehouses saw. */
      seen: Type.Record(Type.String(), Type.Integer()),
    },
    { additionalProperties: false },
  ),
  {
    describe: 'How many logistics numbers a tenant declares that no warehouse has seen, and how many parcels were seen',
    key: ['tenantId'],
    // Over all tenants: operators see those with the most, and the forecast service follows the limits.
    lists: { unseen: ['-unseen'], limited: ['most'], tenant: ['tenantId'] },
    tenant: 'tenantId',
    shard: 'tenantId',
    ends: 'with the erasure of the tenant',
    copy: { record: ({ unseen, most, seen }) => ({ unseen, most, seen }) },
  },
);

type Counts = NonNullable<(typeof declaredNumbers)['document']>;

/** Counts the logistics numbers of tenants. */
export type NumberCounts = ReturnType<typeof createNumberCounts>;

/**
 * Counts logistics numbers. They follow the write of the forecasts: a crash in between leaves them wrong by what that write changed, which is little
 * against the numbers that make a tenant suspect.
 */
export function createNumberCounts(store: Store, clock: Clock) {
  const toCounts = ({ tenantId, unseen, most, seen }: Counts): DeclaredNumbers => {
    const first = String(firstSeenDay(clock.now()));
    const parcels = Object.entries(seen).reduce((sum, [day, count]) => (day >= first ? sum + count : sum), 0);
    return { tenantId, unseen, seen: parcels, limit: most ?? null };
  };
  const change = (tenantId: string, decide: (counts: Counts) => Partial<Counts>, flushLater = false): Promise<Counts> =>
    untilWrittenInTurn(store, `numbers ${tenantId}`, async () => {
      const stored = await store.get(declaredNumbers, [tenantId]);
      const before = stored?.value ?? { tenantId, unseen: 0, seen: {} };
      const set = decide(before);
      const insert = { ...before, ...set };
      const write = stored ? { in: declaredNumbers, patch: stored, set } : { in: declaredNumbers, insert };
      const [outcome] = await store.apply([write as Write], { flushLater });
      return outcome?.kind === 'written' ? insert : undefined;
    });
  const list = async (index: Index<Counts>, from: number, limit: number): Promise<readonly DeclaredNumbers[]> =>
    (await store.find(index, { eq: [], from, limit })).items.map(({ value }) => toCounts(value));
  return {
    async add(changes: readonly CountChange[]): Promise<void> {
      const sums = new Map<string, CountChange>();
      for (const { tenantId, unseen, seen } of changes) {
        const before = sums.get(tenantId);
        sums.set(tenantId, { tenantId, unseen: unseen + (before?.unseen ?? 0), seen: seen + (before?.seen ?? 0) });
      }
      const now = clock.now();
      const [first, today] = [String(firstSeenDay(now)), String(dayOf(now))];
      const changed = [...sums.values()].map(({ tenantId, unseen, seen }) =>
        change(
          tenantId,
          (counts) => {
            const days = Object.fromEntries(Object.entries(counts.seen).filter(([day]) => day >= first));
            return { unseen: counts.unseen + unseen, ...(seen > 0 && { seen: { ...days, [today]: (days[today] ?? 0) + seen } }) };
          },
          true,
        ),
      );
      await Promise.all(changed);
    },
    /** Those of the tenants that are suspect (domain/declared-numbers). */
    async suspectsAmong(tenantIds: readonly string[]): Promise<ReadonlySet<string>> {
      const found = await store.read(
        declaredNumbers,
        tenantIds.map((tenantId) => [tenantId]),
      );
      return new Set(found.filter(({ value }) => isSuspect(toCounts(value))).map(({ value }) => value.tenantId));
    },
    /** Tenants with the most unseen numbers, at most `limit`. */
    declaredNumbers: (limit: number) => list(declaredNumbers.by.unseen, 1, limit),
    /** Tenants that the operator has set a limit for, at most `limit`. */
    limitedNumbers: (limit: number) => list(declaredNumbers.by.limited, 0, limit),
    /** Sets how many unseen numbers a tenant may have; null for any. */
    limitNumbers: async (tenantId: string, limit: number | null) =>
      toCounts(await change(tenantId, () => ({ most: limit ?? undefined }) as Partial<Counts>)),
  };
}
