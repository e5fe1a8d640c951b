import type { WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { absoluteTime, isNow, relativeTime } from '../../format/time.ts';
import type { Messages } from '../../messages/en.ts';

/**
 * How the endpoint does, in sentences, the most urgent first; none when all is well.
 * @param now epoch milliseconds
 */
export function stateSentences(
  { status, disabled_reason, pause_end_time, health }: WebhookEndpoint,
  { t, locale }: { readonly t: Messages; readonly locale: string },
  now: number,
): string[] {
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
  const slowed = health.slowdown_end_time;
  // The page knows the endpoint as it was when last asked for; "nothing is sent, it goes on now" would help nobody.
  if (slowed !== null && Date.parse(slowed) > now && !isNow(Date.parse(slowed), now)) said.push(t.endpoint.slowedUntil(when(slowed)));
  if (health.disable_time !== null) said.push(t.endpoint.disableAt(when(health.disable_time)));
  return said;
}
