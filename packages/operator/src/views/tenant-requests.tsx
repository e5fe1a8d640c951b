import type { FailedCall } from '@parcelway/contracts/activity-api';
import { useState } from 'preact/hooks';
import { useWords } from '../messages/language.ts';
import { Card, LoadedBody, Refresh, Table, Time } from '../parts.tsx';
import { hrefOf } from '../route.ts';
import { useClient } from '../session.tsx';
import { useLoad } from '../use-load.ts';
import { goTo } from '../use-route.ts';

const SHOWN = 20;
/** Characters of the longest request id. */
const MAX_REQUEST_ID = 64;

function Lookup({ tenantId }: { readonly tenantId: string }) {
  const { t } = useWords();
  const [text, setText] = useState('');
  return (
    <search class="filters">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '') goTo({ view: 'failed-call', tenantId, requestId: text.trim() });
        }}
      >
        <input
          type="search"
          aria-label={t.requests.requestId}
          placeholder={t.requests.requestId}
          maxLength={MAX_REQUEST_ID}
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit">{t.requests.find}</button>
      </form>
    </search>
  );
}

/** The latest failed calls of a tenant, each with a link to all that is kept of it, and a lookup by request id. */
export function TenantRequests({ tenantId }: { readonly tenantId: string }) {
  const { t } = useWords();
  const client = useClient();
  const loaded = useLoad(`requests ${tenantId}`, (signal) =>
    client.call<{ requests: FailedCall[]; next_cursor: string | null }>(`/admin/v1/tenants/${encodeURIComponent(tenantId)}/requests`, {
      query: { limit: SHOWN },
      signal,
    }),
  );
  return (
    <Card title={t.requests.title} actions={<Refresh loaded={loaded} />}>
      <Lookup tenantId={tenantId} />
      <LoadedBody loaded={loaded}>
        {({ requests, next_cursor }) => (
          <>
            <Table
              caption={t.requests.title}
              items={requests}
              idOf={({ request_id, time, method, path }) => `${request_id} ${time} ${method} ${path}`}
              none={t.requests.none}
              columns={[
                {
                  head: t.requests.call,
                  cell: ({ method, route, path, request_id }) => (
                    <a href={hrefOf({ view: 'failed-call', tenantId, requestId: request_id })}>{`${method} ${route ?? path}`}</a>
                  ),
                },
                { head: t.requests.time, cell: ({ time }) => <Time at={time} /> },
                { head: t.requests.code, cell: ({ code, status }) => <code class="unbroken">{code ?? status}</code> },
                { head: t.requests.message, wide: true, cell: ({ message }) => message ?? '–' },
                { head: t.requests.requestId, wide: true, cell: ({ request_id }) => <code>{request_id}</code> },
              ]}
            />
            {next_cursor !== null && <p class="faint">{t.requests.some}</p>}
          </>
        )}
      </LoadedBody>
    </Card>
  );
}
