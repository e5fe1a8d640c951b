import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { useWords } from '../../messages/language.tsx';
import { Badge, forecastTone } from '../../parts/badge.tsx';
import { FullTime } from '../../parts/time.tsx';

/** What moved the forecast from status to status, newest first. */
export function HistorySection({ forecast }: { readonly forecast: ForecastDetail }) {
  const { t } = useWords();
  return (
    <section class="card" aria-labelledby="history">
      <h2 id="history">{t.parcel.history}</h2>
      <ol class="timeline">
        {forecast.history.toReversed().map(({ status, status_name, time, reason }) => (
          <li key={time + status}>
            <Badge tone={forecastTone(status)}>{t.parcels.statuses[status] ?? status_name}</Badge>
            <p>{t.parcel.reasons[reason] ?? reason}</p>
            <p class="faint">
              <FullTime at={time} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
