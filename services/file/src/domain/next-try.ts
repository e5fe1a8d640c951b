import { backOffMs } from '@parcelway/kernel/back-off';
/** An order that cannot be carried out is kept so long; the log of events has the same retention. */
export const ORDER_RETENTION_MS = 7 * 24 * 3_600_000;

/** For a dependency that is out. */
const OUTAGE_PAUSE_MS = 3_000;
/** A release that repairs the defect finds the order within the longest; and a forecast that costs the renderer its thread does so once in it. */
const DEFECT_PAUSES = { firstMs: 1_000, maxMs: 3_600_000, factor: 8 };

/** What is known of an order that has failed. */
export interface FailedOrder {
  /** True when a dependency was out. */
  readonly isOutage: boolean;
  /** True when no further try can succeed. */
  readonly isFinal: boolean;
  /** Failures before this one that may be defects. */
  readonly defects: number;
  readonly orderedAt: number;
}

/** When an order that has failed is to be tried again; undefined when it has failed for good. */
export function nextTry(
  { isOutage, isFinal, defects, orderedAt }: FailedOrder,
  now: number,
): { dueAt: number; defects: number } | undefined {
  if (isFinal || now - orderedAt >= ORDER_RETENTION_MS) return undefined;
  if (isOutage) return { dueAt: now + OUTAGE_PAUSE_MS, defects };
  return { dueAt: now + backOffMs(DEFECT_PAUSES, defects + 1), defects: defects + 1 };
}
