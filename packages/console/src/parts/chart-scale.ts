/** A chart is drawn on this height; its width grows with the bars. */
export const CHART_HEIGHT = 100;
export const SLOT_WIDTH = 10;
const BAR_WIDTH = 8;
/** Height of the smallest bar, so that something never looks like nothing. */
const LEAST_HEIGHT = 2;

interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Height of the bar for 0 where 0 is a measured result. */
export const ZERO_HEIGHT = 5;

/** @param values null for no bar @param top the value of a full bar @param zeroHeight height of the bar for 0 */
export function barsOf(values: ReadonlyArray<number | null>, top: number, zeroHeight = 0): readonly Bar[] {
  const heightOf = (value: number | null): number => {
    if (value === null) return 0;
    return value === 0 ? zeroHeight : Math.max(LEAST_HEIGHT, (value / top) * CHART_HEIGHT);
  };
  return values.map((value, index) => {
    const height = heightOf(value);
    return { x: index * SLOT_WIDTH + (SLOT_WIDTH - BAR_WIDTH) / 2, y: CHART_HEIGHT - height, width: BAR_WIDTH, height };
  });
}

export interface DayAmount {
  /** UTC, such as `2026-11-21`. */
  readonly day: string;
  /** Null when there was nothing to measure. */
  readonly amount: number | null;
}

interface MeasuredDay extends DayAmount {
  readonly amount: number;
}

/** A day as the reader writes it, such as `21 Nov`. @param day UTC, such as `2026-11-21` */
export const dayText = (day: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(Date.parse(day));

/** The day with the highest amount, the first of equals; undefined when every amount is 0 or null. */
export function highest(amounts: readonly DayAmount[]): MeasuredDay | undefined {
  let most: MeasuredDay | undefined;
  for (const { day, amount } of amounts) if (amount !== null && amount > (most?.amount ?? 0)) most = { day, amount };
  return most;
}
