import type { TenantData } from '@parcelway/kernel/tenant-data';

/** Photos of a tenant's parcels. They belong to the warehouse that took them, so whoever knows the parcels names them. */
export interface PhotoEraser {
  /**
   * Deletes photos, contents first. Those that are not there any more, and those that forecasts of other tenants have as well, are passed over.
   * @returns how many were deleted
   * @throws AppError 50301; may be repeated
   */
  erasePhotos(tenantId: string, tokens: readonly string[]): Promise<number>;
}

/** What the service stores about tenants. */
export interface FileTenantData extends TenantData {
  readonly photos: PhotoEraser;
}
