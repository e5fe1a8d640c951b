import type { DeliveryAttempt, DeliveryDetail } from '@parcelway/contracts/webhook-delivery-api';
import type { WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { getDelivery, getEndpoint, listAttempts, resend } from '../../api/webhooks.ts';
import { useAction } from '../../data/use-action.ts';
import { useLoad } from '../../data/use-load.ts';
import { usePoll } from '../../data/use-poll.ts';
import { useWords } from '../../messages/language.ts';
import { Badge, deliveryTone } from '../../parts/badge.tsx';
import { CopyableId } from '../../parts/copy-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf } from '../../routing/route.ts';
import { useClient } from '../../session/session.tsx';
import { lastFault } from './attempt-error.ts';
import { AttemptsSection } from './attempts-section.tsx';
import { NextStep } from './next-step.tsx';
import { RequestSection } from './request-section.tsx';

/** What the view needs. */
export interface DeliveryViewProps {
  readonly endpointId: string;
  readonly deliveryId: string;
}

/** A delivery with all that belongs to it. */
interface Whole {
  readonly endpoint: WebhookEndpoint;
  readonly delivery: DeliveryDetail;
  readonly attempts: readonly DeliveryAttempt[];
}

function Summary({ delivery }: { readonly delivery: DeliveryDetail }) {
  const { t } = useWords();
  const { delivery_id, event_id, po_number, test, create_time } = delivery;
  const parcel = po_number !== null && !test && <a href={hrefOf({ view: 'parcel', poNumber: po_number })}>{po_number}</a>;
  return (
    <Facts
      broad
      rows={[
        [t.deliveries.poNumber, parcel || po_number],
        [t.delivery.eventId, <CopyableId key="event" id={event_id} what={t.delivery.eventId} />],
        [t.delivery.deliveryId, <CopyableId key="delivery" id={delivery_id} what={t.delivery.deliveryId} />],
        [t.deliveries.created, <Time key="created" at={create_time} />],
      ]}
    />
  );
}

/** One delivery: what happens next and why, every attempt with its response, and what was sent. */
export function DeliveryView({ endpointId, deliveryId }: DeliveryViewProps) {
  const { t } = useWords();
  const client = useClient();
  const announce = useAnnounce();
  const action = useAction();
  const { data, failure, reload } = useLoad<Whole>(`${endpointId} ${deliveryId}`, async (signal) => {
    const [endpoint, delivery, attempts] = await Promise.all([
      getEndpoint(client, endpointId, signal),
      getDelivery(client, endpointId, deliveryId, signal),
      listAttempts(client, endpointId, deliveryId, signal),
    ]);
    return { endpoint, delivery, attempts };
  });
  usePoll(reload, data?.delivery.status === 'pending');
  const sendAgain = async (): Promise<void> => {
    await resend(client, endpointId, deliveryId);
    announce(t.delivery.resent);
    reload();
  };
  const status = data?.delivery.status;
  const canSend = data?.endpoint.status === 'enabled';
  return (
    <>
      <PageHeading
        title={data?.delivery.event_type ?? deliveryId}
        crumbs={[
          { href: hrefOf({ view: 'endpoints' }), text: t.endpoints.title },
          { href: hrefOf({ view: 'endpoint', endpointId, status: '' }), text: data?.endpoint.url ?? endpointId },
        ]}
        beside={
          data && (
            <span class="links" role="status">
              <Badge tone={deliveryTone(data.delivery.status)}>{t.deliveries.statuses[data.delivery.status] ?? data.delivery.status}</Badge>
              {data.delivery.test && <span class="tag">{t.deliveries.test}</span>}
            </span>
          )
        }
        actions={
          data && (
            <button
              type="button"
              class={status === 'succeeded' || !canSend ? '' : 'primary'}
              title={canSend ? undefined : t.delivery.enableFirst}
              aria-disabled={action.busy || !canSend}
              onClick={() => canSend && action.run(sendAgain)}
            >
              {action.busy ? t.common.working : t.delivery.resend}
            </button>
          )
        }
      />
      <FailureNotice failure={action.failure} />
      <FailureNotice failure={failure} onRetry={reload} />
      {data === undefined ? (
        failure === undefined && <Skeleton rows={8} />
      ) : (
        <>
          <NextStep delivery={data.delivery} attempts={data.attempts} />
          <section class="card" aria-label={t.parcel.overview}>
            <Summary delivery={data.delivery} />
          </section>
          <div class="columns columns-even">
            <AttemptsSection attempts={data.attempts} shown={lastFault(data.delivery.status, data.attempts.at(-1), t.delivery)} />
            <RequestSection delivery={data.delivery} endpoint={data.endpoint} attempts={data.attempts} />
          </div>
        </>
      )}
    </>
  );
}
