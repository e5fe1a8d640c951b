import type { SqlValue } from '@parcelway/sqlite/database';
import type { Dispatch, Measurement } from '../domain/forecast.ts';
import type { ListPosition } from '../domain/list-cursor.ts';
import type { Walk } from '../domain/list-plan.ts';
import { behindPrefix } from '../domain/list-plan.ts';
import type { ListQuery, ReportedForecast, WalkedForecast } from '../ports.ts';
import { LISTED_COLUMNS, type ListedRow, toListed } from './sqlite-forecast-rows.ts';

export interface WalkedRow extends ListedRow {
  /** `has_0`: 1 when the forecast has the first of the terms that were asked for. */
  readonly [has: `has_${number}`]: number;
}

/** A row of a list with more of each forecast. */
export interface ReportedRow extends WalkedRow {
  /** JSON; null when there is none. */
  readonly measurement: string | null;
  readonly dispatch: string | null;
}

const REPORTED_COLUMNS = "progress -> '$.measurements[0]' AS measurement, progress -> '$.dispatch' AS dispatch";

/** Whether a forecast has a term: one look-up. */
const hasTerm = (place: number): string => `EXISTS (SELECT 1 FROM forecast_terms AS has WHERE has.tenant_id = forecasts.tenant_id
  AND has.term = ? AND has.created_at = forecasts.created_at AND has.forecast_id = forecasts.forecast_id) AS has_${place}`;

/** The columns of each place, and where they are: a list by a term reads them from the index of the terms. */
interface Source {
  readonly from: string;
  readonly tenant: string;
  readonly at: string;
  readonly id: string;
}

/**
 * The index is named because the planner, which knows no numbers, would rather walk all forecasts of the tenant in the order of the list. CROSS JOIN
 * fixes the order: one look-up per term.
 */
const byIndex = (index: string, at = 'created_at'): Source => ({
  from: `forecasts INDEXED BY ${index}`,
  tenant: 'tenant_id',
  at,
  id: 'forecast_id',
});

const sources: Readonly<Record<Walk['by'], Source>> = {
  all: byIndex('forecasts_newest'),
  status: byIndex('forecasts_status'),
  po_number: byIndex('forecasts_po_number'),
  po_prefix: byIndex('forecasts_po_number'),
  forecast_no: byIndex('forecasts_forecast_no'),
  change: byIndex('forecasts_changed', 'updated_at'),
  term: {
    from: 'forecast_terms AS found CROSS JOIN forecasts ON forecasts.forecast_id = found.forecast_id',
    tenant: 'found.tenant_id',
    at: 'found.created_at',
    id: 'found.forecast_id',
  },
};

/** Conditions of a statement, and the values of their places. */
class Conditions {
  readonly texts: string[] = [];
  readonly values: SqlValue[] = [];

  add(text: string, ...values: readonly SqlValue[]): void {
    this.texts.push(text);
    this.values.push(...values);
  }
}

/**
 * Where a walk begins: behind its position or below its upper bound, whichever comes later in the list. One of them, because SQLite begins at one
 * and reads from there to the other.
 */
function walkedBefore(after: ListPosition | undefined, to: number | undefined): ListPosition | undefined {
  if (to === undefined || (after !== undefined && after.at < to)) return after;
  // Ids begin at 1.
  return { at: to, forecastId: 0 };
}

/** By po_number: behind the forecasts of the po_number at the position, and behind the position among these. */
function addPrefix(conditions: Conditions, prefix: string, after: ListPosition | undefined): void {
  conditions.add('po_number >= ?', after?.poNumber ?? prefix);
  const behind = behindPrefix(prefix);
  if (behind !== undefined) conditions.add('po_number < ?', behind);
  if (after !== undefined)
    conditions.add('(po_number > ? OR (created_at, forecast_id) < (?, ?))', after.poNumber ?? '', after.at, after.forecastId);
}

/** What a walk stays within, besides the tenant and its range. */
function addWithin(conditions: Conditions, walk: Walk): void {
  switch (walk.by) {
    case 'forecast_no':
      conditions.add('forecast_no = ?', walk.forecastNo);
      break;
    case 'po_number':
      conditions.add('po_number = ?', walk.poNumber);
      break;
    case 'status':
      conditions.add('status = ?', walk.status);
      break;
    case 'term':
      conditions.add('found.term = ?', walk.term);
  }
}

function addWalk(conditions: Conditions, walk: Walk, { at, id }: Source, after: ListPosition | undefined): void {
  addWithin(conditions, walk);
  if (walk.by === 'po_prefix') addPrefix(conditions, walk.prefix, after);
  if (walk.by === 'po_prefix' || walk.by === 'forecast_no') return;
  if (walk.from !== undefined) conditions.add(`${at} >= ?`, walk.from);
  const before = walkedBefore(after, walk.to);
  if (before !== undefined) conditions.add(`(${at}, ${id}) < (?, ?)`, before.at, before.forecastId);
}

function orderText({ by }: Walk, { at, id }: Source): string {
  if (by === 'forecast_no') return '';
  const latest = `${at} DESC, ${id} DESC`;
  return ` ORDER BY ${by === 'po_prefix' ? `po_number, ${latest}` : latest}`;
}

/**
 * The statement and values of a part of a list. Each combination of walk and bounds is one text, so that its statement is prepared once.
 * @param isReport with what an export shows besides
 */
export function listStatement(
  tenantId: string,
  { walk, terms, after, limit }: ListQuery,
  isReport: boolean,
): { readonly sql: string; readonly values: readonly SqlValue[] } {
  const source = sources[walk.by];
  const conditions = new Conditions();
  conditions.add(`${source.tenant} = ?`, tenantId);
  addWalk(conditions, walk, source, after);
  const own = LISTED_COLUMNS.split(', ').map((column) => `forecasts.${column}`);
  const columns = [...own, ...(isReport ? [REPORTED_COLUMNS] : []), ...terms.map((_term, place) => hasTerm(place))].join(', ');
  const where = `${source.from} WHERE ${conditions.texts.join(' AND ')}`;
  return {
    sql: `SELECT ${columns} FROM ${where}${orderText(walk, source)} LIMIT ?`,
    values: [...terms, ...conditions.values, limit],
  };
}

/** A forecast of a list from its row. @param terms those that were asked for */
export function toWalked(row: WalkedRow, terms: readonly string[]): WalkedForecast {
  return { ...toListed(row), terms: terms.filter((_term, place) => row[`has_${place}`] === 1) };
}

/** A forecast of a list from its row, with what an export shows besides. */
export function toReported(row: ReportedRow, terms: readonly string[]): ReportedForecast {
  return {
    ...toWalked(row, terms),
    measurement: JSON.parse(row.measurement ?? 'null') as Measurement | null,
    dispatch: JSON.parse(row.dispatch ?? 'null') as Dispatch | null,
  };
}
