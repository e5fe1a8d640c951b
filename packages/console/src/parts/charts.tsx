import { fill } from '@parcelway/page/languages';
import { Table } from '@parcelway/page/parts/table';
import type { Tone } from '@parcelway/page/parts/view';
import { Card } from '@parcelway/page/parts/view';
import { useWords } from '../messages/language.ts';
import { barsOf, CHART_HEIGHT, type DayAmount, dayText, highest, SLOT_WIDTH, ZERO_HEIGHT } from './chart-scale.ts';

interface DayChartProps {
  readonly name: string;
  /** Oldest first; at least one. */
  readonly amounts: readonly DayAmount[];
  readonly textOf: (amount: number) => string;
  /** The top of the scale where the highest amount does not decide it. */
  readonly top?: number;
  /** What the bars mean, where an amount of 0 is a result that has to be seen. */
  readonly legend?: Readonly<Record<'some' | 'zero' | 'none', string>>;
}

/** Amounts day by day: bars, and the same as a table. */
export function DayChart({ name, amounts, textOf, top: given, legend }: DayChartProps) {
  const { t, locale } = useWords();
  const dayOf = (at: DayAmount | undefined): string => (at === undefined ? '' : dayText(at.day, locale));
  const wordOf = (at: DayAmount | undefined): string => (at === undefined || at.amount === null ? '–' : textOf(at.amount));
  const most = highest(amounts) ?? (legend && amounts.find(({ amount }) => amount === 0));
  const top = given ?? (most?.amount || 1);
  const bars = barsOf(
    amounts.map(({ amount }) => amount),
    top,
    legend && ZERO_HEIGHT,
  );
  return (
    <Card title={name}>
      <div class="bars">
        <p class="bars-top" aria-hidden="true">
          {textOf(top)}
        </p>
        <svg
          viewBox={`0 0 ${amounts.length * SLOT_WIDTH} ${CHART_HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={most === undefined ? fill(t.charts.ofNone, name) : fill(t.charts.of, name, wordOf(most), dayOf(most))}
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
        {legend && (
          <ul class="share-legend bars-legend">
            <li class="bars-some">{legend.some}</li>
            <li class="bars-zero">{legend.zero}</li>
            <li>{legend.none}</li>
          </ul>
        )}
      </div>
      <details>
        <summary>
          {t.charts.asTable}
          <span class="visually-hidden">: {name}</span>
        </summary>
        <Table
          caption={fill(t.charts.tableOf, name)}
          items={amounts}
          idOf={({ day }) => day}
          columns={[
            { head: t.charts.day, cell: ({ day }) => <time dateTime={day}>{dayText(day, locale)}</time> },
            { head: t.charts.amount, kind: 'number', cell: (each) => wordOf(each) },
          ]}
        />
      </details>
    </Card>
  );
}

interface SharePart {
  readonly id: string | number;
  readonly tone: Tone;
  readonly count: number;
}

const HEIGHT = 12;

export function ShareBar({ parts }: { readonly parts: readonly SharePart[] }) {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  let from = 0;
  return (
    <svg class="share" viewBox={`0 0 ${total} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {parts.map(({ id, tone, count }) => {
        const x = from;
        from += count;
        return <rect key={id} class={`share-${tone}`} x={x} width={count} height={HEIGHT} />;
      })}
    </svg>
  );
}

interface ProgressBarProps {
  readonly label: string;
  /** Whole percent; undefined while unknown. */
  readonly percent: number | undefined;
  readonly warns?: boolean;
  readonly text: string;
}

const PROGRESS_WIDTH = 100;

/** How much of something is done. Drawn, because the page's policy allows no inline style. */
export function ProgressBar({ label, percent, warns = false, text }: ProgressBarProps) {
  return (
    <div class="progress">
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={PROGRESS_WIDTH}
        {...(percent === undefined ? {} : { 'aria-valuenow': percent })}
        aria-valuetext={text}
      >
        <svg viewBox={`0 0 ${PROGRESS_WIDTH} 4`} preserveAspectRatio="none" aria-hidden="true">
          <rect class="progress-track" width={PROGRESS_WIDTH} height="4" />
          {percent !== undefined && <rect class={warns ? 'progress-warn' : 'progress-done'} width={percent} height="4" />}
        </svg>
      </div>
      <p role="status">{text}</p>
    </div>
  );
}
