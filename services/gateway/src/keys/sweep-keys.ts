import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import { deletionStep, Upkeep } from '@parcelway/kernel/upkeep';
import { DEAD_LINKS_KEPT_MS } from './domain/link-rules.ts';
import type { KeyStore } from './ports.ts';

/** How long a key is listed after it was revoked or has expired: more than a year, for those who look into what happened. */
const DEAD_KEYS_KEPT_MS = 400 * 86_400_000;

/** Deletes old dead keys, and the keys of console links soon after they end. */
export function createKeySweep(
  keys: Pick<KeyStore, 'deleteDead' | 'deleteDeadLinks'>,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Upkeep {
  const links = { keptMs: DEAD_LINKS_KEPT_MS, deleteBefore: (at: number, limit: number) => keys.deleteDeadLinks(at, limit) };
  const dead = { keptMs: DEAD_KEYS_KEPT_MS, deleteBefore: (at: number, limit: number) => keys.deleteDead(at, limit) };
  const steps = [
    deletionStep(clock, { what: 'Deleting keys of former links', ...links }),
    deletionStep(clock, { what: 'Deleting old dead keys', ...dead }),
  ];
  return new Upkeep({ steps, everyMs: 900_000, logger });
}
