import type { RateLimiter } from '@parcelway/cache/rate-limiter';
import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { AttemptResult } from '../queue/domain/attempt.ts';
import type { DeliveryQueue } from '../queue/ports.ts';
import type { AttemptOptions } from './attempt-delivery.ts';
import type { FullOutcome } from './full-payloads.ts';
import type { FullContent } from './ports.ts';

/** What the dispatcher works with. */
export interface DispatcherOptions {
  readonly queue: DeliveryQueue;
  readonly rateLimiter: Pick<RateLimiter, 'take'>;
  readonly attempts: Omit<AttemptOptions, 'full'>;
  /** What is added to the events of endpoints with `payload: full`. */
  readonly content: FullContent;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Due deliveries are looked for this often; only a fallback for those that nothing announces. */
  readonly pollMs: number;
  /** Called with every attempt that counts, and whether it had to wait because its receiver had asked for less. */
  readonly report: (result: AttemptResult, heldBack: boolean) => void;
  /** Called with the outcome of each full payload. */
  readonly onFullPayload: (outcome: FullOutcome) => void;
  /** Called when responses have disabled an endpoint: its pending deliveries are to be held. */
  readonly onDisabled: () => void;
}
