/** A merchant. */
export interface TenantRecord {
  /** `tnt_…`. */
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'suspended';
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** A warehouse that forecasts may name. */
export interface WarehouseRecord {
  readonly code: string;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}
