/** An amount on a day. */
export interface DayAmount {
  /** UTC, such as `2026-11-21`. */
  readonly day: string;
  /** Null when there was nothing to measure. */
  readonly amount: number | null;
}

/** A day that has an amount. */
export interface MeasuredDay extends DayAmount {
  readonly amount: number;
}

/** A day as the reader writes it, such as `21 Nov`. @param day UTC, such as `2026-11-21` */
export function dayText(day: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(Date.parse(day));
}

/** The day with the highest amount, the first of equals; undefined when every amount is 0 or null. */
export function highest(amounts: readonly DayAmount[]): MeasuredDay | undefined {
  let most: MeasuredDay | undefined;
  for (const { day, amount } of amounts) if (amount !== null && amount > (most?.amount ?? 0)) most = { day, amount };
  return most;
}
