import { FairShares } from '@parcelway/kernel/fair-shares';
import { NotNow } from '../../watch/domain/sources.ts';
import type { CallPurpose, CallVerdict } from '../domain/call-ledger.ts';

/** Something that a call is to be made for. */
export interface QueuedItem<T> {
  readonly item: T;
  /** A query goes before what can be done later. */
  readonly purpose: CallPurpose;
  /** Who shares the queue with others: a tenant. */
  readonly holder: string;
}

export interface CallQueueOptions<T, R> {
  /** Items that one call takes. */
  readonly perCall: number;
  /** Reserves one call; resolves at its turn. */
  take(purpose: CallPurpose): Promise<CallVerdict>;
  /** Makes a call. @returns one result for each item, in the same order */
  call(items: readonly T[]): Promise<readonly R[]>;
  /** Epoch milliseconds. */
  now(): number;
  /** How long an item may wait for the turn of its call, milliseconds. */
  readonly maxWaitMs: Readonly<Record<CallPurpose, number>>;
}

interface Waiting<T, R> extends QueuedItem<T> {
  /** Epoch milliseconds. */
  readonly since: number;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/** Items of each purpose that may wait, in calls: the next ones learn when to come back. */
const MAX_WAITING_CALLS = 8;
/** One tenant has at most four fifths of the places: a fifth is left for the others. */
const PART = 4;
/** Calls that go on at the same time. */
const MAX_CALLS = 8;
/** When an item that found no place may come back. */
const FULL_MS = 60_000;
/** Why an item that found no place has to wait. */
export const QUEUE_FULL = 'too many calls wait for their turn';

/**
 * Makes calls for items that come one by one: a call takes as many of them as it may, whoever they belong to. While a call waits for its turn, more items
 * come along. Queries go first; of each purpose, tenants take turns.
 */
export class CallQueue<T, R> {
  readonly #options: CallQueueOptions<T, R>;
  readonly #places: Record<CallPurpose, FairShares>;
  #waiting: Waiting<T, R>[] = [];
  #calls = 0;
  #taking = false;

  constructor(options: CallQueueOptions<T, R>) {
    this.#options = options;
    const capacity = Math.max(32, MAX_WAITING_CALLS * options.perCall);
    this.#places = { query: new FairShares({ capacity, part: PART }), background: new FairShares({ capacity, part: PART }) };
  }

  /** @throws NotNow when the call may not be made soon, too many wait, or the item has waited too long; whatever the call throws */
  async ask(queued: QueuedItem<T>): Promise<R> {
    const { purpose, holder } = queued;
    const places = this.#places[purpose];
    if (!places.take(holder)) throw new NotNow(this.#options.now() + FULL_MS, QUEUE_FULL);
    try {
      return await new Promise<R>((resolve, reject) => {
        this.#waiting.push({ ...queued, since: this.#options.now(), resolve, reject });
        this.#wake();
      });
    } finally {
      places.give(holder);
    }
  }

  #wake(): void {
    if (this.#taking || this.#calls >= MAX_CALLS) return;
    this.#taking = true;
    // Whatever comes in the same turn of the event loop goes into the same call.
    setImmediate(() => void this.#next());
  }

  /** Takes the next call, waits for its turn and makes it; while it goes on, the next one is taken. */
  async #next(): Promise<void> {
    const now = this.#options.now();
    // Others were ahead of what has waited too long, or calls did not come to an end.
    const isLate = ({ since, purpose }: Waiting<T, R>): boolean => now - since > this.#options.maxWaitMs[purpose];
    this.#refuse(isLate, new NotNow(now + FULL_MS, QUEUE_FULL));
    const purpose = this.#waiting.some((one) => one.purpose === 'query') ? 'query' : 'background';
    if (this.#waiting.length > 0) await this.#take(purpose);
    this.#taking = false;
    if (this.#waiting.length > 0) this.#wake();
  }

  async #take(purpose: CallPurpose): Promise<void> {
    const refuseAll = (error: unknown): void => this.#refuse((one) => one.purpose === purpose, error);
    try {
      const verdict = await this.#options.take(purpose);
      if (verdict.isGranted) void this.#call(this.#batch());
      else refuseAll(new NotNow(verdict.until, verdict.reason));
    } catch (error) {
      refuseAll(error);
    }
  }

  #refuse(isRefused: (one: Waiting<T, R>) => boolean, error: unknown): void {
    const refused = this.#waiting.filter(isRefused);
    this.#waiting = this.#waiting.filter((one) => !isRefused(one));
    for (const { reject } of refused) reject(error);
  }

  /** The items of the next call: queries first, and of each purpose one of each holder after the other. */
  #batch(): readonly Waiting<T, R>[] {
    const turns = new Map<string, number>();
    const placed = this.#waiting.map((one) => {
      const line = `${one.purpose} ${one.holder}`;
      const turn = turns.get(line) ?? 0;
      turns.set(line, turn + 1);
      return { one, turn };
    });
    placed.sort((a, b) => Number(b.one.purpose === 'query') - Number(a.one.purpose === 'query') || a.turn - b.turn);
    const batch = new Set(placed.slice(0, this.#options.perCall).map(({ one }) => one));
    this.#waiting = this.#waiting.filter((one) => !batch.has(one));
    return [...batch];
  }

  async #call(batch: readonly Waiting<T, R>[]): Promise<void> {
    if (batch.length === 0) return;
    this.#calls += 1;
    try {
      const results = await this.#options.call(batch.map(({ item }) => item));
      for (const [index, waiting] of batch.entries()) {
        const result = results[index];
        if (result === undefined) waiting.reject(new Error(`The call has ${results.length} results for ${batch.length} items`));
        else waiting.resolve(result);
      }
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    } finally {
      this.#calls -= 1;
      if (this.#waiting.length > 0) this.#wake();
    }
  }
}
