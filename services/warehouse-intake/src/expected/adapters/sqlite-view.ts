import type { Clock } from '@parcelway/kernel/clock';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { DecideView, ViewChange } from '../domain/decide-view.ts';
import { isFoundOtherwise, isKept, isLive, type ViewForecast, type ViewItem } from '../domain/forecast-copy.ts';
import { itemKeys, parcelKeys } from '../domain/scan-keys.ts';
import { MOVED_STATUS, movedAway, movedId } from '../domain/seen-by-warehouse.ts';
import type { FoundByKey, SeenForecast, ViewQuery, ViewStore } from '../ports.ts';

interface ViewRow {
  readonly forecast: string;
  readonly stamp: number;
}

const seenOf = ({ forecast, stamp }: ViewRow): SeenForecast => ({ forecast: JSON.parse(forecast) as ViewForecast, stamp });

/** Rises within a millisecond too, so that no two changes have one stamp. */
const MICROSECONDS = 1000;

/**
 * A page of each combination of filters. Of each status, and of each day, no more than the limit are read: each has its own
 * stretch of the index, in the order of changes.
 */
const LISTS = {
  status: `SELECT forecast, stamp FROM json_each(?2) AS wanted CROSS JOIN view_forecasts ON view_forecasts.rowid IN (
    SELECT rowid FROM view_forecasts INDEXED BY view_by_status
    WHERE warehouse_code = ?1 AND status = wanted.value AND stamp > ?3 AND stamp < ?4 ORDER BY stamp DESC LIMIT ?5)
  ORDER BY stamp DESC LIMIT ?5`,
  tenant: `SELECT forecast, stamp FROM json_each(?2) AS wanted CROSS JOIN view_forecasts ON view_forecasts.rowid IN (
    SELECT rowid FROM view_forecasts INDEXED BY view_by_tenant
    WHERE warehouse_code = ?1 AND tenant_id = ?6 AND status = wanted.value AND stamp > ?3 AND stamp < ?4 ORDER BY stamp DESC LIMIT ?5)
  ORDER BY stamp DESC LIMIT ?5`,
  due: `SELECT forecast, stamp FROM json_each(?2) AS wanted CROSS JOIN json_each(?6) AS day CROSS JOIN view_forecasts ON view_forecasts.rowid IN (
    SELECT rowid FROM view_forecasts INDEXED BY view_by_due
    WHERE warehouse_code = ?1 AND due_date = day.value AND status = wanted.value AND stamp > ?3 AND stamp < ?4 ORDER BY stamp DESC LIMIT ?5)
  ORDER BY stamp DESC LIMIT ?5`,
  tenantDue: `SELECT forecast, stamp FROM json_each(?2) AS wanted CROSS JOIN json_each(?6) AS day CROSS JOIN view_forecasts ON view_forecasts.rowid IN (
    SELECT rowid FROM view_forecasts INDEXED BY view_by_tenant_due
    WHERE warehouse_code = ?1 AND tenant_id = ?7 AND due_date = day.value AND status = wanted.value AND stamp > ?3 AND stamp < ?4
    ORDER BY stamp DESC LIMIT ?5)
  ORDER BY stamp DESC LIMIT ?5`,
} as const;

/** The warehouse's view in SQLite. Writers come one after the other, so the sequence is the order in which changes can be read. */
export class SqliteView implements ViewStore {
  readonly #db: SqliteDatabase;
  readonly #clock: Clock;

  /** @param db migrated with the service's migrations */
  constructor(db: SqliteDatabase, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  async change(forecastNos: readonly string[], decide: DecideView): Promise<void> {
    const work = (): void => {
      const known = new Map<string, ViewForecast>();
      const closedAt = new Map<string, number | null>();
      for (const forecastNo of forecastNos) {
        const row = this.#db.get<{ forecast: string; closed_at: number | null }>(
          'SELECT forecast, closed_at FROM view_forecasts WHERE forecast_no = ?',
          forecastNo,
        );
        if (row === undefined) continue;
        known.set(forecastNo, JSON.parse(row.forecast) as ViewForecast);
        closedAt.set(forecastNo, row.closed_at);
      }
      for (const change of decide(known)) this.#apply(change, known.get(change.forecast.forecastNo), closedAt);
    };
    await this.#db.transaction(work, { flushLater: true });
  }

