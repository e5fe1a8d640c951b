import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { FairShares } from '@parcelway/kernel/fair-shares';
import type { Logger } from '@parcelway/kernel/logger';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import type { FullAdmission } from './domain/dispatch-state.ts';
import {
  type FullOmission,
  type FullPart,
  forecastNoIn,
  fullPartOf,
  MAX_FULL_BODY_BYTES,
  withFull,
  withoutFull,
} from './domain/full-payload.ts';
import { afterFailure, backoffMs, HEALTHY, isOut, type SourceState } from './domain/source-state.ts';
import type { FullContent } from './ports.ts';

/** Calls to one source side by side: 16 in all, at most 8 of one tenant, so that a tenant without a call finds a place. */
export const LOAD_SHARES = { capacity: 16, part: 1 };
/**
 * Bytes of full bodies that are read or on their way to receivers: 64 MB in all, at most 16 MB of one tenant. An endpoint with no
 * attempt running gets one body beyond that, of 1 MB at most. So the bound is 64 MB and 1 MB for each endpoint that is being sent to.
 */
export const BODY_SHARES = { capacity: 64 * MAX_FULL_BODY_BYTES, part: 1 / 3 };
/** A delivery whose full data cannot be had for so long is sent thin: its receiver can ask the query, which we cannot. */
export const MAX_POSTPONED_MS = 15 * 60_000;
/** Deliveries of which it is known since when they wait; the oldest is forgotten first. */
const MAX_WAITING = 20_000;

/** What a full payload came to. */
export type FullOutcome = 'added' | FullOmission | 'postponed';

/** What full payloads are made with. */
export interface FullPayloadOptions {
  readonly content: FullContent;
  readonly clock: Clock;
  readonly logger: Logger;
  /** In [0, 1). */
  readonly random: () => number;
  /** Called with the outcome of each. */
  readonly onOutcome: (outcome: FullOutcome) => void;
  /** Called when there is room for another one. */
  readonly onFree: () => void;
}

/** When to try again, epoch milliseconds. */
interface Postponed {
  readonly postponedUntil: number;
}

/** A body that is ready to be sent; `done` is called once, when it is no longer needed. Or when to try again. */
export type PreparedBody = { readonly body: string; readonly done: () => void } | Postponed;

/** Service that owns a part. */
type Source = 'forecast' | 'tracking';

const sourceOf: Readonly<Record<FullPart, Source>> = { weighing: 'forecast', forecast: 'forecast', tracking: 'tracking' };

/** Why the full data is missing, by the failure of the call; undefined when it may be had later. */
function omissionAfter(error: unknown): FullOmission | undefined {
  const code = error instanceof AppError ? error.code : undefined;
  if (code === '41301') return 'too_large';
  return code === '40401' || code === '40403' ? 'not_found' : undefined;
}

/** True when a source has responded, though not with the data. */
function hasResponded(error: unknown): boolean {
  return error instanceof AppError && error.code !== '50301' && error.code !== '40402';
}

/**
 * Reads what endpoints with `payload: full` are sent. A delivery whose source is out is postponed: it goes back to the store, is no
 * attempt, and holds up nothing in memory. Calls and bytes have bounds of their own, {@link LOAD_SHARES} and {@link BODY_SHARES}, which
 * tenants share: receivers of one tenant that are slow, or data of it that is, do not hold up another's deliveries.
 */
export class FullPayloads implements FullAdmission {
  readonly #options: FullPayloadOptions;
  readonly #states = new Map<Source, SourceState>();
  readonly #loads = { forecast: new FairShares(LOAD_SHARES), tracking: new FairShares(LOAD_SHARES) };
  readonly #bodies = new FairShares(BODY_SHARES);
  /** By delivery: since when its data cannot be had, and how often it was asked for. */
  readonly #waiting = new Map<string, { readonly since: number; readonly failures: number }>();

  constructor(options: FullPayloadOptions) {
    this.#options = options;
  }

  /** True when a delivery is to be sent with full data. */
  concerns({ endpoint, delivery }: LeasedDelivery): boolean {
    return endpoint.payload === 'full' && !delivery.test && fullPartOf(delivery.eventType) !== undefined;
  }

