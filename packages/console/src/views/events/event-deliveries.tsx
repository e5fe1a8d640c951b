import type { Delivery } from '@parcelway/contracts/webhook-delivery-api';
import type { WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { deliveryOfEvent, listEndpoints } from '../../api/webhooks.ts';
import { useLoad } from '../../data/use-load.ts';
import { useWords } from '../../messages/language.ts';
import { Badge, deliveryTone } from '../../parts/badge.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { hrefOf } from '../../routing/route.ts';
import { useClient } from '../../session/session.tsx';

/** An endpoint with the delivery of one event to it. */
type Arrival = readonly [endpoint: WebhookEndpoint, delivery: Delivery];

function ArrivalItem({ arrival: [{ endpoint_id, url }, { delivery_id, status }] }: { readonly arrival: Arrival }) {
  const { t } = useWords();
  return (
    <li class="links">
      <a href={hrefOf({ view: 'delivery', endpointId: endpoint_id, deliveryId: delivery_id })}>{url}</a>
      <Badge tone={deliveryTone(status)}>{t.deliveries.statuses[status] ?? status}</Badge>
    </li>
  );
}

/** What became of an event at each endpoint that it was for. */
export function EventDeliveries({ eventId }: { readonly eventId: string }) {
  const { t } = useWords();
  const client = useClient();
  const { data, failure, reload } = useLoad<readonly Arrival[]>(eventId, async (signal) => {
    const endpoints = await listEndpoints(client, signal);
    const found = await Promise.all(
      endpoints.map(async (endpoint) => [endpoint, await deliveryOfEvent(client, endpoint.endpoint_id, eventId, signal)] as const),
    );
    return found.flatMap(([endpoint, delivery]) => (delivery === undefined ? [] : [[endpoint, delivery] as const]));
  });
  if (failure !== undefined) return <FailureNotice failure={failure} onRetry={reload} />;
  if (data === undefined) return <Skeleton rows={1} />;
  if (data.length === 0) return <p class="faint">{t.events.nowhere}</p>;
  return (
    <ul class="event-deliveries" aria-label={t.events.deliveries}>
      {data.map((arrival) => (
        <ArrivalItem key={arrival[1].delivery_id} arrival={arrival} />
      ))}
    </ul>
  );
}
