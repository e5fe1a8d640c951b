import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import { newId } from '@parcelway/kernel/ids';
import { type AttemptResult, isSuccess, type LeasedDelivery, settle } from './domain/delivery.ts';
import { activeSecrets } from './domain/endpoint.ts';
import type { Interruption } from './domain/interruption.ts';
import type { RetrySchedule } from './domain/retry-schedule.ts';
import type { Sender, Sign } from './ports.ts';

const USER_AGENT = 'Parcelway-Webhooks/1 (+https://www.standardwebhooks.com)';

/** What an attempt is made with. */
export interface AttemptTools {
  readonly sender: Sender;
  readonly sign: Sign;
  readonly schedule: RetrySchedule;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
}

/** What the headers of a webhook are made from. */
export interface HeaderSource {
  readonly eventId: string;
  readonly body: string;
  readonly secrets: readonly string[];
  /** Custom headers; none of them has a name that is set here. */
  readonly extra: Readonly<Record<string, string>>;
}

/** Headers of one attempt, signed for this second (Standard Webhooks 1.0, one signature per valid secret). */
export function signedHeaders({ eventId, body, secrets, extra }: HeaderSource, sign: Sign, now: number): Record<string, string> {
  const seconds = Math.floor(now / 1000);
  return {
    ...extra,
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': eventId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => sign(secret, eventId, seconds, body)).join(' '),
  };
}

/**
 * Sends a delivery once and says what follows. Does not write anything down.
 * @param interruption ends the attempt early
 */
export async function attemptDelivery(leased: LeasedDelivery, tools: AttemptTools, interruption: Interruption): Promise<AttemptResult> {
  await failpointAsync('webhook.before-send');
  const startedAt = tools.clock.now();
  const started = performance.now();
  const { endpoint, delivery, body } = leased;
  const source = { eventId: delivery.eventId, body, secrets: activeSecrets(endpoint, startedAt), extra: endpoint.headers };
  const headers = signedHeaders(source, tools.sign, startedAt);
  const reply = await tools.sender.send({ url: endpoint.url, headers, body }, interruption);
  const durationMs = Math.round(performance.now() - started);
  const succeeded = reply.error === null && isSuccess(reply.statusCode);
  if (succeeded) await failpointAsync('webhook.after-2xx');
  const { statusCode, error, errorCode, retryAfter, responseBody } = reply;
  const outcome = succeeded ? 'succeeded' : 'failed';
  const attempt = {
    attemptId: newId('att'),
    url: endpoint.url,
    startedAt,
    durationMs,
    outcome,
    statusCode,
    error,
    errorCode,
    retryAfter,
    responseBody,
  } as const;
  return { leased, attempt, ...settle(leased, reply, tools.schedule, startedAt + durationMs, tools.random()) };
}
