import { storedEvent } from '../domain/event.ts';
import type { UnclaimedReason } from '../domain/match.ts';
import type { UnclaimedParcel } from '../ports.ts';

/** A forecast of the directory, complete. */
export interface ForecastRow {
  readonly forecast_no: string;
  readonly tenant_id: string;
  readonly environment: string;
  readonly warehouse_code: string;
  readonly forecast_type: number;
}

/** An event without a forecast, as a list shows it. */
export interface UnclaimedRow extends WaitingRow {
  readonly received_at: number;
}

/** An event without a forecast. */
export interface WaitingRow {
  readonly id: number;
  readonly event: string;
  readonly waiting: UnclaimedReason;
}

/** Columns of a {@link ForecastRow}, of the table `f`. */
export const FORECAST_COLUMNS = 'f.forecast_no, f.tenant_id, f.environment, f.warehouse_code, f.forecast_type';

/** A row as the port shows it. */
export function unclaimedOf(row: UnclaimedRow): UnclaimedParcel {
  const event = storedEvent(row.event);
  return { event, type: event.detail.type, reason: row.waiting, receivedAt: row.received_at };
}
