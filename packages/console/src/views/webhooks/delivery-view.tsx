import type { DeliveryAttempt, DeliveryDetail } from '@parcelway/contracts/webhook-delivery-api';
import type { WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { pathOf } from '@parcelway/page/api/client';
import { useAction, useLoad } from '@parcelway/page/data/use-load';
import { fill } from '@parcelway/page/languages';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { Badge, Button, Card, Facts, FailureNotice, LoadedBody, PageHeading } from '@parcelway/page/parts/view';
import { DELIVERY, ENDPOINT, listAttempts } from '../../api/webhooks.ts';
import { useNow, usePoll } from '../../data/hooks.ts';
import { absoluteTime, duration, relativeTime } from '../../format.ts';
import { useWords } from '../../messages/language.ts';
import type { Messages } from '../../messages/words.ts';
import { Empty } from '../../parts/lists.tsx';
import { CodeBlock, CopyableId, deliveryTone, FullTime, responseTone, Time } from '../../parts/values.tsx';
import { hrefOf } from '../../routing/route.ts';
import { useClient } from '../../session/session.tsx';
import { errorText, lastFault } from './endpoint-values.ts';

interface AttemptsSectionProps {
  readonly attempts: readonly DeliveryAttempt[];
  /** The error of the newest attempt that the page shows already; empty for none. */
  readonly shown: string;
}

/** Every attempt with its response, newest first; the newest is open. */
function AttemptsSection({ attempts, shown }: AttemptsSectionProps) {
  const { t } = useWords();
  return (
    <Card title={t.delivery.attempts} count={attempts.length}>
      {attempts.length === 0 && <Empty title={t.delivery.noAttempts} hint={t.delivery.noAttemptsHint} />}
      {attempts.toReversed().map((attempt, index) => {
        const { status_code: code, response_body: body, start_time } = attempt;
        const error = errorText(attempt, t.delivery);
        return (
          <details key={attempt.attempt_id} class="attempt" open={index === 0}>
            <summary>
              <span>{fill(t.delivery.attempt, attempt.attempt_number)}</span>
              <Badge tone={responseTone(attempt.outcome === 'succeeded' ? 200 : null)}>{String(code ?? t.deliveries.noResponse)}</Badge>
              <span class="attempt-time faint">
                <Time at={start_time} />
              </span>
            </summary>
            <Facts
              rows={[
                [t.delivery.error, index === 0 && error === shown ? null : error],
                ['Retry-After', attempt.retry_after],
                [t.common.started, <FullTime key="started" at={start_time} />],
                [t.delivery.took, duration(attempt.duration_ms)],
                [t.endpoints.url, <code key="url">{attempt.url}</code>],
              ]}
            />
            {/* Nothing when no response came, which the error says already. */}
            {!body && code !== null && <p class="faint">{t.delivery.noBody}</p>}
            {body && <CodeBlock text={body} label={t.delivery.response} />}
            {body && body.length >= 1024 && <p class="hint">{t.delivery.cut}</p>}
          </details>
        );
      })}
    </Card>
  );
}

function reasonOf(
  { status, test, next_attempt_reason }: DeliveryDetail,
  last: DeliveryAttempt | undefined,
  words: Messages['delivery'],
): string {
  if (status === 'failed' && test) return words.ends.testFailed;
  if (status !== 'pending') return words.ends[status];
  const asked = next_attempt_reason === 'retry_after' && last?.retry_after ? fill(words.retryAfter, last.retry_after) : '';
  return (words.reasons[next_attempt_reason ?? 'first'] ?? '') + asked;
}

/** Shows what brings a merchant here: what went wrong, and what happens next. */
function NextStep({ delivery, attempts }: { readonly delivery: DeliveryDetail; readonly attempts: readonly DeliveryAttempt[] }) {
  const { t, locale } = useWords();
  const now = useNow();
  const last = attempts.at(-1);
  const { status, next_attempt_time: next } = delivery;
  const tone = status === 'succeeded' ? 'good' : status === 'failed' ? 'bad' : 'wait';
  const at = next === null ? 0 : Date.parse(next);
  const fault = lastFault(status, last, t.delivery);
  return (
    <section class={`notice notice-${tone} next-step`} aria-label={t.delivery.what}>
      {status === 'pending' && next !== null && (
        <p class="next-time">
          <time dateTime={next} title={next}>
            {at <= now ? t.delivery.due : fill(t.delivery.nextAt, relativeTime(at, now, locale))}
          </time>{' '}
          <span class="faint">{absoluteTime(at, locale)}</span>
        </p>
      )}
      {fault !== '' && <p>{fault}</p>}
      <p>{reasonOf(delivery, last, t.delivery)}</p>
    </section>
  );
}

interface RequestSectionProps {
  readonly delivery: DeliveryDetail;
  readonly endpoint: WebhookEndpoint;
  readonly attempts: readonly DeliveryAttempt[];
}

/** What is sent: the same at every attempt, but for the headers that sign it. */
function RequestSection({ delivery, endpoint, attempts }: RequestSectionProps) {
  const { t } = useWords();
  const changing = <em class="faint">{t.delivery.perAttempt}</em>;
  const headers = [
    ['content-type', 'application/json'],
    ['webhook-id', delivery.event_id],
    ['webhook-timestamp', changing],
    ['webhook-signature', changing],
    ...Object.entries(endpoint.headers),
  ] as const;
  return (
    <Card title={t.delivery.request}>
      <p class="request-line">
        <code>
          <b>POST</b> {attempts.at(-1)?.url ?? endpoint.url}
        </code>
      </p>
      <h3>{t.delivery.headers}</h3>
      <dl class="headers">
        {headers.map(([name, value]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{typeof value === 'string' ? <code>{value}</code> : value}</dd>
          </div>
        ))}
      </dl>
      <CodeBlock text={delivery.body} label={t.delivery.body} />
    </Card>
  );
}

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
        [t.fields.po_number, parcel || po_number],
        [t.delivery.eventId, <CopyableId key="event" id={event_id} what={t.delivery.eventId} />],
        [t.delivery.deliveryId, <CopyableId key="delivery" id={delivery_id} what={t.delivery.deliveryId} />],
        [t.common.created, <Time key="created" at={create_time} />],
      ]}
    />
  );
}

