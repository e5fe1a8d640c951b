import type { WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { Table } from '@parcelway/page/parts/table';
import { Badge, LinkButton, LoadedBody, PageHeading } from '@parcelway/page/parts/view';
import { ENDPOINTS } from '../../api/webhooks.ts';
import { useWords } from '../../messages/language.ts';
import { Empty } from '../../parts/lists.tsx';
import { endpointTone, healthTone, Time } from '../../parts/values.tsx';
import { hrefOf } from '../../routing/route.ts';
import { useGet } from '../../session/session.tsx';

export function EndpointBadges({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { t } = useWords();
  const { status, health } = endpoint;
  return (
    <span class="links">
      <Badge tone={endpointTone(status)}>{t.endpoints.states[status] ?? status}</Badge>
      {status !== 'disabled' && health.state !== 'ok' && (
        <Badge tone={healthTone(health.state)}>{t.endpoints.healths[health.state] ?? health.state}</Badge>
      )}
    </span>
  );
}

function EndpointTable({ endpoints }: { readonly endpoints: readonly WebhookEndpoint[] }) {
  const { t } = useWords();
  return (
    <Table
      caption={t.endpoints.title}
      items={endpoints}
      idOf={(endpoint) => endpoint.endpoint_id}
      columns={[
        {
          head: t.endpoints.url,
          cell: ({ endpoint_id, url, description }) => (
            <>
              <a class="row-link url" href={hrefOf({ view: 'endpoint', endpointId: endpoint_id, status: '' })}>
                {url}
              </a>
              {description !== '' && <span class="under">{description}</span>}
            </>
          ),
        },
        {
          head: t.endpoints.state,
          kind: 'wide',
          cell: ({ status }) => <Badge tone={endpointTone(status)}>{t.endpoints.states[status] ?? status}</Badge>,
        },
        {
          head: t.endpoints.health,
          kind: 'wide',
          cell: ({ status, health: { state } }) =>
            status === 'disabled' ? '–' : <Badge tone={healthTone(state)}>{t.endpoints.healths[state] ?? state}</Badge>,
        },
        { head: t.common.status, kind: 'narrow', cell: (endpoint) => <EndpointBadges endpoint={endpoint} /> },
        {
          head: t.endpoints.events,
          kind: 'wide',
          cell: ({ event_types }) => (
            <span class="stack">
              {event_types.map((type) => (
                <code key={type}>{type}</code>
              ))}
            </span>
          ),
        },
        { head: t.common.created, kind: 'wide', cell: ({ create_time }) => <Time at={create_time} /> },
      ]}
    />
  );
}

export function EndpointsView() {
  const { t } = useWords();
  const loaded = useGet<{ endpoints: WebhookEndpoint[] }>(ENDPOINTS);
  const create = <LinkButton isPrimary href={hrefOf({ view: 'new-endpoint' })} text={t.endpoints.create} />;
  return (
    <>
      <PageHeading title={t.endpoints.title} actions={create} />
      <LoadedBody loaded={loaded} rows={3}>
        {({ endpoints }) =>
          endpoints.length > 0 ? (
            <EndpointTable endpoints={endpoints} />
          ) : (
            <Empty title={t.endpoints.empty} hint={t.endpoints.emptyHint}>
              {create}
            </Empty>
          )
        }
      </LoadedBody>
    </>
  );
}
