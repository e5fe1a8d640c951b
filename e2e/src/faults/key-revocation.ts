import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@parcelway/kernel/testing/until';
import type { FaultStage } from './fault.ts';

const ANY_READ = '/open/v1/forecasts?limit=1';
/** A revoked key is refused everywhere within this time. */
const REFUSED_WITHIN_MS = 5000;
/** Looked at for longer, to show by how much it was missed. */
const LOOKED_AT_FOR_MS = 20_000;

/**
 * Issues a key, uses it at every gateway, revokes it at one, and waits until none takes it any more.
 * @returns milliseconds from the response to the revocation until all refused it, and what was wrong with that
 */
export async function revokedAfter({ platform, operator, merchant }: FaultStage): Promise<{ ms: number; violations: readonly string[] }> {
  const issued = await operator.issueKey({ tenant_id: merchant.identity.tenantId });
  const gateways = platform.services().filter(({ name }) => name.startsWith('gateway-'));
  const clients = gateways.map(({ url }) => platform.client(issued.key, url));
  // Used for a while, so that whatever remembers keys remembers it.
  for (let time = 0; time < 4; time += 1) {
    for (const client of clients) await client.expectOk(ANY_READ);
    await pause(250);
  }
  await operator.revokeKey(issued.key_id);
  const revokedAt = performance.now();
  const options = { within: LOOKED_AT_FOR_MS, everyMs: 50, what: 'a revoked key to be refused' };
  await Promise.all(clients.map((client) => until(async () => (await client.call(ANY_READ)).code === '40003', options)));
  const ms = performance.now() - revokedAt;
  return { ms, violations: ms > REFUSED_WITHIN_MS ? [`a revoked key was taken for ${ms.toFixed(0)} ms`] : [] };
}
