import { AppError } from '@parcelway/kernel/app-error';
import { backOffMs } from '@parcelway/kernel/back-off';
import type { Clock } from '@parcelway/kernel/clock';
import { FairQueue } from '@parcelway/kernel/fair-queue';
import type { Logger } from '@parcelway/kernel/logger';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import { type FullOmission, type FullPart, forecastNoIn, fullPartOf, withFull, withoutFull } from './domain/full-payload.ts';

/** Full payloads that are read or on their way to receivers, of 1 MB each at most; one tenant has half of them. */
export const FULL_PAYLOADS_AT_ONCE = 128;
/** Calls under way at a source; one tenant has half of them. */
export const FULL_READS_AT_ONCE = 16;
/** A delivery without a turn by then is postponed: the rest of its lease is for the attempt. */
const MAX_WAIT_MS = 2_000;
/** A delivery whose full data is unavailable for this long is sent thin: its receiver can query the data later. */
export const MAX_POSTPONED_MS = 15 * 60_000;
/** Postponed deliveries whose first postponement is remembered; the oldest is forgotten first. */
const MAX_WAITING = 20_000;
/** What waits is sent within this time, and half of it, once its source is back. */
const MAX_PAUSE_MS = 30_000;

const pauseAfter = (failures: number): number => backOffMs({ firstMs: 1_000, maxMs: MAX_PAUSE_MS }, failures);

export type FullOutcome = 'added' | FullOmission | 'postponed';

export interface FullContent {
  /**
   * What the query returns at this moment.
   * @param traceparent of the event
   * @throws AppError 40403 when there is no such forecast or parcel any more, 41301 when it is larger than a full body may be, any other
   * when it cannot be had now
   */
  read(part: FullPart, tenantId: string, forecastNo: string, traceparent: string | null): Promise<unknown>;
}

export interface FullPayloadOptions {
  readonly content: FullContent;
  readonly clock: Clock;
  readonly logger: Logger;
  /** In [0, 1). */
  readonly random: () => number;
  readonly onOutcome: (outcome: FullOutcome) => void;
}

/** When to try again, epoch milliseconds. */
export interface Postponed {
  readonly postponedUntil: number;
}

/** A body that is ready to be sent; `done` is called once, when it is no longer needed. Or when to try again. */
export type PreparedBody = { readonly body: string; readonly done: () => void } | Postponed;

/** The turns of calls at a service that full data comes from. */
const readsOfOne = (): FairQueue =>
  new FairQueue({ atOnce: FULL_READS_AT_ONCE, maxWaitMs: MAX_WAIT_MS, refusal: 'Too many full payloads are being read' });

const partOf = ({ delivery }: LeasedDelivery): FullPart => fullPartOf(delivery.eventType) ?? 'forecast';

/** Why the full data is missing, by the failure of the call; undefined when it may be had later. */
function omissionAfter(error: unknown): FullOmission | undefined {
  const code = error instanceof AppError ? error.code : undefined;
  if (code === '41301') return 'too_large';
  return code === '40401' || code === '40403' ? 'not_found' : undefined;
}

/**
 * Reads what endpoints with `payload: full` are sent. A delivery whose source is out, or that gets no turn, is postponed: it goes back to
 * the store and does not count as an attempt. Tenants take turns: slow receivers of one, or its slow data, do not hold up another's deliveries.
 */
