/** A merchant. */
export interface TenantRecord {
  /** `tnt_…`. */
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'suspended';
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** A warehouse; forecasts may name it until it is closed. */
export interface WarehouseRecord {
  readonly code: string;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds; null while it is open. */
  readonly closedAt: number | null;
  /** Rises by 1 with each change and its event. */
  readonly version: number;
}
