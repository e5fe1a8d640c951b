import type { WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { useWords } from '../../messages/language.ts';
import { CopyableId } from '../../parts/copy-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FullTime, Time } from '../../parts/time.tsx';
import { hrefOf } from '../../routing/route.ts';

function Pairs({ pairs }: { readonly pairs: Readonly<Record<string, string>> }) {
  return (
    <span class="stack">
      {Object.entries(pairs).map(([name, value]) => (
        <code key={name}>
          {name}: {value}
        </code>
      ))}
    </span>
  );
}

/** How an endpoint is set up; an empty setting is left out. */
export function EndpointSettings({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { t } = useWords();
  const {
    endpoint_id,
    event_types,
    description,
    filter,
    headers,
    metadata,
    rate_limit,
    payload,
    create_time,
    former_secret_end_time: both,
  } = endpoint;
  const present = (pairs: object): boolean => Object.keys(pairs).length > 0;
  return (
    <section class="card" aria-labelledby="settings">
      <header>
        <h2 id="settings">{t.endpoint.settings}</h2>
        <a href={hrefOf({ view: 'edit-endpoint', endpointId: endpoint_id })}>{t.endpoint.edit}</a>
      </header>
      <Facts
        broad
        rows={[
          ['ID', <CopyableId key="id" id={endpoint_id} what="ID" />],
          [t.endpoint.description, description],
          [
            t.endpoints.events,
            <span key="events" class="stack">
              {event_types.map((type) => (
                <code key={type}>{type}</code>
              ))}
            </span>,
          ],
          [t.endpoint.payload, t.endpoint.payloads[payload]],
          [t.endpoint.filter, present(filter) ? <code key="filter">{JSON.stringify(filter)}</code> : t.endpoint.filterNone],
          [t.endpoint.headers, present(headers) ? <Pairs key="headers" pairs={headers} /> : null],
          [t.endpoint.metadata, present(metadata) ? <Pairs key="metadata" pairs={metadata} /> : null],
          [t.endpoint.rateLimit, rate_limit === null ? t.endpoint.noLimit : t.endpoint.perSecond(rate_limit)],
          [t.endpoint.bothSecretsUntil, both && <FullTime key="both" at={both} />],
          [t.endpoints.created, <Time key="created" at={create_time} />],
        ]}
      />
    </section>
  );
}
