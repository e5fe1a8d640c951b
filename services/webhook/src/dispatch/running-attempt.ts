import type { Clock } from '@parcelway/kernel/clock';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import type { AttemptResult } from '../queue/domain/attempt.ts';
import type { Interruption } from './domain/interruption.ts';
import type { Lane } from './domain/lane.ts';
import type { DueFeed } from './due-feed.ts';

export interface RunningAttempt {
  readonly lane: Lane;
  /** With the endpoint as it was when the attempt started. */
  readonly leased: LeasedDelivery;
  /** It had to wait because its receiver had asked for less. */
  readonly heldBack: boolean;
  readonly interruption: Interruption;
}

/** What the scheduler has done. Instants are epoch milliseconds. */
export interface SchedulerOptions {
  readonly clock: Clock;
  /** In [0, 1), for jitter. */
  readonly random: () => number;
  readonly feed: Pick<DueFeed, 'wakeAt' | 'fetch'>;
  /** Makes an attempt. `attempted`, `postponed` or `crashed` says later how it ended. */
  readonly attempt: (attempt: RunningAttempt) => void;
  /** Gives leases back. @param until they cannot be leased before */
  readonly release: (leased: readonly LeasedDelivery[], until?: number) => void;
  /** Reports an attempt, and has its result stored. */
  readonly settle: (result: AttemptResult, heldBack: boolean) => void;
  /** Asks the rate limiter for one attempt. */
  readonly takeToken: (endpointId: string, perSecond: number, decided: (token: { allowed: boolean; waitMs: number }) => void) => void;
}
