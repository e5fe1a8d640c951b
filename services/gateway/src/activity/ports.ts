import type { DayRange } from '@parcelway/kernel/day-range';
import type { CountedDay } from './domain/usage-of-days.ts';

/** Instants between which records are asked for; epoch milliseconds. */
export interface TimeRange {
  /** Included. */
  readonly from?: number | undefined;
  /** Not included. */
  readonly to?: number | undefined;
}

/** What the services counted. */
export interface ServiceUsage {
  /** @throws AppError 50301 when a service is out */
  read(tenantId: string, range: DayRange): Promise<readonly CountedDay[]>;
}