/** One delivery: what happens next and why, every attempt with its response, and what was sent. */
export function DeliveryView({ endpointId, deliveryId }: { readonly endpointId: string; readonly deliveryId: string }) {
  const { t } = useWords();
  const client = useClient();
  const announce = useAnnounce();
  const action = useAction();
  const loaded = useLoad<Whole>(`${endpointId} ${deliveryId}`, async (signal) => {
    const [endpoint, delivery, attempts] = await Promise.all([
      client.call<WebhookEndpoint>(pathOf(ENDPOINT, endpointId), { signal }),
      client.call<DeliveryDetail>(pathOf(DELIVERY, endpointId, deliveryId), { signal }),
      listAttempts(client, endpointId, deliveryId, signal),
    ]);
    return { endpoint, delivery, attempts };
  });
  const { data, reload } = loaded;
  usePoll(reload, data?.delivery.status === 'pending');
  const sendAgain = async (): Promise<void> => {
    await client.call(pathOf(`${DELIVERY}/resend`, endpointId, deliveryId), { method: 'POST' });
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
            <Button
              class={status === 'succeeded' || !canSend ? '' : 'primary'}
              title={canSend ? undefined : t.delivery.enableFirst}
              aria-disabled={action.busy || !canSend}
              onClick={() => canSend && action.run(sendAgain)}
              text={action.busy ? t.common.working : t.delivery.resend}
            />
          )
        }
      />
      <FailureNotice failure={action.failure} />
      <LoadedBody loaded={loaded}>
        {(data) => (
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
      </LoadedBody>
    </>
  );
}
