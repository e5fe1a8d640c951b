import type { WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { useEffect } from 'preact/hooks';
import { lastFailure } from '../../api/webhooks.ts';
import { useLoad } from '../../data/use-load.ts';
import { useNow } from '../../data/use-now.ts';
import { useWords } from '../../messages/language.ts';
import { hrefOf } from '../../routing/route.ts';
import { useClient } from '../../session/session.tsx';
import { lastFault } from './attempt-error.ts';
import { stateSentences } from './endpoint-sentences.ts';

/** What the section needs. */
export interface EndpointStateProps {
  readonly endpoint: WebhookEndpoint;
  /** Changes when a delivery may have changed: the reason is looked for again. */
  readonly turn: number;
}

/** Why the latest attempt failed, with the delivery that it belongs to; nothing when that is not known. */
function LastFault({ endpointId, turn }: { readonly endpointId: string; readonly turn: number }) {
  const { t } = useWords();
  const client = useClient();
  const { data, reload } = useLoad(endpointId, (signal) => lastFailure(client, endpointId, signal));
  useEffect(() => {
    if (turn > 0) reload();
  }, [turn]);
  const fault = data === undefined ? '' : lastFault(data.delivery.status, data.attempt, t.delivery);
  if (data === undefined || fault === '') return null;
  return (
    <p>
      {t.endpoint.lastFault} {fault}{' '}
      <a href={hrefOf({ view: 'delivery', endpointId, deliveryId: data.delivery.delivery_id })}>{t.endpoint.seeDelivery}</a>
    </p>
  );
}

/** Says what is wrong with an endpoint and what will happen; nothing when it is well. */
export function EndpointState({ endpoint, turn }: EndpointStateProps) {
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
