import type { ForecastRecord } from './forecast.ts';
import { type ListFilters, nameOfFilters } from './list-filters.ts';
import { type ListOrder, orderOf } from './list-plan.ts';

/** A place in a list of forecasts: behind the forecast with these values. */
export interface ListPosition {
  /** The instant that the list is ordered by, epoch milliseconds: of the last change, or of the acceptance. */
  readonly at: number;
  readonly forecastId: number;
  /** Of a list in the order of po_numbers alone. */
  readonly poNumber?: string;
}

/** The place behind a forecast. */
export function positionOf(
  order: ListOrder,
  { createdAt, updatedAt, forecastId, poNumber }: Pick<ForecastRecord, 'createdAt' | 'updatedAt' | 'forecastId' | 'poNumber'>,
): ListPosition {
  if (order === 'changed') return { at: updatedAt, forecastId };
  return { at: createdAt, forecastId, ...(order === 'po_number' && { poNumber }) };
}

/** A position in a list with these filters as a text: of Latin-1 characters, 302 at most, the last of which is a digit. */
export function textOfPosition(filters: ListFilters, { at, forecastId, poNumber }: ListPosition): string {
  const po = poNumber === undefined ? '' : `${Buffer.from(poNumber).toString('latin1')}.`;
  return `1.${nameOfFilters(filters)}.${po}${at}.${forecastId}`;
}

/** False for a text that is no position, whatever the filters. */
export function mayBePosition(text: string): boolean {
  return /^1\.[\w-]{11}(\..*)?\.\d{1,15}\.\d{1,15}$/s.test(text);
}

/** The position in a text; undefined when {@link textOfPosition} did not make it, or made it for other filters. */
export function positionInText(filters: ListFilters, text: string): ListPosition | undefined {
  const match = /^1\.[\w-]{11}\.(?:(.*)\.)?(\d{1,15})\.(\d{1,15})$/s.exec(text);
  if (match === null) return undefined;
  const [, po, at, forecastId] = match;
  const position = {
    at: Number(at),
    forecastId: Number(forecastId),
    ...(po !== undefined && { poNumber: Buffer.from(po, 'latin1').toString() }),
  };
  const isOfOrder = (position.poNumber !== undefined) === (orderOf(filters) === 'po_number');
  return isOfOrder && textOfPosition(filters, position) === text ? position : undefined;
}
