import type { WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { useNow } from '../../data/use-now.ts';
import { useWords } from '../../messages/language.ts';
import { stateSentences } from './endpoint-sentences.ts';

/** Says what is wrong with an endpoint and what will happen; nothing when it is well. */
export function EndpointState({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
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
    </section>
  );
}
