import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { type EventKey, type IntakeEvent, storedEvent } from '../../expected/domain/event.ts';
import { isHeldBy, type ReportKind } from '../../expected/domain/parcel-reports.ts';
import type {
  AppliedReports,
  ClaimedNumbers,
  DispatchOnHold,
  LatestReports,
  ReportedForecast,
  ReportLimits,
  ScannedText,
} from '../../expected/ports.ts';

const LATEST = `SELECT event FROM events INDEXED BY events_applied
  WHERE warehouse_code = ? AND published_to = ? AND report_kind = ? AND occurred_at <= ? ORDER BY occurred_at DESC, id DESC LIMIT ?`;

const SCANNED = `SELECT forecast_no FROM numbers INDEXED BY numbers_claimed
  WHERE warehouse_code = ? AND scanned_no = ? AND assigned IS NOT NULL ORDER BY assigned DESC LIMIT ?`;

/** Reads applied reports, and the numbers that warehouses have claimed, from the service's file. */
export class SqliteReports implements AppliedReports, ClaimedNumbers {
  readonly #db: SqliteDatabase;

  /** @param db migrated with intakeMigrations */
  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  async latestOf(forecasts: readonly ReportedForecast[], limits: ReportLimits): Promise<readonly LatestReports[]> {
    const wanted = Object.entries(limits) as [ReportKind, number][];
    return forecasts.map(({ warehouseCode, forecastNo }) =>
      Object.fromEntries(
        wanted.map(([kind, limit]) => [kind, this.#latest(warehouseCode, forecastNo, kind, Number.MAX_SAFE_INTEGER, limit)]),
      ),
    );
  }

  async dispatchedOnHold(keys: readonly EventKey[]): Promise<readonly DispatchOnHold[]> {
    return keys.flatMap((key) => this.#onHold(key) ?? []);
  }

  async claimedFor(warehouseCode: string, { text, number }: ScannedText, limit: number): Promise<readonly string[]> {
    const scanned = this.#db.all<{ forecast_no: string }>(SCANNED, warehouseCode, number, limit);
    const named = this.#db.get<{ forecast_no: string }>(
      'SELECT forecast_no FROM stand_ins WHERE warehouse_code = ? AND named_no = ?',
      warehouseCode,
      text,
    );
    return [...scanned, ...(named ? [named] : [])].map((row) => row.forecast_no);
  }

  #latest(warehouseCode: string, forecastNo: string, kind: ReportKind, until: number, limit: number): readonly IntakeEvent[] {
    const rows = this.#db.all<{ event: string }>(LATEST, warehouseCode, forecastNo, kind, until, limit);
    return rows.map(({ event }) => storedEvent(event));
  }

  #onHold({ warehouseCode, eventId }: EventKey): DispatchOnHold | undefined {
    const row = this.#db.get<{ event: string; occurred_at: number; published_to: string | null }>(
      'SELECT event, occurred_at, published_to FROM events WHERE warehouse_code = ? AND event_id = ?',
      warehouseCode,
      eventId,
    );
    if (row === undefined || row.published_to === null) return undefined;
    const { published_to: forecastNo, occurred_at: at } = row;
    if ((JSON.parse(row.event) as Pick<IntakeEvent, 'detail'>).detail.type !== 'dispatch') return undefined;
    const [hold] = this.#latest(warehouseCode, forecastNo, 'hold', at, 1);
    const [release] = hold === undefined ? [] : this.#latest(warehouseCode, forecastNo, 'release', at, 1);
    return isHeldBy(hold, release) ? { warehouseCode, eventId, forecastNo, heldAt: hold.occurredAt } : undefined;
  }
}
