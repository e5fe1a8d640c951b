import type { Delivery } from '@parcelway/contracts/webhook-delivery-api';
import type { WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import type { EndpointFigures } from '@parcelway/contracts/webhook-figures-api';
import { pathOf } from '@parcelway/page/api/client';
import { fill, nameIn } from '@parcelway/page/languages';
import { Badge, Card, Facts, FailureNotice, LoadedBody, PageHeading } from '@parcelway/page/parts/view';
import { useState } from 'preact/hooks';
import { ENDPOINT, lastFailure } from '../../api/webhooks.ts';
import { useNow } from '../../data/hooks.ts';
import { numberText } from '../../format.ts';
import { useWords } from '../../messages/language.ts';
import { DayChart, ShareBar } from '../../parts/charts.tsx';
import { CopyableId, deliveryTone, FullTime, Time } from '../../parts/values.tsx';
import { hrefOf } from '../../routing/route.ts';
import { useGet, useRead } from '../../session/session.tsx';
import { DeliveriesSection } from './deliveries-section.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { lastFault, ratesOf, sharesOf, stateSentences, successRate } from './endpoint-values.ts';
import { EndpointBadges } from './endpoints-view.tsx';

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
function EndpointSettings({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
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
    <Card title={t.endpoint.settings} beside={<a href={hrefOf({ view: 'edit-endpoint', endpointId: endpoint_id })}>{t.endpoint.edit}</a>}>
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
          [t.endpoint.rateLimit, rate_limit === null ? t.endpoint.noLimit : fill(t.endpoint.perSecond, rate_limit)],
          [t.endpoint.bothSecretsUntil, both && <FullTime key="both" at={both} />],
          [t.common.created, <Time key="created" at={create_time} />],
        ]}
      />
    </Card>
  );
}

/** Why the latest attempt failed, with the delivery that it belongs to; nothing when that is not known. */
function LastFault({ endpointId, turn }: { readonly endpointId: string; readonly turn: number }) {
  const { t } = useWords();
  const { data } = useRead(endpointId, (client, signal) => lastFailure(client, endpointId, signal), turn);
  const fault = data === undefined ? '' : lastFault(data.delivery.status, data.attempt, t.delivery);
  if (data === undefined || fault === '') return null;
  return (
    <p>
      {t.endpoint.lastFault} {fault}{' '}
      <a href={hrefOf({ view: 'delivery', endpointId, deliveryId: data.delivery.delivery_id })}>{t.endpoint.seeDelivery}</a>
    </p>
  );
}

function EndpointState({ endpoint, turn }: { readonly endpoint: WebhookEndpoint; readonly turn: number }) {
  const spoken = useWords();
  const now = useNow();
  const sentences = stateSentences(endpoint, spoken, now);
  if (sentences.length === 0) return null;
  const waits = endpoint.status === 'paused' || endpoint.disabled_reason === 'tenant';
  const isOnlySlow = endpoint.status === 'enabled' && endpoint.health.state === 'ok';
  return (
    <section class={`notice ${waits || isOnlySlow ? 'notice-wait' : 'notice-bad'}`} aria-label={spoken.t.endpoints.health}>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {endpoint.health.state !== 'ok' && <LastFault endpointId={endpoint.endpoint_id} turn={turn} />}
    </section>
  );
}

function EndpointCharts({ endpointId, turn }: { readonly endpointId: string; readonly turn: number }) {
  const { t, locale } = useWords();
  const { data, failure, reload } = useGet<EndpointFigures>(pathOf(`${ENDPOINT}/figures`, endpointId), {}, turn);
  if (data === undefined || data.total.attempts === 0) return <FailureNotice failure={failure} onRetry={reload} />;
  const { success, attempts, duration } = ratesOf(data);
  const words = t.deliveries.charts;
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const milliseconds = new Intl.NumberFormat(locale, { style: 'unit', unit: 'millisecond' });
  return (
    <>
      <FailureNotice failure={failure} onRetry={reload} />
      <div class="charts in-a-row">
        <DayChart name={words.success} amounts={success} textOf={(rate) => percent.format(rate)} top={1} legend={words.legend} />
        <DayChart name={words.duration} amounts={duration} textOf={(each) => milliseconds.format(each)} />
        <DayChart name={words.attempts} amounts={attempts} textOf={(each) => numberText(each, locale)} />
      </div>
    </>
  );
}

/** Deliveries that the chart sums up: the largest page. */
const LATEST = 100;

/** What became of the latest deliveries of an endpoint; nothing while there are none, or while they cannot be loaded: the list below says why. */
function DeliveryChart({ endpointId, turn }: { readonly endpointId: string; readonly turn: number }) {
  const { t, locale } = useWords();
  const { data } = useGet<{ deliveries: Delivery[] }>(pathOf(`${ENDPOINT}/deliveries`, endpointId), { limit: LATEST }, turn);
  const shares = sharesOf(data?.deliveries ?? []);
  const total = shares.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  const rate = successRate(shares);
  const title = total === 1 ? t.deliveries.latestOne : fill(t.deliveries.latest, total);
  return (
    <Card title={title}>
      <ShareBar parts={shares.map(({ status, count }) => ({ id: status, tone: deliveryTone(status), count }))} />
      <ul class="share-legend" aria-label={title}>
        {shares.map(({ status, count }) => (
          <li key={status}>
            <Badge tone={deliveryTone(status)}>{nameIn(t.deliveries.statuses, status)}</Badge> {count}
          </li>
        ))}
        {rate !== undefined && (
          <li>{fill(t.deliveries.rate, new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(rate))}</li>
        )}
      </ul>
    </Card>
  );
}

/** One endpoint: its health, its settings, its deliveries, and what can be done with it. */
export function EndpointView({ endpointId, status }: { readonly endpointId: string; readonly status: string }) {
  const { t } = useWords();
  const loaded = useGet<WebhookEndpoint>(pathOf(ENDPOINT, endpointId));
  const { data: endpoint, reload, replace } = loaded;
  // Counts what the merchant has sent from here, so that the list looks again at once.
  const [sent, setSent] = useState(0);
  const [looks, setLooks] = useState(0);
  const look = (): void => {
    reload();
    setLooks((count) => count + 1);
  };
  return (
    <>
      <PageHeading
        title={endpoint?.url ?? endpointId}
        crumbs={[{ href: hrefOf({ view: 'endpoints' }), text: t.endpoints.title }]}
        beside={endpoint && <EndpointBadges endpoint={endpoint} />}
        actions={endpoint && <EndpointActions endpoint={endpoint} onChange={replace} onSent={() => setSent((count) => count + 1)} />}
      />
      <LoadedBody loaded={loaded}>
        {(endpoint) => (
          <>
            <EndpointState endpoint={endpoint} turn={looks + sent} />
            <EndpointSettings endpoint={endpoint} />
            <DeliveryChart endpointId={endpointId} turn={looks + sent} />
            <EndpointCharts endpointId={endpointId} turn={looks + sent} />
            <DeliveriesSection endpointId={endpointId} status={status} sent={sent} onLook={look} />
          </>
        )}
      </LoadedBody>
    </>
  );
}
