import type { Delivery } from '@parcelway/contracts/webhook-delivery-api';
import { pathOf } from '@parcelway/page/api/client';
import { ListTable } from '@parcelway/page/parts/table';
import { Badge, Button, Card, LinkButton } from '@parcelway/page/parts/view';
import { DELIVERIES, PAGE_SIZE } from '../../api/webhooks.ts';
import { useNow, usePoll } from '../../data/hooks.ts';
import { useWords } from '../../messages/language.ts';
import { Empty, Tabs } from '../../parts/lists.tsx';
import { deliveryTone, EventType, responseTone, Time } from '../../parts/values.tsx';
import { hrefOf } from '../../routing/route.ts';
import { useList } from '../../session/session.tsx';

export interface DeliveriesSectionProps {
  readonly endpointId: string;
  /** Only this status; empty for all. */
  readonly status: string;
  /** Rises when something was sent: the list looks again. */
  readonly sent: number;
  /** Called each time pending deliveries are loaded again: the health of the endpoint may have changed. */
  readonly onLook: () => void;
}

/** The status of a delivery with, for a test event, a word that says so; where there is no column for it, the next attempt below. */
function Status({ delivery }: { readonly delivery: Delivery }) {
  const { t } = useWords();
  return (
    <>
      <span class="links">
        <Badge tone={deliveryTone(delivery.status)}>{t.deliveries.statuses[delivery.status] ?? delivery.status}</Badge>
        {delivery.test && <span class="tag">{t.deliveries.test}</span>}
      </span>
      {delivery.next_attempt_time !== null && (
        <span class="under narrow">
          <span class="visually-hidden">{t.deliveries.next} </span>
          <NextTime at={delivery.next_attempt_time} />
        </span>
      )}
    </>
  );
}

function NextTime({ at }: { readonly at: string | null }) {
  const { t } = useWords();
  const now = useNow();
  if (at === null) return '–';
  return Date.parse(at) <= now ? t.delivery.due : <Time at={at} />;
}

/** Says why the list is empty. Who looks for failures is led to the deliveries that are tried again. */
function NoDeliveries({ endpointId, status }: { readonly endpointId: string; readonly status: string }) {
  const { t } = useWords();
  if (status === '') return <Empty title={t.deliveries.empty} hint={t.deliveries.emptyHint} />;
  if (status !== 'failed') return <Empty title={t.deliveries.noMatch} />;
  return (
    <Empty title={t.deliveries.noMatch} hint={t.deliveries.noFailed}>
      <LinkButton href={hrefOf({ view: 'endpoint', endpointId, status: 'pending' })} text={t.deliveries.seePending} />
    </Empty>
  );
}

/** The deliveries of an endpoint, newest first; looked at again while any is pending. */
export function DeliveriesSection({ endpointId, status, sent, onLook }: DeliveriesSectionProps) {
  const { t } = useWords();
  const pages = useList<Delivery>(pathOf(DELIVERIES, endpointId), 'deliveries', { status, limit: PAGE_SIZE }, 'delivery_id', {
    turn: sent,
  });
  const { items = [], refresh } = pages;
  const tabs: ReadonlyArray<readonly [string, string]> = [['', t.common.all], ...Object.entries(t.deliveries.statuses)];
  const look = (): void => {
    refresh();
    onLook();
  };
  usePoll(
    look,
    items.some((delivery) => delivery.status === 'pending'),
  );
  return (
    <Card
      title={t.endpoint.deliveries}
      beside={
        <>
          <Tabs
            label={t.common.status}
            links={tabs.map(([value, name]) => [hrefOf({ view: 'endpoint', endpointId, status: value }), name, status === value])}
          />
          <Button onClick={refresh} text={t.common.refresh} />
        </>
      }
    >
      <ListTable
        pages={pages}
        empty={<NoDeliveries endpointId={endpointId} status={status} />}
        caption={t.endpoint.deliveries}
        columns={[
          {
            head: t.deliveries.event,
            cell: ({ endpoint_id, delivery_id, event_type, po_number }) => (
              <a class="row-link" href={hrefOf({ view: 'delivery', endpointId: endpoint_id, deliveryId: delivery_id })}>
                <EventType type={event_type} />
                {po_number !== null && <span class="under narrow">{po_number}</span>}
              </a>
            ),
          },
          { head: t.common.status, cell: (delivery) => <Status delivery={delivery} /> },
          { head: t.fields.po_number, kind: 'wide', cell: ({ po_number }) => po_number ?? '–' },
          { head: t.deliveries.attempts, kind: 'wide', cell: ({ attempt_count }) => attempt_count },
          {
            head: t.deliveries.response,
            cell: ({ attempt_count, last_status_code: code }) =>
              attempt_count === 0 ? '–' : <code class={`response-${responseTone(code)}`}>{code ?? t.deliveries.noResponse}</code>,
          },
          { head: t.deliveries.next, kind: 'wide', cell: ({ next_attempt_time }) => <NextTime at={next_attempt_time} /> },
          { head: t.common.created, kind: 'wide', cell: ({ create_time }) => <Time at={create_time} /> },
        ]}
      />
    </Card>
  );
}
