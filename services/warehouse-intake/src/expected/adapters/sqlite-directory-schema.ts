/** A forecast of the directory, complete. */
export interface ForecastRow {
  readonly forecast_no: string;
  readonly tenant_id: string;
  readonly environment: string;
  readonly warehouse_code: string;
  readonly forecast_type: number;
  readonly finished_at: number | null;
}

/** Columns of a {@link ForecastRow}, of the table `f`. */
export const FORECAST_COLUMNS = 'f.forecast_no, f.tenant_id, f.environment, f.warehouse_code, f.forecast_type, f.finished_at';

/** The forecasts that events are matched with; one entry of the service's migrations. */
export const directorySchema = `CREATE TABLE forecasts (
    forecast_no TEXT PRIMARY KEY,
    -- NULL from here to forecast_type when the cancellation was seen before the acceptance.
    tenant_id TEXT,
    environment TEXT,
    warehouse_code TEXT,
    forecast_type INTEGER,
    cancelled_at INTEGER,
    -- When an event ended the parcel's stay in the warehouse.
    finished_at INTEGER,
    -- The version of the forecast that the directory follows.
    version INTEGER NOT NULL DEFAULT 1
  ) STRICT;
  CREATE INDEX forecasts_closed ON forecasts (coalesce(cancelled_at, finished_at)) WHERE coalesce(cancelled_at, finished_at) IS NOT NULL;
  CREATE INDEX forecasts_of_tenant ON forecasts (tenant_id, forecast_no) WHERE tenant_id IS NOT NULL;

  -- Numbers that forecasts declare. A cancelled forecast has none.
  CREATE TABLE numbers (
    warehouse_code TEXT NOT NULL,
    scanned_no TEXT NOT NULL,
    forecast_no TEXT NOT NULL REFERENCES forecasts (forecast_no) ON DELETE CASCADE,
    -- 1 once an event under this number went to the forecast.
    claimed INTEGER NOT NULL DEFAULT 0,
    -- The resolution by which the warehouse has claimed the number for the forecast.
    assigned INTEGER,
    PRIMARY KEY (warehouse_code, scanned_no, forecast_no)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX numbers_of_forecast ON numbers (forecast_no);
  CREATE INDEX numbers_assigned ON numbers (forecast_no) WHERE assigned IS NOT NULL;
  -- The forecasts that a warehouse has claimed a number for, the latest claim first.
  CREATE INDEX numbers_claimed ON numbers (warehouse_code, scanned_no, assigned) WHERE assigned IS NOT NULL;

  -- Forecast numbers that lead nowhere at a warehouse, and the forecast that it has claimed them for.
  CREATE TABLE stand_ins (
    warehouse_code TEXT NOT NULL,
    named_no TEXT NOT NULL,
    forecast_no TEXT NOT NULL REFERENCES forecasts (forecast_no) ON DELETE CASCADE,
    PRIMARY KEY (warehouse_code, named_no)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX stand_ins_of_forecast ON stand_ins (forecast_no)`;
