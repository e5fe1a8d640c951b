import { useEffect } from 'preact/hooks';
import { latestDeliveries } from '../../api/webhooks.ts';
import { useLoad } from '../../data/use-load.ts';
import { useWords } from '../../messages/language.ts';
import { Badge, deliveryTone } from '../../parts/badge.tsx';
import { ShareBar } from '../../parts/share-bar.tsx';
import { useClient } from '../../session/session.tsx';
import { sharesOf, successRate } from './delivery-shares.ts';

/** What the chart needs. */
export interface DeliveryChartProps {
  readonly endpointId: string;
  /** Changes when a delivery may have changed: the chart looks again. */
  readonly turn: number;
}

/** What became of the latest deliveries of an endpoint; nothing while there are none, or while they cannot be loaded: the list below says why. */
export function DeliveryChart({ endpointId, turn }: DeliveryChartProps) {
  const { t, locale } = useWords();
  const client = useClient();
  const { data, reload } = useLoad(endpointId, (signal) => latestDeliveries(client, endpointId, signal));
  useEffect(() => {
    if (turn > 0) reload();
  }, [turn]);
  const shares = sharesOf(data ?? []);
  const total = shares.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  const rate = successRate(shares);
  return (
    <section class="card" aria-labelledby="outcomes">
      <h2 id="outcomes">{t.deliveries.latest(total)}</h2>
      <ShareBar parts={shares.map(({ status, count }) => ({ id: status, tone: deliveryTone(status), count }))} />
      <ul class="share-legend" aria-label={t.deliveries.latest(total)}>
        {shares.map(({ status, count }) => (
          <li key={status}>
            <Badge tone={deliveryTone(status)}>{t.deliveries.statuses[status] ?? status}</Badge> {count}
          </li>
        ))}
        {rate !== undefined && (
          <li>{t.deliveries.rate(new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(rate))}</li>
        )}
      </ul>
    </section>
  );
}
