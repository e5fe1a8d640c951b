import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { useWords } from '../../messages/language.ts';
import { Badge, forecastTone } from '../../parts/badge.tsx';
import { FullTime } from '../../parts/time.tsx';
import { hrefOf } from '../../routing/route.ts';
import { usePermissions } from '../../session/session.tsx';

/** What moved the forecast from status to status, newest first, and the holds that are over. */
export function HistorySection({ forecast }: { readonly forecast: ForecastDetail }) {
  const { t } = useWords();
  const { can } = usePermissions();
  const released = forecast.holds.filter(({ released_at }) => released_at !== null);
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
      {released.length > 0 && (
        <>
          <h3>{t.findings.earlierHolds}</h3>
          <ul class="plain">
            {released.map(({ reason, held_at, released_at }) => (
              <li key={held_at}>
                {reason ?? t.findings.noReason}
                <p class="faint">
                  <FullTime at={held_at} /> – {released_at !== null && <FullTime at={released_at} />}
                </p>
              </li>
            ))}
          </ul>
        </>
      )}
      {can('webhooks:manage') && (
        <p>
          <a href={hrefOf({ view: 'events', type: '', range: 'all', poNumber: forecast.po_number })}>{t.parcel.events}</a>
        </p>
      )}
    </section>
  );
}
