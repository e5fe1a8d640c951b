import { setTimeout as pause } from 'node:timers/promises';
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
const FLUSH_MS = 15_000;
/** A write of many tenants is spread over the time until the next, so that it delays nothing that somebody waits for. */
const PARTS = 50;
const PART_PAUSE_MS = FLUSH_MS / PARTS;
/** Tenants in a part at least. */
const MIN_PART = 25;
/** Tenants of a day that wait to be written. More are not counted: as many are hardly ever active within a few seconds, unless the store is out for long. */
const MAX_PENDING = 50_000;

/** The day of an instant. @param ms epoch milliseconds @returns UTC, `YYYY-MM-DD` */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/**
 * Counts what tenants use. It counts in memory and writes every 15 seconds and at its stop, so that no request pays for it: what a process has counted
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
  #isStopping = false;

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

  override stop(): Promise<void> {
    this.#isStopping = true;
    return super.stop();
  }

  /** Writes what was counted. Never rejects: after a failure the next write has it all. */
  protected async write(): Promise<void> {
    const { store, logger, isErased = () => false } = this.#options;
    const part = Math.max(MIN_PART, Math.ceil(this.#pending.size / PARTS));
    try {
      for (let left = this.#pending.size; this.#unwritten !== undefined || left > 0; ) {
        if (this.#unwritten === undefined) left -= part;
        this.#unwritten ??= this.#nextBatch(part);
        const records = this.#unwritten.records.filter(({ tenantId }) => !isErased(tenantId));
        if (records.length > 0) await store.add({ ...this.#unwritten, records });
        this.#unwritten = undefined;
        if (left > 0 && !this.#isStopping) await pause(PART_PAUSE_MS);
      }
    } catch (error) {
      logger.warn({ err: error }, 'The usage of tenants could not be stored; the next write tries it again');
    }
  }

  /** Takes what has been counted of some tenants, those that have waited longest. */
  #nextBatch(most: number): UsageBatch {
    const taken = [...this.#pending.entries()].slice(0, most);
    for (const [key] of taken) this.#pending.delete(key);
    this.#batches += 1;
    const records = taken.map(([, record]) => ({ ...record, amounts: Object.fromEntries(record.amounts) }));
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
