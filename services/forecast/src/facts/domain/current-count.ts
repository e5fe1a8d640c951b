import type { Progress, WarehouseReport } from '../../store/domain/forecast.ts';

/** True when a count holds from now on: none made later is known. Of two at the same instant the later report holds. */
export function replacesCount(counted: Progress['counted'], { occurredAtMs }: Pick<WarehouseReport, 'occurredAtMs'>): boolean {
  return counted === undefined || counted.atMs <= occurredAtMs;
}
