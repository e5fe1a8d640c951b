import { useWords } from '../../messages/language.ts';
import { Table } from '../../parts/table.tsx';
import { barsOf, CHART_HEIGHT, SLOT_WIDTH, scaleTop } from './chart-scale.ts';
import { amountText, type DayAmount, dayText, highest, type Metric } from './usage-values.ts';

/** What a chart needs. */
export interface UsageChartProps {
  readonly metric: Metric;
  /** Oldest first; at least one. */
  readonly amounts: readonly DayAmount[];
}

/** One metric day by day: bars, and the same as a table. */
export function UsageChart({ metric, amounts }: UsageChartProps) {
  const { t, locale } = useWords();
  const name = t.usage.metrics[metric];
  const textOf = (amount: number): string => amountText(metric, amount, locale);
  const dayOf = (at: DayAmount | undefined): string => (at === undefined ? '' : dayText(at.day, locale));
  const most = highest(amounts);
  const top = scaleTop(most?.amount ?? 0);
  const bars = barsOf(
    amounts.map(({ amount }) => amount),
    top,
  );
  return (
    <section class="card" aria-labelledby={`usage-${metric}`}>
      <h2 id={`usage-${metric}`}>{name}</h2>
      <div class="bars">
        <p class="bars-top" aria-hidden="true">
          {textOf(top)}
        </p>
        <svg
          viewBox={`0 0 ${amounts.length * SLOT_WIDTH} ${CHART_HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={most === undefined ? t.usage.chartOfNone(name) : t.usage.chartOf(name, textOf(most.amount), dayOf(most))}
        >
          {bars.map(({ x, y, width, height }, index) => (
            <rect key={x} class="bars-bar" x={x} y={y} width={width} height={height}>
              <title>{`${dayOf(amounts[index])}: ${textOf(amounts[index]?.amount ?? 0)}`}</title>
            </rect>
          ))}
        </svg>
        <p class="bars-days" aria-hidden="true">
          <span>{dayOf(amounts[0])}</span>
          <span>{dayOf(amounts.at(-1))}</span>
        </p>
      </div>
      <details>
        <summary>
          {t.usage.asTable}
          <span class="visually-hidden">: {name}</span>
        </summary>
        <Table
          caption={t.usage.tableOf(name)}
          items={amounts}
          idOf={({ day }) => day}
          columns={[
            { head: t.usage.day, cell: ({ day }) => <time dateTime={day}>{dayText(day, locale)}</time> },
            { head: t.usage.amount, kind: 'number', cell: ({ amount }) => textOf(amount) },
          ]}
        />
      </details>
    </section>
  );
}
