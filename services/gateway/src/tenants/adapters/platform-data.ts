import type { Environment } from '@parcelway/contracts/environment';
import type { ServiceName } from '@parcelway/contracts/service-name';
import type { ErasedCount, TenantDataKinds, TenantDataPage } from '@parcelway/contracts/tenant-data-api';
import type { ServiceClient } from '@parcelway/http/service-client';
import { namedData } from '@parcelway/http/tenant-data-routes';
import type { TenantDataKind } from '@parcelway/kernel/tenant-data';
import { platformPrincipal } from '../../proxy/domain/principals.ts';
import type { PlatformData, ServiceData } from '../ports.ts';

/** Bound on a step of a service: object stores delete one content after the other. */
const STEP_MS = 20_000;

/** The services that are called, what sends and polls first: nothing is sent to, or asked for, a tenant that is half gone. */
const CALLED: readonly ServiceName[] = ['webhook', 'tracking', 'file', 'warehouse-intake', 'forecast'];

/** What the data is read and deleted through. */
export interface PlatformDataOptions {
  readonly environment: Environment;
  readonly services: Pick<ServiceClient, 'call'>;
  /** What the gateway itself stores. */
  readonly own: readonly TenantDataKind[];
  /** Writes what the gateway still holds in memory of its tenants. */
  readonly flush: () => Promise<void>;
}

function calledData(service: ServiceName, { services, environment }: PlatformDataOptions): ServiceData {
  const principal = platformPrincipal(environment);
  const call = <T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> =>
    services.call<T>({ service, method, path: `/internal/v1/${path}`, principal, timeoutMs: STEP_MS, ...(body && { body }) });
  return {
    service,
    remember: async (tenant_id) => void (await call('POST', 'erased-tenants', { tenant_id })),
    kinds: async () => (await call<TenantDataKinds>('GET', 'tenant-data')).kinds,
    list: (kind, tenant_id, after) =>
      call<TenantDataPage>(
        'GET',
        `tenant-data/${encodeURIComponent(kind)}?${new URLSearchParams({ tenant_id, ...(after !== null && { after }) })}`,
      ),
    erase: async (kind, tenant_id) =>
      (await call<ErasedCount>('POST', `tenant-data/${encodeURIComponent(kind)}/erase`, { tenant_id })).erased,
  };
}

/** The data of all services: those that are called over HTTP, then the gateway's own. */
export function createPlatformData(options: PlatformDataOptions): PlatformData {
  const { services, environment, flush } = options;
  const own = namedData(options.own);
  const principal = platformPrincipal(environment);
  return {
    services: [
      ...CALLED.map((service) => calledData(service, options)),
      // Nothing of a suspended tenant is noted any more; what was is written now, and so found. The gateway takes no facts of tenants, so it has nothing to drop.
      { ...own, service: 'gateway', remember: flush, kinds: async () => own.kinds() },
    ],
    async erasePhotos(tenant_id, tokens) {
      const body = { tenant_id, tokens: [...tokens] };
      const path = '/internal/v1/photos/erase';
      return (await services.call<ErasedCount>({ service: 'file', method: 'POST', path, principal, body, timeoutMs: STEP_MS })).erased;
    },
  };
}
