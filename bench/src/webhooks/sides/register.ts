import type { Principal } from '@parcelway/contracts/principal';
import { PRINCIPAL_HEADER, PrincipalSigner } from '@parcelway/http/principal-token';
import { systemClock } from '@parcelway/kernel/clock';
import { Pool } from 'undici';
import { closedLoopOf } from '../../closed-loop.ts';
import type { EndpointPlan } from './side.ts';

const AT_ONCE = 20;
const RESPONSE_WITHIN_MS = 20_000;

/**
 * Registers endpoints over the API of a webhook service, as the gateway would pass the calls on.
 * @param origin of the service
 * @param secret with which its installation signs principals
 */
export async function registerEndpoints(origin: string, secret: string, endpoints: readonly EndpointPlan[]): Promise<void> {
  const signer = new PrincipalSigner(secret, systemClock);
  const pool = new Pool(origin, { connections: AT_ONCE, headersTimeout: RESPONSE_WITHIN_MS, bodyTimeout: RESPONSE_WITHIN_MS });
  const left = [...endpoints];
  try {
    await closedLoopOf(AT_ONCE, endpoints.length, async () => {
      const { tenantId, url } = left.pop() as EndpointPlan;
      const principal: Principal = {
        kind: 'tenant',
        tenantId,
        warehouseCode: null,
        keyId: 'key_bench',
        scopes: ['webhooks:manage'],
        environment: 'sandbox',
      };
      const response = await pool.request({
        method: 'POST',
        path: '/open/v1/webhook-endpoints',
        headers: { [PRINCIPAL_HEADER]: signer.sign(principal), 'content-type': 'application/json' },
        body: JSON.stringify({ url, event_types: ['parcel.weighed'] }),
      });
      const text = await response.body.text();
      if (response.statusCode !== 200) throw new Error(`Registering ${url} got the status ${response.statusCode}: ${text.slice(0, 500)}`);
    });
  } finally {
    await pool.destroy();
  }
}