export class FullPayloads {
  readonly #options: FullPayloadOptions;
  readonly #turns = new FairQueue({
    atOnce: FULL_PAYLOADS_AT_ONCE,
    maxWaitMs: MAX_WAIT_MS,
    refusal: 'Too many full payloads are being sent',
  });
  readonly #reads = { forecast: readsOfOne(), tracking: readsOfOne() };
  /** By delivery id: when it was first postponed, and how many reads have failed. */
  readonly #waiting = new Map<string, { readonly since: number; readonly failures: number }>();

  constructor(options: FullPayloadOptions) {
    this.#options = options;
  }

  /** True when a delivery is to be sent with full data. */
  concerns({ endpoint, delivery }: LeasedDelivery): boolean {
    return endpoint.payload === 'full' && !delivery.test && fullPartOf(delivery.eventType) !== undefined;
  }

  /** Reads the full data of a delivery that {@link concerns} selects. */
  async prepare(leased: LeasedDelivery): Promise<PreparedBody> {
    const waitsSince = this.#options.clock.now();
    const giveTurn = await this.#turns.take(leased.delivery.tenantId).catch(() => undefined);
    // No service was asked for its data, so it is never sent thin for that.
    if (!giveTurn) return this.#postpone(pauseAfter(1));
    const prepared = await this.#readInTurn(leased, waitsSince);
    if (typeof prepared === 'string') return { body: prepared, done: giveTurn };
    giveTurn();
    return prepared;
  }

  /** Reads with one of the calls that a source gets at a time. */
  async #readInTurn(leased: LeasedDelivery, waitsSince: number): Promise<string | Postponed> {
    const leftMs = waitsSince + MAX_WAIT_MS - this.#options.clock.now();
    const giveRead = await this.#reads[partOf(leased) === 'tracking' ? 'tracking' : 'forecast']
      .take(leased.delivery.tenantId, undefined, leftMs)
      .catch(() => undefined);
    if (!giveRead) return this.#postpone(pauseAfter(1));
    try {
      return await this.#read(leased);
    } finally {
      giveRead();
    }
  }

  /** @returns the body to be sent, or when to try again */
  async #read(leased: LeasedDelivery): Promise<string | Postponed> {
    const { delivery, body, origin } = leased;
    const part = partOf(leased);
    try {
      const content = await this.#options.content.read(part, delivery.tenantId, forecastNoIn(body), origin.traceparent);
      const full = withFull(body, part, content);
      return this.#ready(leased, full.body, full.omitted ?? 'added');
    } catch (error) {
      return this.#afterFailure(leased, error);
    }
  }

  #afterFailure(leased: LeasedDelivery, error: unknown): string | Postponed {
    const omission = omissionAfter(error);
    if (omission !== undefined) return this.#without(leased, omission);
    if (this.#isOverdue(leased)) return this.#without(leased, 'unavailable');
    const { deliveryId } = leased.delivery;
    const { logger, clock } = this.#options;
    const { since = clock.now(), failures = 0 } = this.#waiting.get(deliveryId) ?? {};
    // Whoever calls the service says that it is out; this is one of many that wait for it.
    logger.debug({ err: error, delivery_id: deliveryId }, 'The data of a full webhook payload cannot be read; the delivery is postponed');
    if (!this.#waiting.has(deliveryId) && this.#waiting.size >= MAX_WAITING) {
      this.#waiting.delete(this.#waiting.keys().next().value as string);
    }
    this.#waiting.set(deliveryId, { since, failures: failures + 1 });
    return this.#postpone(pauseAfter(failures + 1));
  }

  #postpone(waitMs: number): Postponed {
    this.#options.onOutcome('postponed');
    return { postponedUntil: this.#after(waitMs) };
  }

  /** The end of a wait, longer by up to a half, so that what waits does not come back all at once. */
  #after(waitMs: number): number {
    return this.#options.clock.now() + Math.round(waitMs * (1 + this.#options.random() / 2));
  }

  #isOverdue({ delivery }: LeasedDelivery): boolean {
    const waiting = this.#waiting.get(delivery.deliveryId);
    return waiting !== undefined && this.#options.clock.now() - waiting.since >= MAX_POSTPONED_MS;
  }

  #without(leased: LeasedDelivery, omission: FullOmission): string {
    return this.#ready(leased, withoutFull(leased.body, omission), omission);
  }

  #ready({ delivery }: LeasedDelivery, body: string, outcome: FullOutcome): string {
    this.#waiting.delete(delivery.deliveryId);
    this.#options.onOutcome(outcome);
    return body;
  }
}
