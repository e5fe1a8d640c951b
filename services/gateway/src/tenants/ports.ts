import type { ServiceName } from '@parcelway/contracts/service-name';
import type { TenantDataKinds, TenantDataPage } from '@parcelway/contracts/tenant-data-api';

/** What one service stores about tenants. Every method throws AppError 50301 when the service or its store is out. */
export interface ServiceData {
  readonly service: ServiceName;
  /** Drops the facts of the tenant from now on, durably. */
  remember(tenantId: string): Promise<void>;
  /** In the order in which they are to be deleted. */
  kinds(): Promise<TenantDataKinds['kinds']>;
  list(kind: string, tenantId: string, after: string | null): Promise<TenantDataPage>;
  /** @returns how many records one step deleted; 0 when none is left */
  erase(kind: string, tenantId: string): Promise<number>;
}

/** What all services store about tenants. */
export interface PlatformData {
  /** In the order in which they are to be deleted: what sends and polls first, the gateway last. */
  readonly services: readonly ServiceData[];
  /** Deletes photos by their tokens. @returns how many */
  erasePhotos(tenantId: string, tokens: readonly string[]): Promise<number>;
}
