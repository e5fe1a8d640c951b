import { type IntakeEvent, scannedNumberOf } from '../domain/event.ts';

/** A number scanned at a warehouse, normalised. */
export interface ScannedNumber {
  readonly warehouseCode: string;
  readonly number: string;
}

/** Which waiting events: those that name one of the forecasts, and those scanned under one of the numbers. */
export interface EventScope {
  readonly forecastNos: readonly string[];
  readonly scanned: readonly ScannedNumber[];
}

/** Where the events wait, or look for their forecast: each under the one number that it is matched by. */
export function scopeOf(events: readonly IntakeEvent[]): EventScope {
  const forecastNos = new Set<string>();
  const scanned: ScannedNumber[] = [];
  for (const event of events) {
    const number = scannedNumberOf(event);
    if (event.forecastNo !== null) forecastNos.add(event.forecastNo);
    else if (number !== null) scanned.push({ warehouseCode: event.warehouseCode, number });
  }
  return { forecastNos: [...forecastNos], scanned };
}

/**
 * One condition per warehouse, to be joined by `$or`.
 * @param field which holds the value, or several
 * @param pairs warehouse code and value
 */
export function byWarehouse(field: string, pairs: readonly (readonly [string, string])[]): object[] {
  const values = new Map<string, Set<string>>();
  for (const [warehouseCode, value] of pairs) {
    const known = values.get(warehouseCode);
    if (known) known.add(value);
    else values.set(warehouseCode, new Set([value]));
  }
  return [...values].map(([warehouse_code, wanted]) => ({ warehouse_code: { $eq: warehouse_code }, [field]: { $in: [...wanted] } }));
}

/** As {@link byWarehouse}, for scanned numbers. */
export function scannedUnder(field: string, scanned: readonly ScannedNumber[]): object[] {
  return byWarehouse(
    field,
    scanned.map(({ warehouseCode, number }) => [warehouseCode, number]),
  );
}
