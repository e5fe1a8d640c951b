import { useWords } from '../messages/language.ts';
import { barsOf, CHART_HEIGHT, SLOT_WIDTH, scaleTop, ZERO_HEIGHT } from './chart-scale.ts';
import { type DayAmount, dayText, highest } from './day-amounts.ts';
import { Table } from './table.tsx';

/** What a chart needs. */
export interface DayChartProps {
  /** Names the chart in the page. */
  readonly id: string;
  /** What is counted, for the reader. */
  readonly name: string;
  /** Oldest first; at least one. */
  readonly amounts: readonly DayAmount[];
  /** An amount as the reader writes it. */
  readonly textOf: (amount: number) => string;
  /** The top of the scale where the highest amount does not decide it. */
  readonly top?: number;
  /** What the bars mean, where an amount of 0 is a result that has to be seen. */
  readonly legend?: ChartLegend;
}

/** What the bars of a chart mean. */
export interface ChartLegend {
  readonly some: string;
  readonly zero: string;
  /** A day without a bar. */
  readonly none: string;
}

function Legend({ some, zero, none }: ChartLegend) {
  return (
    <ul class="share-legend bars-legend">
      <li class="bars-some">{some}</li>
      <li class="bars-zero">{zero}</li>
      <li>{none}</li>
    </ul>
  );
}

/** Amounts day by day: bars, and the same as a table. */
export function DayChart({ id, name, amounts, textOf, top: given, legend }: DayChartProps) {
  const { t, locale } = useWords();
  const dayOf = (at: DayAmount | undefined): string => (at === undefined ? '' : dayText(at.day, locale));
  const wordOf = (at: DayAmount | undefined): string => (at === undefined || at.amount === null ? '–' : textOf(at.amount));
  const most = highest(amounts) ?? (legend && amounts.find(({ amount }) => amount === 0));
  const top = given ?? scaleTop(most?.amount ?? 0);
  const bars = barsOf(
    amounts.map(({ amount }) => amount),
    top,
    legend && ZERO_HEIGHT,
  );
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      <div class="bars">
        <p class="bars-top" aria-hidden="true">
          {textOf(top)}
        </p>
        <svg
          viewBox={`0 0 ${amounts.length * SLOT_WIDTH} ${CHART_HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={most === undefined ? t.charts.ofNone(name) : t.charts.of(name, wordOf(most), dayOf(most))}
        >
          {bars.map(({ x, y, width, height }, index) => (
            <rect
              key={x}
              class={legend && amounts[index]?.amount === 0 ? 'bars-bar bars-zero' : 'bars-bar'}
              x={x}
              y={y}
              width={width}
              height={height}
            >
              <title>{`${dayOf(amounts[index])}: ${wordOf(amounts[index])}`}</title>
            </rect>
          ))}
        </svg>
        <p class="bars-days" aria-hidden="true">
          <span>{dayOf(amounts[0])}</span>
          <span>{dayOf(amounts.at(-1))}</span>
        </p>
        {legend && <Legend {...legend} />}
      </div>
      <details>
        <summary>
          {t.charts.asTable}
          <span class="visually-hidden">: {name}</span>
        </summary>
        <Table
          caption={t.charts.tableOf(name)}
          items={amounts}
          idOf={({ day }) => day}
          columns={[
            { head: t.charts.day, cell: ({ day }) => <time dateTime={day}>{dayText(day, locale)}</time> },
            { head: t.charts.amount, kind: 'number', cell: (each) => wordOf(each) },
          ]}
        />
      </details>
    </section>
  );
}
