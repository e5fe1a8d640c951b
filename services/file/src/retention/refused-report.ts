import type { PhotoLinks } from './ports.ts';

/**
 * Under which a refused report is remembered among the deleted forecasts of its tenant, in place of the number of one: both are forgotten, and erased, at the same
 * time. No forecast has such a number.
 */
export function refusedReport({ forecastNo, report: { warehouseCode, eventId } }: Pick<PhotoLinks, 'forecastNo' | 'report'>): string {
  return JSON.stringify([forecastNo, warehouseCode, eventId]);
}
