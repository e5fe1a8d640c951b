import type { Bus, Subscription } from '@parcelway/bus/bus';
import type { KeyRing } from '../key-ring.ts';

/**
 * Forgets keys as soon as any replica revokes them. Every replica needs every such event, so each has a group of its
 * own. A replica that misses one, or has just started under a new name, loses nothing: keys are believed for seconds
 * only, and an old event merely forgets a key that is looked up again.
 */
export function subscribeToRevocations(
  bus: Pick<Bus, 'subscribe'>,
  keyRing: Pick<KeyRing, 'forget'>,
  replicaId: string,
): Promise<Subscription> {
  return bus.subscribe(`gateway-${replicaId}`, {
    'key.revoked': async (event) => keyRing.forget(event.data.key_id),
  });
}
