import type { FailedCall } from '@parcelway/contracts/activity-api';
import { useWords } from '../messages/language.ts';
import { Card, type FactRows, Facts, Heading, LoadedBody, Refresh, Time } from '../parts.tsx';
import { hrefOf } from '../route.ts';
import { useClient } from '../session.tsx';
import { useLoad } from '../use-load.ts';

/** Status of a call of which the client closed the connection. */
const CLOSED = 499;

function Call({ call }: { readonly call: FailedCall }) {
  const { t } = useWords();
  const { request_id, time, method, path, route, status, code, message, data, key_id, duration_ms } = call;
  const rows: FactRows = [
    [t.requests.time, <Time key="time" at={time} />],
    [t.requests.code, <code key="code">{code ?? '–'}</code>],
    [t.requests.message, message ?? '–'],
    [t.requests.status, status === CLOSED ? t.requests.closed : status],
    [t.requests.route, route === null ? t.requests.noRoute : <code key="route">{route}</code>],
    [t.tenant.key, <code key="key">{key_id}</code>],
    [t.requests.duration, `${duration_ms} ms`],
    [t.requests.requestId, <code key="request">{request_id}</code>],
  ];
  return (
    <Card title={`${method} ${path}`}>
      <Facts rows={rows} />
      <h3 class="after-facts">{t.requests.data}</h3>
      {data === null ? <p class="faint">{t.requests.noData}</p> : <pre class="data">{JSON.stringify(data, null, 2)}</pre>}
    </Card>
  );
}

/** The failed call of a tenant with a request id. Clients may choose it, so there can be several calls: all of them are shown. */
export function FailedCallView({ tenantId, requestId }: { readonly tenantId: string; readonly requestId: string }) {
  const { t } = useWords();
  const client = useClient();
  const loaded = useLoad(`request ${tenantId} ${requestId}`, (signal) =>
    client.call<{ requests: FailedCall[] }>(`/admin/v1/tenants/${encodeURIComponent(tenantId)}/requests`, {
      query: { request_id: requestId },
      signal,
    }),
  );
  return (
    <>
      <Heading title={t.requests.one} beside={<code>{requestId}</code>} actions={<Refresh loaded={loaded} />} />
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
