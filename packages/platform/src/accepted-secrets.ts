import type { readSecrets } from './distributed-config.ts';

/**
 * The secrets whose signatures on principals this process accepts: its own first, and the other one of a rotation.
 *
 * So the secret changes without a refused call: every process accepts the new one before any signs with it, and the old one
 * until none does. The steps are in docs/operate.md.
 */
export function acceptedSecrets({
  internalSecret,
  previousInternalSecret,
}: Pick<ReturnType<typeof readSecrets>, 'internalSecret' | 'previousInternalSecret'>): readonly string[] {
  return previousInternalSecret === undefined ? [internalSecret] : [internalSecret, previousInternalSecret];
}
