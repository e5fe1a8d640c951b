import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import { useEffect } from 'preact/hooks';
import { NO_FILTER } from '../../api/forecast-filter.ts';
import { countForecasts } from '../../api/parcels.ts';
import { useLoad } from '../../data/use-load.ts';
import { numberText } from '../../format/number.ts';
import { useWords } from '../../messages/language.ts';
import { Badge, forecastTone } from '../../parts/badge.tsx';
import { ShareBar } from '../../parts/share-bar.tsx';
import { hrefOf } from '../../routing/route.ts';
import { useClient } from '../../session/session.tsx';

/**
 * How many parcels are in each status, as a bar and as links to them; nothing while there are none, or while they cannot be counted: the list below says why.
 * @param props.turn changes when the list is loaded again: the parcels are counted again
 */
export function StatusCounts({ turn }: { readonly turn: number }) {
  const { t, locale } = useWords();
  const client = useClient();
  const { data, reload } = useLoad('counts', (signal) => countForecasts(client, signal));
  useEffect(() => {
    if (turn > 0) reload();
  }, [turn]);
  const parts = (data ?? [])
    .filter(({ count }) => count > 0)
    .map(({ status_name, count, has_more }) => {
      const status = forecastStatuses[status_name];
      return { id: status, tone: forecastTone(status), count, text: `${numberText(count, locale)}${has_more ? '+' : ''}` };
    });
  if (parts.length === 0) return null;
  return (
    <section class="card" aria-labelledby="status-counts">
      <h2 id="status-counts">{t.parcels.byStatus}</h2>
      <ShareBar parts={parts} />
      <ul class="share-legend" aria-label={t.parcels.byStatus}>
        {parts.map(({ id, tone, text }) => (
          <li key={id}>
            <a href={hrefOf({ view: 'parcels', filter: { ...NO_FILTER, status: String(id) } })}>
              <Badge tone={tone}>{t.parcels.statuses[id] ?? String(id)}</Badge> {text}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
