import type { CarrierConnection } from '@parcelway/contracts/carrier-connection-api';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import type { TenantDetail } from '@parcelway/contracts/tenant-figures-api';
import type { WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { Badge, Card, Facts, LoadedBody, PageHeading, Refresh } from '@parcelway/page/parts/view';
import { useWords } from '../messages/language.ts';
import { TableCard, Time, upTo } from '../parts.tsx';
import { useGet } from '../session.tsx';
import { TenantRequests } from './requests.tsx';
import { TenantKeys } from './tenant-keys.tsx';

const pathOf = (id: string): string => `/admin/v1/tenants/${encodeURIComponent(id)}`;

function Endpoints({ id }: { readonly id: string }) {
  const { t } = useWords();
  const loaded = useGet<{ endpoints: WebhookEndpoint[] }>(`${pathOf(id)}/webhook-endpoints`);
  return (
    <TableCard
      title={t.tenant.endpoints}
      beside={false}
      loaded={loaded}
      itemsOf={({ endpoints }) => endpoints}
      idOf={({ endpoint_id }) => endpoint_id}
      none={t.tenant.noEndpoints}
      columns={[
        { head: t.tenant.endpoint, cell: ({ url }) => url },
        {
          head: t.common.status,
          cell: ({ status }) => <Badge tone={status === 'enabled' ? 'good' : 'quiet'}>{t.tenant.endpointStates[status]}</Badge>,
        },
        {
          head: t.tenant.health,
          cell: ({ health: { state } }) => <Badge tone={state === 'ok' ? 'good' : 'bad'}>{t.tenant.healthStates[state]}</Badge>,
        },
      ]}
    />
  );
}

function Connections({ id }: { readonly id: string }) {
  const { t } = useWords();
  const loaded = useGet<{ connections: CarrierConnection[] }>(`${pathOf(id)}/carrier-connections`);
  return (
    <TableCard
      title={t.tenant.connections}
      beside={false}
      loaded={loaded}
      itemsOf={({ connections }) => connections}
      idOf={({ connection_id }) => connection_id}
      none={t.tenant.noConnections}
      columns={[
        { head: t.tenant.connection, cell: ({ connection_id }) => <code>{connection_id}</code> },
        { head: t.tenant.source, cell: ({ source }) => source },
        { head: t.tenant.carriers, kind: 'wide', cell: ({ carriers }) => carriers.join(', ') },
      ]}
    />
  );
}

/** One tenant: figures, keys, failed calls, webhook endpoints, connections. */
export function TenantView({ id }: { readonly id: string }) {
  const { t } = useWords();
  const loaded = useGet<TenantDetail>(pathOf(id));
  const tenant = loaded.data;
  return (
    <>
      <PageHeading
        title={tenant?.name ?? id}
        beside={tenant && <Badge tone={tenant.status === 'active' ? 'good' : 'quiet'}>{t.tenants[tenant.status]}</Badge>}
        actions={<Refresh loaded={loaded} />}
      />
      <LoadedBody loaded={loaded}>
        {(found) => (
          <>
            <Card title={t.tenant.figures}>
              <Facts
                rows={[
                  [t.tenants.tenant, <code key="id">{found.id}</code>],
                  [t.common.created, <Time key="created" at={found.create_time} />],
                  [t.tenant.keysAlive, upTo(found.keys.alive, found.keys.has_more)],
                  [t.tenant.lastActivity, <Time key="activity" at={found.last_activity_time} />],
                  [t.tenant.lastChange, <Time key="change" at={found.last_change_time} />],
                  ...(found.parcels ?? []).map(
                    ({ status_name, count, has_more }) =>
                      [t.statuses[forecastStatuses[status_name]] ?? status_name, upTo(count, has_more)] as const,
                  ),
                  [t.tenant.parcels, found.parcels === null ? t.common.notKnown : null],
                ]}
              />
            </Card>
            <TenantKeys tenantId={id} />
            <TenantRequests tenantId={id} />
            <Endpoints id={id} />
            <Connections id={id} />
          </>
        )}
      </LoadedBody>
    </>
  );
}
