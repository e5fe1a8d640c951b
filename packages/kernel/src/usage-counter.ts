import type { Clock } from './clock.ts';
import { newToken } from './ids.ts';
import type { Logger } from './logger.ts';
import { PeriodicWriter } from './periodic-writer.ts';

/** Amounts of a tenant in a day, by what they are amounts of. */
export interface UsageOfDay {
  readonly tenantId: string;
  /** UTC, `YYYY-MM-DD`. */
  readonly day: string;
  /** Whole numbers: positive ones that were counted, and 0 or more that were measured. */
  readonly amounts: Readonly<Record<string, number>>;
}

/** Names of amounts of a tenant's day that a store keeps at least, and goes on adding to; of further names it may keep nothing. */
export const AMOUNTS_KEPT_PER_DAY = 5000;

/** What one counter has counted between two writes. */
export interface UsageBatch {
  /** Names the counter; letters and digits. */
  readonly counter: string;
  /** Rises with each batch of the counter. */
  readonly number: number;
  readonly records: readonly UsageOfDay[];
}

/** Where the usage of tenants is kept, a record for each tenant and day. */
export interface UsageStore {
  /**
   * Adds to what is kept. Each tenant and day is among the records once. May be called again with the same batch when it has failed: what came of it is not
   * added twice.
   */
  add(batch: UsageBatch): Promise<void>;
  /**
   * Keeps amounts of a tenant's day as they are, in place of those of the same names; the others stay. A repeat changes nothing. 0 is kept, too: it differs
   * from an amount that nobody has measured. For names that no counter adds to.
   */
  set(measured: UsageOfDay): Promise<void>;
  /**
   * The days of a tenant that have a record, in order.
   * @param from first day
   * @param to last day
   * @param prefix only amounts whose names begin so
   */
  days(tenantId: string, from: string, to: string, prefix?: string): Promise<readonly UsageOfDay[]>;
}

/** What a counter works with. */
export interface UsageCounterOptions {
  readonly store: Pick<UsageStore, 'add'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Nothing is written of an erased tenant; default: none is known to be. */
  readonly isErased?: (tenantId: string) => boolean;
}

/** How long a day is kept. */
export const USAGE_KEPT_DAYS = 400;
const DAY_MS = 86_400_000;
const FLUSH_MS = 5_000;
/** Tenants of a day that wait to be written. More are not counted: as many are hardly ever active within a few seconds, unless the store is out for long. */
const MAX_PENDING = 50_000;

/** The day of an instant. @param ms epoch milliseconds @returns UTC, `YYYY-MM-DD` */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/**
 * Counts what tenants use. It counts in memory and writes every five seconds and at its stop, so that no request pays for it: what a process has counted
 * since the last write is lost when it is killed.
 */
export class UsageCounter extends PeriodicWriter {
  readonly #options: UsageCounterOptions;
  #pending = new Map<string, { readonly tenantId: string; readonly day: string; readonly amounts: Map<string, number> }>();
  #today = { from: 0, day: '' };
  readonly #name = newToken(9).replace(/[^A-Za-z0-9]/g, '0');
  /** Written again until the store has it. */
  #unwritten: UsageBatch | undefined;
  #batches = 0;

  constructor(options: UsageCounterOptions) {
    super(FLUSH_MS);
    this.#options = options;
  }

  /** Counts. @param amount positive whole number; 0 does nothing */
  add(tenantId: string, what: string, amount = 1): void {
    if (amount === 0) return;
    const day = this.#dayNow();
    const key = `${day} ${tenantId}`;
    let record = this.#pending.get(key);
    if (record === undefined) {
      if (this.#pending.size >= MAX_PENDING) return;
      record = { tenantId, day, amounts: new Map() };
      this.#pending.set(key, record);
    }
    record.amounts.set(what, (record.amounts.get(what) ?? 0) + amount);
  }

  /** Writes what was counted. Never rejects: after a failure the next write has it all. */
  protected async write(): Promise<void> {
    const { store, logger, isErased = () => false } = this.#options;
    try {
      while (this.#unwritten !== undefined || this.#pending.size > 0) {
        const batch = this.#unwritten ?? this.#nextBatch();
        this.#unwritten = batch;
        const records = batch.records.filter(({ tenantId }) => !isErased(tenantId));
        if (records.length > 0) await store.add({ ...batch, records });
        this.#unwritten = undefined;
      }
    } catch (error) {
      logger.warn({ err: error }, 'The usage of tenants could not be stored; the next write tries it again');
    }
  }

  #nextBatch(): UsageBatch {
    const records = [...this.#pending.values()].map((record) => ({ ...record, amounts: Object.fromEntries(record.amounts) }));
    this.#pending = new Map();
    this.#batches += 1;
    return { counter: this.#name, number: this.#batches, records };
  }

  #dayNow(): string {
    const now = this.#options.clock.now();
    if (now < this.#today.from || now >= this.#today.from + DAY_MS) {
      this.#today = { from: Math.floor(now / DAY_MS) * DAY_MS, day: dayOf(now) };
    }
    return this.#today.day;
  }
}
