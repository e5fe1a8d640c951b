import { useEffect } from 'preact/hooks';
import { getFigures } from '../../api/webhooks.ts';
import { useLoad } from '../../data/use-load.ts';
import { numberText } from '../../format/number.ts';
import { useWords } from '../../messages/language.ts';
import { DayChart } from '../../parts/day-chart.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { useClient } from '../../session/session.tsx';
import { ratesOf } from './endpoint-rates.ts';

/** What the charts need. */
export interface EndpointChartsProps {
  readonly endpointId: string;
  /** Changes when a delivery may have changed: the charts look again. */
  readonly turn: number;
}

/** How many attempts of each of the latest days succeeded, and how long they took; nothing while there were none. */
export function EndpointCharts({ endpointId, turn }: EndpointChartsProps) {
  const { t, locale } = useWords();
  const client = useClient();
  const { data, failure, reload } = useLoad(endpointId, (signal) => getFigures(client, endpointId, signal));
  useEffect(() => {
    if (turn > 0) reload();
  }, [turn]);
  if (data === undefined || data.total.attempts === 0) return <FailureNotice failure={failure} onRetry={reload} />;
  const { success, attempts, duration } = ratesOf(data);
  const words = t.deliveries.charts;
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const milliseconds = new Intl.NumberFormat(locale, { style: 'unit', unit: 'millisecond' });
  return (
    <>
      <FailureNotice failure={failure} onRetry={reload} />
      <div class="charts in-a-row">
        <DayChart
          id="chart-success"
          name={words.success}
          amounts={success}
          textOf={(rate) => percent.format(rate)}
          top={1}
          legend={words.legend}
        />
        <DayChart id="chart-duration" name={words.duration} amounts={duration} textOf={(each) => milliseconds.format(each)} />
        <DayChart id="chart-attempts" name={words.attempts} amounts={attempts} textOf={(each) => numberText(each, locale)} />
      </div>
    </>
  );
}
