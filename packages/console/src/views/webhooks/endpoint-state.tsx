import type { WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { useNow } from '../../data/use-now.ts';
import { absoluteTime, relativeTime } from '../../format/time.ts';
import type { Spoken } from '../../messages/language.tsx';
import { useWords } from '../../messages/language.tsx';

/** How the endpoint does, in sentences, the most urgent first; none when all is well. */
function sentencesOf({ status, disabled_reason, pause_end_time, health }: WebhookEndpoint, { t, locale }: Spoken, now: number): string[] {
  const when = (at: string): string => relativeTime(Date.parse(at), now, locale);
  if (status === 'disabled') return [t.endpoint.disabledBecause[disabled_reason ?? 'tenant'] ?? String(disabled_reason)];
  const said: string[] = [];
  if (status === 'paused' && pause_end_time !== null) said.push(t.endpoint.pausedUntil(when(pause_end_time)));
  if (health.failing_since !== null) {
    const at = absoluteTime(Date.parse(health.failing_since), locale);
    said.push(t.endpoint.failingSince(at, when(health.failing_since)));
  }
  if (health.state === 'circuit_open') {
    said.push(health.next_probe_time === null ? t.endpoint.circuitOpenNow : t.endpoint.circuitOpen(when(health.next_probe_time)));
  }
  if (health.slowdown_end_time) said.push(t.endpoint.slowedUntil(when(health.slowdown_end_time)));
  if (health.disable_time !== null) said.push(t.endpoint.disableAt(when(health.disable_time)));
  return said;
}

/** Says what is wrong with an endpoint and what will happen; nothing when it is well. */
export function EndpointState({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const spoken = useWords();
  const now = useNow();
  const sentences = sentencesOf(endpoint, spoken, now);
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
