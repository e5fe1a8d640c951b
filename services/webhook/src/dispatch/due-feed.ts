import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import { LEASE_MS } from '../intake/domain/delivery.ts';
import type { DeliveryQueue } from '../queue/delivery-queue.ts';

/** Endpoints looked at in one query; some microseconds each. */
const PAGE = 1000;
/** Pages in one round; the next round goes on where this one ended. */
const PAGES_PER_ROUND = 2;
/** Deliveries leased in one transaction, at most. */
const LEASE_BATCH = 500;

/** Due deliveries that nothing announced are found within this time. */
export const POLL_MS = 500;
/** A timer may fire a little before its time; a round that comes too early would find nothing. */
const TIMER_SLACK_MS = 2;

/**
 * Where the store says that nothing is due, it is asked again when something is, or after this: other processes may have left something behind.
 */
const IDLE_POLL_MS = 3_000;

export interface DueFeedOptions {
  readonly queue: Pick<DeliveryQueue, 'dueEndpoints' | 'lease'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How many deliveries of an endpoint may be leased now. */
  readonly roomOf: (endpointId: string) => number;
  /** Takes what was leased; `asked` says how many were asked for, by endpoint. */
  readonly onLeased: (leased: readonly LeasedDelivery[], asked: ReadonlyMap<string, number>) => void;
  /** Called once a poll. */
  readonly onPoll: () => void;
}

/**
 * Brings due deliveries from the store to the lanes: every {@link POLL_MS} all endpoints in turn, less often while the store says that nothing is
 * due, and in between what was announced. Each endpoint gives as many as its lane has room for, so a long backlog of one does not hide the others.
 */
export class DueFeed {
  readonly #options: DueFeedOptions;
  readonly #needsRefill = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  /** When the poll after the running round is. */
  #pollAt = Number.POSITIVE_INFINITY;
  #work: Promise<void> | undefined;
  #roundWanted = false;
  #after = '';
  #stopped = true;

  constructor(options: DueFeedOptions) {
    this.#options = options;
  }

  start(): void {
    this.#stopped = false;
    this.#wantRound();
  }

  /** Stops and waits for the query that runs. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#work;
  }

  /** Makes sure that a round starts at `at` (epoch milliseconds) or earlier. */
  wakeAt(at: number): void {
    if (this.#stopped || at >= this.#timerAt) return;
    this.#arm(this.#waitUntil(at));
  }

  /** Fetches more of one endpoint, together with whatever else is asked for in this turn of the event loop. */
  fetch(endpointId: string): void {
    if (this.#stopped) return;
    this.#needsRefill.add(endpointId);
    this.#run();
  }

  #waitUntil(at: number): number {
    return Math.max(0, at - this.#options.clock.now() + TIMER_SLACK_MS);
  }

  #arm(wait: number): void {
    clearTimeout(this.#timer);
    this.#timerAt = this.#options.clock.now() + wait;
    this.#timer = setTimeout(() => this.#wantRound(), wait);
  }

  #wantRound(): void {
    this.#timer = undefined;
    this.#timerAt = Number.POSITIVE_INFINITY;
    if (this.#stopped) return;
    this.#roundWanted = true;
    this.#arm(POLL_MS);
    this.#pollAt = this.#timerAt;
    this.#run();
  }

  /** Puts the next poll off until something is due. What was announced meanwhile stays. */
  #rest(nextDueAt: number): void {
    if (this.#stopped || this.#timerAt !== this.#pollAt) return;
    this.#arm(Math.min(this.#waitUntil(nextDueAt), IDLE_POLL_MS));
  }

  #run(): void {
    this.#work ??= this.#loop().finally(() => {
      this.#work = undefined;
    });
  }

  async #loop(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (!this.#stopped && (this.#roundWanted || this.#needsRefill.size > 0)) {
      try {
        const ids = [...this.#needsRefill];
        this.#needsRefill.clear();
        await this.#lease(ids);
        if (this.#roundWanted) {
          this.#roundWanted = false;
          await this.#round();
        }
      } catch (error) {
        this.#options.logger.error({ err: error }, 'cannot lease due deliveries; trying again');
        return;
      }
    }
  }

  async #round(): Promise<void> {
    this.#options.onPoll();
    const isWhole = this.#after === '';
    let nextDueAt = Number.POSITIVE_INFINITY;
    for (let page = 0; page < PAGES_PER_ROUND && !this.#stopped; page += 1) {
      const now = this.#options.clock.now();
      const looked = await this.#options.queue.dueEndpoints({ after: this.#after, now, limit: PAGE });
      await this.#lease(looked.endpointIds);
      this.#after = looked.next ?? '';
      nextDueAt = Math.min(nextDueAt, looked.nextDueAt);
      if (looked.next !== null) continue;
      if (isWhole && nextDueAt > now) this.#rest(nextDueAt);
      return;
    }
  }

  async #lease(endpointIds: readonly string[]): Promise<void> {
    let wanted: { endpointId: string; count: number }[] = [];
    let sum = 0;
    for (const endpointId of endpointIds) {
      const count = this.#options.roomOf(endpointId);
      if (count === 0) continue;
      wanted.push({ endpointId, count });
      sum += count;
      if (sum < LEASE_BATCH) continue;
      await this.#leaseBatch(wanted);
      wanted = [];
      sum = 0;
    }
    if (wanted.length > 0) await this.#leaseBatch(wanted);
  }

  async #leaseBatch(wanted: readonly { readonly endpointId: string; readonly count: number }[]): Promise<void> {
    if (this.#stopped) return;
    const now = this.#options.clock.now();
    const leased = await this.#options.queue.lease(wanted, now, now + LEASE_MS);
    this.#options.onLeased(leased, new Map(wanted.map(({ endpointId, count }) => [endpointId, count])));
  }
}
