import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@parcelway/kernel/clock';
import { blockCalls, type CallPurpose, type CallVerdict, registrationsOf, takeCall } from '../connections/domain/call-ledger.ts';
import type { CallLedgers } from '../connections/ports.ts';
import { NotNow } from '../domain/not-now.ts';
import type { TrackingSource } from './source.ts';
import { patienceOf, SourceRefusal } from './source-refusal.ts';
import type { CallKind } from './source-telemetry.ts';

/** How long a call may wait for its turn. */
export const MAX_WAIT_MS: Readonly<Record<CallPurpose, number>> = { query: 2000, background: 3000 };

/** What a connection may call: the limits that its source declares, and those that the vendor names in a refusal. All processes keep to them. */
export class ConnectionLimits {
  readonly #source: Pick<TrackingSource, 'limits' | 'quotaFor'>;
  readonly #connectionId: string;
  readonly #ledgers: CallLedgers;
  readonly #clock: Clock;

  constructor(
    source: Pick<TrackingSource, 'limits' | 'quotaFor'>,
    connectionId: string,
    { ledgers, clock }: { readonly ledgers: CallLedgers; readonly clock: Clock },
  ) {
    this.#source = source;
    this.#connectionId = connectionId;
    this.#ledgers = ledgers;
    this.#clock = clock;
  }

  /** Asks for leave to make one call, and counts it. */
  async take(purpose: CallPurpose, kind: CallKind): Promise<CallVerdict> {
    const now = this.#clock.now();
    if (kind === 'register' && this.#source.quotaFor === 'registrations') {
      const { blockedUntil } = await this.#ledgers.read(registrationsOf(this.#connectionId));
      if (blockedUntil > now) return { isGranted: false, until: blockedUntil, reason: 'blocked' };
    }
    const options = { now, purpose, maxWaitMs: MAX_WAIT_MS[purpose] };
    return this.#ledgers.take(this.#connectionId, (ledger) => takeCall(ledger, this.#source.limits, options));
  }

  /** Waits for the turn of one call more, which is no registration. @throws SourceRefusal 'throttled' when it may not be made soon */
  async nextCall(purpose: CallPurpose): Promise<void> {
    const verdict = await this.take(purpose, 'other');
    const now = this.#clock.now();
    if (!verdict.isGranted) {
      const cause = new NotNow(verdict.until, verdict.reason);
      throw new SourceRefusal('throttled', 'Our own limits allow no further call', { retryAfterMs: verdict.until - now, cause });
    }
    if (verdict.at > now) await sleep(verdict.at - now);
  }

  /**
   * Keeps to the limit that a refusal names: a quota of registrations stops those alone, anything else every call.
   * @param kind of the call that was refused
   * @returns when the next such call may begin, epoch milliseconds
   */
  async keepTo(refusal: SourceRefusal, kind: CallKind): Promise<number> {
    const until = this.#clock.now() + patienceOf(refusal);
    const isOfRegistrations = kind === 'register' && refusal.reason === 'quota used up' && this.#source.quotaFor === 'registrations';
    const id = isOfRegistrations ? registrationsOf(this.#connectionId) : this.#connectionId;
    await this.#ledgers.change(id, (ledger) => blockCalls(ledger, until));
    return until;
  }
}
