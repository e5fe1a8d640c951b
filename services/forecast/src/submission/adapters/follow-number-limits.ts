import type { TenantNumbersList } from '@parcelway/contracts/declared-numbers-api';
import type { Environment } from '@parcelway/contracts/environment';
import type { Principal } from '@parcelway/contracts/principal';
import type { ServiceClient } from '@parcelway/http/service-client';
import type { Logger } from '@parcelway/kernel/logger';
import { Upkeep } from '@parcelway/kernel/upkeep';
import type { NumberLimits } from '../number-limits.ts';

const EVERY_MS = 2000;

/** Follows the limits of tenants, which the intake keeps with its counts. While it does not respond, the last ones hold. */
export function followNumberLimits(
  limits: Pick<NumberLimits, 'take'>,
  client: Pick<ServiceClient, 'call'>,
  { environment, logger }: { readonly environment: Environment; readonly logger: Logger },
): Upkeep {
  const principal: Principal = { kind: 'system', tenantId: null, warehouseCode: null, keyId: 'forecast', scopes: [], environment };
  const call = { service: 'warehouse-intake', method: 'GET', path: '/internal/v1/declared-numbers?limited=true', principal } as const;
  const follow = async (): Promise<boolean> => {
    const { tenants } = await client.call<TenantNumbersList>(call);
    const limited = tenants.flatMap(({ tenant_id, unseen, limit }) => (limit === null ? [] : [[tenant_id, { unseen, limit }] as const]));
    limits.take(new Map(limited));
    return false;
  };
  return new Upkeep({ steps: [{ what: 'Reading the limits of logistics numbers', run: follow }], everyMs: EVERY_MS, logger });
}
