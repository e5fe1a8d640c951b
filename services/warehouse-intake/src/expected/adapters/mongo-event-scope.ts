import type { ScannedNumber } from '../domain/directory.ts';
import type { IntakeEvent } from '../domain/event.ts';

/** Which events or forecasts: those of one of the forecast numbers, and those of one of the scanned numbers. */
export interface EventScope {
  readonly forecastNos: readonly string[];
  readonly scanned: readonly ScannedNumber[];
}

/** What a match of the events depends on: the forecasts that they name, and all that declare a number that they were scanned under. */
export function scopeOf(events: readonly IntakeEvent[]): EventScope {
  const forecastNos = new Set<string>();
  const scanned: ScannedNumber[] = [];
  for (const event of events) {
    const number = event.scannedNumber;
    if (event.forecastNo !== null) forecastNos.add(event.forecastNo);
    if (number !== null) scanned.push({ warehouseCode: event.warehouseCode, number });
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