  /**
   * True while a delivery has to wait for others that are being read or sent.
   * @param isFirst its endpoint has no attempt running: it waits for its turn to read, and for no receiver
   */
  mustWait(leased: LeasedDelivery | undefined, isFirst: boolean): boolean {
    if (leased === undefined || !this.concerns(leased)) return false;
    const { tenantId } = leased.delivery;
    if (!this.#loads[this.#sourceOf(leased)].allows(tenantId)) return true;
    return !isFirst && !this.#bodies.allows(tenantId, MAX_FULL_BODY_BYTES);
  }

  /** Notes that a delivery was left in the store because {@link waitsUntil} says so. */
  notePostponed(leased: LeasedDelivery): void {
    this.#note(leased, this.#options.clock.now(), 0);
  }

  /** Until when a delivery is to be left in the store because its source is out, epoch milliseconds; undefined when it may be tried. */
  waitsUntil(leased: LeasedDelivery, now: number): number | undefined {
    if (!this.concerns(leased) || this.#isOverdue(leased, now)) return undefined;
    const source = this.#sourceOf(leased);
    const state = this.#states.get(source) ?? HEALTHY;
    if (!isOut(state)) return undefined;
    if (now < state.pausedUntil) return this.#spread(now, state.pausedUntil - now);
    // One call finds out whether it is back.
    return this.#loads[source].used > 0 ? this.#spread(now, backoffMs(1)) : undefined;
  }

  /** Reads the full data for a delivery that {@link concerns} says has it, and that need not wait. */
  async prepare(leased: LeasedDelivery): Promise<PreparedBody> {
    const source = this.#sourceOf(leased);
    const now = this.#options.clock.now();
    const postponedUntil = this.waitsUntil(leased, now);
    if (postponedUntil !== undefined) {
      this.#note(leased, now, 0);
      return { postponedUntil };
    }
    if (this.#isOverdue(leased, now) && isOut(this.#states.get(source) ?? HEALTHY)) {
      return this.#hold(leased, this.#reserve(leased), this.#without(leased, 'unavailable'));
    }
    const { tenantId } = leased.delivery;
    const reserved = this.#reserve(leased);
    const isCounted = this.#loads[source].take(tenantId);
    try {
      return this.#hold(leased, reserved, await this.#read(leased, source));
    } finally {
      if (isCounted) this.#loads[source].give(tenantId);
      this.#options.onFree();
    }
  }

  /** @returns the body to be sent, or when to try again */
  async #read(leased: LeasedDelivery, source: Source): Promise<string | Postponed> {
    try {
      const { delivery, body, origin } = leased;
      const part = fullPartOf(delivery.eventType) as FullPart;
      const content = await this.#options.content.read(part, delivery.tenantId, forecastNoIn(body), origin.traceparent);
      this.#states.delete(source);
      const full = withFull(body, part, content);
      return full.omitted === null ? this.#ready(leased, full.body, 'added') : this.#without(leased, full.omitted);
    } catch (error) {
      return this.#afterFailure(leased, source, error);
    }
  }

  /** Takes room for the largest body. @returns how much: 0 for the one body that an endpoint has beyond the share of its tenant */
  #reserve({ delivery: { tenantId } }: LeasedDelivery): number {
    return this.#bodies.take(tenantId, MAX_FULL_BODY_BYTES) ? MAX_FULL_BODY_BYTES : 0;
  }

  /** Gives back what was reserved and is not needed: all of it when there is no body. */
  #hold({ delivery: { tenantId } }: LeasedDelivery, reserved: number, result: string | Postponed): PreparedBody {
    const held = typeof result === 'string' ? Math.min(reserved, Buffer.byteLength(result)) : 0;
    this.#bodies.give(tenantId, reserved - held);
    return typeof result === 'string' ? { body: result, done: () => this.#bodies.give(tenantId, held) } : result;
  }

  #afterFailure(leased: LeasedDelivery, source: Source, error: unknown): string | Postponed {
    const now = this.#options.clock.now();
    const before = this.#states.get(source) ?? HEALTHY;
    if (hasResponded(error)) this.#states.delete(source);
    else this.#states.set(source, afterFailure(before, now));
    const omission = omissionAfter(error);
    if (omission !== undefined) return this.#without(leased, omission);
    const { deliveryId } = leased.delivery;
    const fields = { err: error, delivery_id: deliveryId, source };
    this.#options.logger.warn(fields, 'cannot read the data of a full webhook payload; the delivery is postponed');
    if (this.#isOverdue(leased, now)) return this.#without(leased, 'unavailable');
    return { postponedUntil: this.#spread(now, backoffMs(this.#note(leased, now, 1))) };
  }

  /** Notes that a delivery waits. @returns how often its data was asked for in vain */
  #note({ delivery: { deliveryId } }: LeasedDelivery, now: number, failed: 0 | 1): number {
    const known = this.#waiting.get(deliveryId);
    if (known === undefined && this.#waiting.size >= MAX_WAITING) this.#waiting.delete(this.#waiting.keys().next().value as string);
    const failures = (known?.failures ?? 0) + failed;
    this.#waiting.set(deliveryId, { since: known?.since ?? now, failures });
    this.#options.onOutcome('postponed');
    return failures;
  }

  #without(leased: LeasedDelivery, omission: FullOmission): string {
    return this.#ready(leased, withoutFull(leased.body, omission), omission);
  }

  #ready({ delivery }: LeasedDelivery, body: string, outcome: FullOutcome): string {
    this.#waiting.delete(delivery.deliveryId);
    this.#options.onOutcome(outcome);
    return body;
  }

  #isOverdue({ delivery }: LeasedDelivery, now: number): boolean {
    const waiting = this.#waiting.get(delivery.deliveryId);
    return waiting !== undefined && now - waiting.since >= MAX_POSTPONED_MS;
  }

  #sourceOf({ delivery }: LeasedDelivery): Source {
    return sourceOf[fullPartOf(delivery.eventType) ?? 'forecast'];
  }

  /** Later by up to half the wait, so that what waits does not come back all at once. */
  #spread(now: number, waitMs: number): number {
    return now + Math.round(waitMs * (1 + this.#options.random() / 2));
  }
}
