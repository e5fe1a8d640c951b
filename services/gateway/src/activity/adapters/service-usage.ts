import type { Environment } from '@parcelway/contracts/environment';
import type { Principal } from '@parcelway/contracts/principal';
import type { ServiceName } from '@parcelway/contracts/service-name';
import type { UsageAmountsOfDays } from '@parcelway/contracts/usage-amounts-api';
import type { ServiceClient } from '@parcelway/http/service-client';
import type { ServiceUsage } from '../ports.ts';

/** Services that count what tenants use, besides the gateway. */
const COUNTING: readonly ServiceName[] = ['forecast', 'webhook', 'file'];
const TIMEOUT_MS = 5000;

/** Reads what the services counted over HTTP. */
export function createServiceUsage(services: Pick<ServiceClient, 'call'>, environment: Environment): ServiceUsage {
  const principal: Principal = { kind: 'system', tenantId: null, warehouseCode: null, keyId: 'gateway', scopes: [], environment };
  return {
    async read(tenant_id, range) {
      const path = `/internal/v1/usage?${new URLSearchParams({ tenant_id, ...range })}`;
      const counted = await Promise.all(
        COUNTING.map((service) => services.call<UsageAmountsOfDays>({ service, method: 'GET', path, principal, timeoutMs: TIMEOUT_MS })),
      );
      return counted.flatMap(({ days }) => days);
    },
  };
}