  async get(warehouseCode: string, forecastNos: readonly string[]): Promise<readonly SeenForecast[]> {
    return forecastNos.flatMap((forecastNo) => this.#seen(warehouseCode, forecastNo) ?? []);
  }

  async read(warehouseCode: string, forecastNo: string): Promise<(SeenForecast & { readonly items: readonly ViewItem[] }) | undefined> {
    const seen = this.#seen(warehouseCode, forecastNo);
    return seen && { ...seen, items: this.#items(forecastNo) };
  }

  async list(warehouseCode: string, query: ViewQuery): Promise<readonly SeenForecast[]> {
    const { statuses, moved, tenantId, dueDays, above, behind, limit } = query;
    const below = behind?.stamp ?? Number.MAX_SAFE_INTEGER;
    const common = [warehouseCode, JSON.stringify(moved ? [MOVED_STATUS, ...statuses] : statuses), above, below, limit];
    const tenant = tenantId === undefined ? [] : [tenantId];
    const rows =
      dueDays === undefined
        ? this.#db.all<ViewRow>(tenantId === undefined ? LISTS.status : LISTS.tenant, ...common, ...tenant)
        : this.#db.all<ViewRow>(tenantId === undefined ? LISTS.due : LISTS.tenantDue, ...common, JSON.stringify(dueDays), ...tenant);
    return rows.map(seenOf);
  }

  async settled(): Promise<number> {
    return this.#db.get<{ last: number }>('SELECT last FROM view_stamp WHERE id = 1')?.last ?? 0;
  }

  async find(warehouseCode: string, keys: readonly string[], limit: number): Promise<FoundByKey> {
    const having = (key: string): readonly SeenForecast[] =>
      this.#db
        .all<ViewRow>(
          `SELECT f.forecast, f.stamp FROM view_keys k CROSS JOIN view_forecasts f ON f.forecast_no = k.forecast_no
           WHERE k.warehouse_code = ? AND k.key = ? ORDER BY k.gone, k.forecast_no LIMIT ?`,
          warehouseCode,
          key,
          limit,
        )
        .map(seenOf);
    return new Map(keys.map((key) => [key, having(key)]));
  }

  purge(before: number, limit: number): Promise<number> {
    return this.#db.transaction(() => {
      const { changes } = this.#db.run(
        `DELETE FROM view_forecasts WHERE forecast_no IN (
          SELECT forecast_no FROM view_forecasts INDEXED BY view_closed WHERE closed_at < ? ORDER BY closed_at LIMIT ?)`,
        before,
        limit,
      );
      return changes;
    });
  }

  #apply({ forecast: after, items }: ViewChange, before: ViewForecast | undefined, closedAt: ReadonlyMap<string, number | null>): void {
    const { forecastNo } = after;
    const away = movedAway(before, after);
    const isRefound = items !== undefined || isFoundOtherwise(before, after);
    this.#write(forecastNo, after, isKept(after) ? null : (closedAt.get(forecastNo) ?? this.#clock.now()));
    if (away !== undefined) this.#noteMove(away, after);
    if (items !== undefined) {
      this.#db.run('INSERT OR REPLACE INTO view_items (forecast_no, items) VALUES (?, ?)', forecastNo, JSON.stringify(items));
    }
    if (isRefound) this.#index(after, items);
  }

  #seen(warehouseCode: string, forecastNo: string): SeenForecast | undefined {
    const row = this.#db.get<ViewRow>(
      'SELECT forecast, stamp FROM view_forecasts WHERE forecast_no = ? AND warehouse_code = ? AND status <> ?',
      forecastNo,
      warehouseCode,
      MOVED_STATUS,
    );
    return row && seenOf(row);
  }

  /** Leaves word at the former warehouse. The one where the forecast is now has no such word of it, or no longer. */
  #noteMove(away: ViewForecast, after: ViewForecast): void {
    this.#write(movedId(away.forecastNo, String(away.warehouseCode)), away, this.#clock.now());
    this.#db.run('DELETE FROM view_forecasts WHERE forecast_no = ?', movedId(after.forecastNo, String(after.warehouseCode)));
  }

  #write(id: string, forecast: ViewForecast, closedAt: number | null): void {
    const { warehouseCode, tenantId, status, isMoved, content } = forecast;
    this.#db.run(
      `INSERT INTO view_forecasts (forecast_no, warehouse_code, tenant_id, status, due_date, stamp, closed_at, forecast)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (forecast_no) DO UPDATE SET warehouse_code = excluded.warehouse_code, status = excluded.status,
         due_date = excluded.due_date, stamp = excluded.stamp, closed_at = excluded.closed_at, forecast = excluded.forecast`,
      id,
      warehouseCode,
      tenantId,
      isMoved ? MOVED_STATUS : status,
      content?.dueDate ?? null,
      this.#nextStamp(),
      closedAt,
      JSON.stringify(forecast),
    );
  }

  /** Rises in any case, also when the clock was set back. */
  #nextStamp(): number {
    const row = this.#db.get<{ last: number }>(
      'UPDATE view_stamp SET last = max(last + 1, ?) WHERE id = 1 RETURNING last',
      this.#clock.now() * MICROSECONDS,
    );
    return row?.last ?? 0;
  }

  #items(forecastNo: string): readonly ViewItem[] {
    const row = this.#db.get<{ items: string }>('SELECT items FROM view_items WHERE forecast_no = ?', forecastNo);
    return row === undefined ? [] : (JSON.parse(row.items) as readonly ViewItem[]);
  }

  /** Writes again what a scan finds the forecast by. */
  #index(forecast: ViewForecast, items: readonly ViewItem[] | undefined): void {
    const { forecastNo, warehouseCode, status } = forecast;
    this.#db.run('DELETE FROM view_keys WHERE forecast_no = ?', forecastNo);
    if (warehouseCode === null) return;
    const live = isLive(status);
    const keys = live ? [...parcelKeys(forecast), ...itemKeys(items ?? this.#items(forecastNo))] : parcelKeys(forecast);
    this.#db.run(
      `INSERT INTO view_keys (warehouse_code, key, gone, forecast_no) SELECT ?, value, ?, ? FROM json_each(?)`,
      warehouseCode,
      live ? 0 : 1,
      forecastNo,
      JSON.stringify(keys),
    );
  }
}
