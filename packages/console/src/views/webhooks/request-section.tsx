import type { DeliveryAttempt, DeliveryDetail } from '@parcelway/contracts/webhook-delivery-api';
import type { WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { useWords } from '../../messages/language.ts';
import { CodeBlock } from '../../parts/code-block.tsx';

/** What the section needs. */
export interface RequestSectionProps {
  readonly delivery: DeliveryDetail;
  readonly endpoint: WebhookEndpoint;
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
}

/** What is sent: the same at every attempt, but for the headers that sign it. */
export function RequestSection({ delivery, endpoint, attempts }: RequestSectionProps) {
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
    <section class="card" aria-labelledby="request">
      <h2 id="request">{t.delivery.request}</h2>
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
    </section>
  );
}
