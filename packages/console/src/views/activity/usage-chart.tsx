import { bytesText } from '../../format/number.ts';
import { useWords } from '../../messages/language.ts';
import type { DayAmount } from '../../parts/day-amounts.ts';
import { DayChart } from '../../parts/day-chart.tsx';
import { amountText, type Metric } from './usage-values.ts';

/** What a chart needs. */
export interface UsageChartProps {
  readonly metric: Metric;
  /** Oldest first; at least one. */
  readonly amounts: readonly DayAmount[];
}

/** One metric day by day. */
export function UsageChart({ metric, amounts }: UsageChartProps) {
  const { t, locale } = useWords();
  return (
    <DayChart
      id={`usage-${metric}`}
      name={t.usage.metrics[metric]}
      amounts={amounts}
      textOf={(amount) => amountText(metric, amount, locale)}
    />
  );
}

/** What was stored, day by day. @param amounts bytes, oldest first; at least one */
export function StorageChart({ amounts }: Pick<UsageChartProps, 'amounts'>) {
  const { t, locale } = useWords();
  return <DayChart id="usage-storage" name={t.usage.stored} amounts={amounts} textOf={(amount) => bytesText(amount, locale)} />;
}
