import { Sweep, type SweepOptions } from '../activity/sweep.ts';
import { DEAD_LINKS_KEPT_MS } from './domain/link-rules.ts';
import type { KeyStore } from './ports.ts';

/** How long a key is listed after it was revoked or has expired: more than a year, for those who look into what happened. */
const DEAD_KEYS_KEPT_MS = 400 * 86_400_000;

/** Deletes old dead keys, and the keys of console links soon after they end. */
export function createKeySweep(
  keys: Pick<KeyStore, 'deleteDead' | 'deleteDeadLinks'>,
  options: Pick<SweepOptions, 'clock' | 'logger'>,
): Sweep {
  return new Sweep({
    ...options,
    what: 'old dead keys',
    everyMs: 900_000,
    deletions: [
      { keptMs: DEAD_LINKS_KEPT_MS, deleteBefore: (at, limit) => keys.deleteDeadLinks(at, limit) },
      { keptMs: DEAD_KEYS_KEPT_MS, deleteBefore: (at, limit) => keys.deleteDead(at, limit) },
    ],
  });
}
