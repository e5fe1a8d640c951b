import type { Bus, Subscription } from '@parcelway/bus/bus';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
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
  const forget = { 'key.revoked': async (event: DomainEvent<'key.revoked'>) => keyRing.forget(event.data.key_id) };
  return bus.subscribe(`gateway-${replicaId}`, forget, { endsWithProcess: true });
}
