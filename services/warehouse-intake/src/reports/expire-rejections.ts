import type { Clock } from '@parcelway/kernel/clock';
import { REJECTIONS_KEPT_MS } from './domain/event-outcome.ts';
import type { Rejections } from './ports.ts';

const FORGET_BATCH = 500;

/** What forgetting needs. */
export interface ForgetOptions {
  readonly rejections: Pick<Rejections, 'forget'>;
  readonly clock: Clock;
  /** True when it is to end early. */
  readonly stopping?: () => boolean;
}

/** Deletes rejected reports past their time, batch by batch. @returns how many */
export async function expireRejections({ rejections, clock, stopping }: ForgetOptions): Promise<number> {
  const before = clock.now() - REJECTIONS_KEPT_MS;
  let total = 0;
  for (;;) {
    const forgotten = await rejections.forget(before, FORGET_BATCH);
    total += forgotten;
    if (forgotten < FORGET_BATCH || stopping?.()) return total;
  }
}
