import type { TenantDataKind } from '@parcelway/kernel/tenant-data';
import type { KeyStores } from '../keys/ports.ts';
import type { TenantRetentionStore } from '../tenants/ports.ts';
import type { ForecastName } from './domain/dead-letter-forecast.ts';
import type { OperatorRecord } from './domain/operator.ts';

/** Where operators and the hashes of their tokens are kept. They are few. */
export interface OperatorStore {
  /** By name; at most `limit`. */
  list(limit: number): Promise<OperatorRecord[]>;
  /**
   * Writes an operator, in the place of one of the same name that is revoked or expired.
   * @returns false when the name belongs to one whose token works; nothing changes then
   */
  add(operator: OperatorRecord, now: number): Promise<boolean>;
  /** Revokes a token; one that is revoked already stays as it is. @returns the operator afterwards; undefined when there is none */
  revoke(name: string, at: number): Promise<OperatorRecord | undefined>;
  /** Deletes an operator that is revoked or expired; does nothing to others. */
  deleteDead(name: string, now: number): Promise<void>;
  /** Notes the latest use of tokens. @param uses name of the operator → epoch milliseconds */
  recordUse(uses: ReadonlyMap<string, number>): Promise<void>;
}

/** The forecasts of all tenants, in the forecast service. */
export interface ForecastDirectory {
  /**
   * Those that exist, in any order.
   * @param names each once
   * @throws AppError 50301 when the service or its store is out
   */
  existing(names: readonly ForecastName[]): Promise<readonly ForecastName[]>;
}

/** All that the gateway keeps. */
export interface GatewayStores extends KeyStores {
  readonly retentions: TenantRetentionStore;
  readonly operators: OperatorStore;
  /** What the gateway stores about tenants. */
  readonly tenantData: readonly TenantDataKind[];
  /** Resolves when the store responds. */
  check(): Promise<void>;
}
