import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import { newId } from '@parcelway/kernel/ids';
import { type AttemptResult, isSuccess, type LeasedDelivery, settle } from './domain/delivery.ts';
import { activeSecrets } from './domain/endpoint.ts';
import type { Interruption } from './domain/interruption.ts';
import type { RetrySchedule } from './domain/retry-schedule.ts';
import type { FullPayloads, PreparedBody } from './full-payloads.ts';
import type { Sender, Sign } from './ports.ts';

const USER_AGENT = 'Parcelway-Webhooks/1 (+https://www.standardwebhooks.com)';

/** What an attempt is made with. */
export interface AttemptTools {
  readonly sender: Sender;
  readonly sign: Sign;
  readonly schedule: RetrySchedule;
  readonly full: Pick<FullPayloads, 'concerns' | 'prepare'>;
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

/** A delivery that was not attempted, because what it is to be sent with cannot be had now. */
export interface Postponement {
  readonly leased: LeasedDelivery;
  /** Epoch milliseconds. */
  readonly postponedUntil: number;
}

/**
 * Sends a delivery once and says what follows. Does not write anything down.
 * @param interruption ends the attempt early
 */
export function attemptDelivery(
  leased: LeasedDelivery,
  tools: AttemptTools,
  interruption: Interruption,
): Promise<AttemptResult | Postponement> {
  return tools.full.concerns(leased) ? attemptFull(leased, tools, interruption) : attempt(leased, leased.body, tools, interruption);
}

/** The full payload of a delivery; undefined when the attempt is ended before it is there. */
async function preparedUnless(interruption: Interruption, prepared: Promise<PreparedBody>): Promise<PreparedBody | undefined> {
  const ended = new Promise<undefined>((resolve) => interruption.onInterrupt(() => resolve(undefined)));
  const first = await Promise.race([prepared, ended]);
  if (first === undefined) void prepared.then((late) => 'done' in late && late.done());
  return first;
}

async function attemptFull(leased: LeasedDelivery, tools: AttemptTools, interruption: Interruption): Promise<AttemptResult | Postponement> {
  const prepared = await preparedUnless(interruption, tools.full.prepare(leased));
  if (prepared === undefined) return { leased, postponedUntil: tools.clock.now() };
  if ('postponedUntil' in prepared) return { leased, ...prepared };
  try {
    return await attempt(leased, prepared.body, tools, interruption);
  } finally {
    prepared.done();
  }
}

/** @param body what is sent: the stored one, or that with the full data, which lives no longer than the call */
async function attempt(leased: LeasedDelivery, body: string, tools: AttemptTools, interruption: Interruption): Promise<AttemptResult> {
  await failpointAsync('webhook.before-send');
  const startedAt = tools.clock.now();
  const started = performance.now();
  const { endpoint, delivery } = leased;
  const source = { eventId: delivery.eventId, body, secrets: activeSecrets(endpoint, startedAt), extra: endpoint.headers };
  const headers = signedHeaders(source, tools.sign, startedAt);
  const reply = await tools.sender.send({ url: endpoint.url, headers, body }, interruption);
  const durationMs = Math.round(performance.now() - started);
  const succeeded = reply.error === null && isSuccess(reply.statusCode);
  if (succeeded) await failpointAsync('webhook.after-2xx');
  const { statusCode, error, errorCode, retryAfter, responseBody } = reply;
  const outcome = succeeded ? 'succeeded' : 'failed';
  const seen = {
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
  return { leased, attempt: seen, ...settle(leased, reply, tools.schedule, startedAt + durationMs, tools.random()) };
}
