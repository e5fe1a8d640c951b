import type { DayRange } from '@parcelway/kernel/day-range';
import type { ListPosition } from '@parcelway/kernel/list-position';
import type { UsageStore } from '@parcelway/kernel/usage-counter';
import type { AuditRecord } from './domain/audit-entry.ts';
import type { FailedCallRecord } from './domain/failed-call.ts';
import type { CountedDay } from './domain/usage-of-days.ts';

/** Instants between which records are asked for; epoch milliseconds. */
export interface TimeRange {
  /** Included. */
  readonly from?: number | undefined;
  /** Not included. */
  readonly to?: number | undefined;
}

/** Records of a log, newest first. `Tenant`: whose records can be asked for; undefined for those of all. */
export interface LogReader<T, Tenant extends string | undefined> {
  /**
   * At most `limit`. Costs as much at any place.
   * @param after leaves out the record of this position and all that are newer
   */
  list(tenantId: Tenant, range: TimeRange, limit: number, after: ListPosition | undefined): Promise<readonly T[]>;
}

/** Where the audit log is kept. */
export interface AuditStore extends LogReader<AuditRecord, string | undefined> {
  /** Writes an entry, durably. @throws AppError 50301 */
  add(entry: AuditRecord): Promise<void>;
  /** Writes the outcome and the resource of an entry that was added. */
  finish(entry: AuditRecord): Promise<void>;
  /** Removes an entry: nothing was changed. */
  remove(entry: AuditRecord): Promise<void>;
}

/** Where failed calls are kept. */
export interface FailedCallStore extends LogReader<FailedCallRecord, string> {
  add(calls: readonly FailedCallRecord[]): Promise<void>;
  /** As {@link list}, those with this request id. */
  withRequestId(requestId: string, ...asked: Parameters<LogReader<FailedCallRecord, string>['list']>): Promise<readonly FailedCallRecord[]>;
}

/** What the services counted. */
export interface ServiceUsage {
  /** @throws AppError 50301 when a service is out */
  read(tenantId: string, range: DayRange): Promise<readonly CountedDay[]>;
}

/** Where the gateway keeps what tenants do. */
export interface ActivityStores {
  readonly audit: AuditStore;
  readonly failedCalls: FailedCallStore;
  readonly usage: UsageStore;
}
