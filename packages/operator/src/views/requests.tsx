import type { FailedCall } from '@parcelway/contracts/activity-api';
import { pathOf } from '@parcelway/page/api/client';
import { Card, Facts, LoadedBody, PageHeading, Refresh } from '@parcelway/page/parts/view';
import { useWords } from '../messages/language.ts';
import { LoadedTable, SearchForm, Time } from '../parts.tsx';
import { goTo, hrefOf } from '../route.ts';
import { useGet } from '../session.tsx';

const REQUESTS = '/admin/v1/tenants/{id}/requests';
const CLOSED = 499;

function Call({ call }: { readonly call: FailedCall }) {
  const { t } = useWords();
  const { request_id, time, method, path, route, status, code, message, data, key_id, duration_ms } = call;
  return (
    <Card title={`${method} ${path}`}>
      <Facts
        rows={[
          [t.requests.time, <Time key="time" at={time} />],
          [t.common.code, <code key="code">{code ?? '–'}</code>],
          [t.requests.message, message ?? '–'],
          [t.requests.status, status === CLOSED ? t.requests.closed : status],
          [t.requests.route, route === null ? t.requests.noRoute : <code key="route">{route}</code>],
          [t.tenant.key, <code key="key">{key_id}</code>],
          [t.requests.duration, `${duration_ms} ms`],
          [t.failures.request, <code key="request">{request_id}</code>],
        ]}
      />
      <h3 class="after-facts">{t.requests.data}</h3>
      {data === null ? <p class="faint">{t.requests.noData}</p> : <pre class="data">{JSON.stringify(data, null, 2)}</pre>}
    </Card>
  );
}

/** The failed call of a tenant with a request id. Clients may choose it, so there can be several calls: all of them are shown. */
export function FailedCallView({ tenantId, requestId }: { readonly tenantId: string; readonly requestId: string }) {
  const { t } = useWords();
  const loaded = useGet<{ requests: FailedCall[] }>(pathOf(REQUESTS, tenantId), { request_id: requestId });
  return (
    <>
      <PageHeading title={t.requests.one} beside={<code>{requestId}</code>} actions={<Refresh loaded={loaded} />} />
      <LoadedBody loaded={loaded}>
        {({ requests }) => (
          <>
            {requests.length === 0 && <p>{t.requests.gone}</p>}
            {requests.map((call) => (
              <Call key={`${call.time} ${call.method} ${call.path}`} call={call} />
            ))}
          </>
        )}
      </LoadedBody>
      <p>
        <a href={hrefOf({ view: 'tenant', id: tenantId })}>{t.requests.toTenant}</a>
      </p>
    </>
  );
}

const SHOWN = 20;
/** Characters of the longest request id. */
const MAX_REQUEST_ID = 64;

export function TenantRequests({ tenantId }: { readonly tenantId: string }) {
  const { t } = useWords();
  const loaded = useGet<{ requests: FailedCall[]; next_cursor: string | null }>(pathOf(REQUESTS, tenantId), { limit: SHOWN });
  const find = (requestId: string): void => {
    if (requestId !== '') goTo({ view: 'failed-call', tenantId, requestId });
  };
  return (
    <Card title={t.requests.title} beside={<Refresh loaded={loaded} />}>
      <search class="filters">
        <SearchForm label={t.failures.request} maxLength={MAX_REQUEST_ID} onFind={find} />
      </search>
      <LoadedTable
        loaded={loaded}
        itemsOf={({ requests }) => requests}
        caption={t.requests.title}
        idOf={({ request_id, time, method, path }) => `${request_id} ${time} ${method} ${path}`}
        none={t.requests.none}
        note={({ next_cursor }) => next_cursor !== null && t.requests.some}
        columns={[
          {
            head: t.requests.call,
            cell: ({ method, route, path, request_id }) => (
              <a href={hrefOf({ view: 'failed-call', tenantId, requestId: request_id })}>{`${method} ${route ?? path}`}</a>
            ),
          },
          { head: t.requests.time, cell: ({ time }) => <Time at={time} /> },
          { head: t.common.code, cell: ({ code, status }) => <code class="unbroken">{code ?? status}</code> },
          { head: t.requests.message, kind: 'wide', cell: ({ message }) => message ?? '–' },
          { head: t.failures.request, kind: 'wide', cell: ({ request_id }) => <code>{request_id}</code> },
        ]}
      />
    </Card>
  );
}
