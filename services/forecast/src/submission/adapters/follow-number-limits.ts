import type { TenantNumbersList } from '@parcelway/contracts/declared-numbers-api';
import type { Environment } from '@parcelway/contracts/environment';
import type { Principal } from '@parcelway/contracts/principal';
import type { ServiceClient } from '@parcelway/http/service-client';
import type { Logger } from '@parcelway/kernel/logger';
import type { NumberLimits } from '../number-limits.ts';

const EVERY_MS = 2000;

/**
 * Follows the limits of tenants, which the intake keeps with its counts. While it does not respond, the last ones hold.
 * @returns what ends it: when it resolves, nothing runs any more
 */
export function followNumberLimits(
  limits: Pick<NumberLimits, 'take'>,
  client: Pick<ServiceClient, 'call'>,
  { environment, logger }: { readonly environment: Environment; readonly logger: Logger },
): { start(): void; stop(): Promise<void> } {
  const principal: Principal = { kind: 'system', tenantId: null, warehouseCode: null, keyId: 'forecast', scopes: [], environment };
  const call = { service: 'warehouse-intake', method: 'GET', path: '/internal/v1/declared-numbers?limited=true', principal } as const;
  let stopping = false;
  let isOut = false;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();
  const follow = async (): Promise<void> => {
    try {
      const { tenants } = await client.call<TenantNumbersList>(call);
      const limited = tenants.flatMap(({ tenant_id, unseen, limit }) => (limit === null ? [] : [[tenant_id, { unseen, limit }] as const]));
      limits.take(new Map(limited));
      isOut = false;
    } catch (error) {
      if (!isOut) logger.warn({ err: error }, 'Cannot read the limits of logistics numbers; the last ones hold');
      isOut = true;
    }
    if (!stopping) timer = setTimeout(begin, EVERY_MS).unref();
  };
  const begin = (): void => {
    round = follow();
  };
  return {
    start: begin,
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await round;
    },
  };
}
