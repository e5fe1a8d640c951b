import type { Clock } from '@parcelway/kernel/clock';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import { collection, type Index } from '@parcelway/store/collection';
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

type Change = (counts: Counts) => Partial<Counts>;

/**
 * Counts logistics numbers. They follow the write of the forecasts: a crash in between leaves them wrong by what that write changed, which is little
 * against the numbers that make a tenant suspect.
 */
export class NumberCounts {
  readonly #store: Store;
  readonly #clock: Clock;
  #pending = new Map<string, CountChange>();
  #running: Promise<void> = Promise.resolve();
  /** The write that takes what is pending. */
  #next: Promise<void> | undefined;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** What comes while others are written goes with the next write. */
  async add(changes: readonly CountChange[]): Promise<void> {
    if (changes.length === 0) return;
    for (const { tenantId, unseen, seen } of changes) {
      const before = this.#pending.get(tenantId);
      this.#pending.set(tenantId, { tenantId, unseen: unseen + (before?.unseen ?? 0), seen: seen + (before?.seen ?? 0) });
    }
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        const sums = this.#pending;
        this.#pending = new Map();
        this.#next = undefined;
        this.#running = this.#addAll(sums);
        return this.#running;
      });
    await this.#next;
  }

  /** Those of the tenants that are suspect (domain/declared-numbers). */
  async suspectsAmong(tenantIds: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await this.#store.read(
      declaredNumbers,
      tenantIds.map((tenantId) => [tenantId]),
    );
    return new Set(found.filter(({ value }) => isSuspect(this.#toCounts(value))).map(({ value }) => value.tenantId));
  }

  /** Tenants with the most unseen numbers, at most `limit`. */
  declaredNumbers(limit: number): Promise<readonly DeclaredNumbers[]> {
    return this.#list(declaredNumbers.by.unseen, 1, limit);
  }

  /** Tenants that the operator has set a limit for, at most `limit`. */
  limitedNumbers(limit: number): Promise<readonly DeclaredNumbers[]> {
    return this.#list(declaredNumbers.by.limited, 0, limit);
  }

  /** Sets how many unseen numbers a tenant may have; null for any. */
  async limitNumbers(tenantId: string, limit: number | null): Promise<DeclaredNumbers> {
    const [changed] = await this.#change([tenantId], () => ({ most: limit ?? undefined }) as Partial<Counts>, false);
    return this.#toCounts(changed as Counts);
  }

  async #addAll(sums: ReadonlyMap<string, CountChange>): Promise<void> {
    const now = this.#clock.now();
    const [first, today] = [String(firstSeenDay(now)), String(dayOf(now))];
    const added: Change = (counts) => {
      const { unseen, seen } = sums.get(counts.tenantId) as CountChange;
      const days = Object.fromEntries(Object.entries(counts.seen).filter(([day]) => day >= first));
      return { unseen: counts.unseen + unseen, ...(seen > 0 && { seen: { ...days, [today]: (days[today] ?? 0) + seen } }) };
    };
    await this.#change([...sums.keys()], added, true);
  }

  /** Changes the counts of tenants, each until it is written. */
  async #change(tenantIds: readonly string[], decide: Change, flushLater: boolean): Promise<readonly Counts[]> {
    const changed: Counts[] = [];
    let open = tenantIds;
    await untilWritten(async () => {
      const found = await this.#store.read(
        declaredNumbers,
        open.map((tenantId) => [tenantId]),
      );
      const known = new Map(found.map((stored) => [stored.value.tenantId, stored]));
      const decided = open.map((tenantId) => {
        const stored = known.get(tenantId);
        const before = stored?.value ?? { tenantId, unseen: 0, seen: {} };
        const set = decide(before);
        const after = { ...before, ...set };
        return { after, write: stored ? { in: declaredNumbers, patch: stored, set } : { in: declaredNumbers, insert: after } };
      });
      const outcomes = await this.#store.apply(
        decided.map(({ write }) => write as Write),
        { flushLater },
      );
      changed.push(...decided.flatMap(({ after }, place) => (outcomes[place]?.kind === 'written' ? [after] : [])));
      open = open.filter((_, place) => outcomes[place]?.kind !== 'written');
      return open.length === 0 || undefined;
    });
    return changed;
  }

  async #list(index: Index<Counts>, from: number, limit: number): Promise<readonly DeclaredNumbers[]> {
    return (await this.#store.find(index, { eq: [], from, limit })).items.map(({ value }) => this.#toCounts(value));
  }

  #toCounts({ tenantId, unseen, most, seen }: Counts): DeclaredNumbers {
    const first = String(firstSeenDay(this.#clock.now()));
    const parcels = Object.entries(seen).reduce((sum, [day, count]) => (day >= first ? sum + count : sum), 0);
    return { tenantId, unseen, seen: parcels, limit: most ?? null };
  }
}
