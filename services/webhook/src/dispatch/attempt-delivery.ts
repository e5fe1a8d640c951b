import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import { newId } from '@parcelway/kernel/ids';
import { activeSecrets, signedHeaders } from '../endpoints/domain/signed-headers.ts';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import type { AttemptResult } from '../queue/domain/attempt.ts';
import type { Interruption } from './domain/lane.ts';
import type { RetrySchedule } from './domain/retry-schedule.ts';
import { type Reply, settle } from './domain/settle.ts';
import type { FullPayloads, Postponed, PreparedBody } from './full-payloads.ts';

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Sender {
  /** Never rejects: every failure is a reply. `interruption` ends the call early. */
  send(request: WebhookRequest, interruption: Interruption): Promise<Reply>;
  close(): Promise<void>;
}

export interface AttemptOptions {
  readonly sender: Sender;
  readonly schedule: RetrySchedule;
  readonly full: Pick<FullPayloads, 'concerns' | 'prepare'>;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
}

/**
 * Sends a delivery once and says what follows, or when to try again because what it is to be sent with cannot be had now. Does not write
 * anything down.
 * @param interruption ends the attempt early
 */
export function attemptDelivery(
  leased: LeasedDelivery,
  options: AttemptOptions,
  interruption: Interruption,
): Promise<AttemptResult | Postponed> {
  return options.full.concerns(leased) ? attemptFull(leased, options, interruption) : attempt(leased, leased.body, options, interruption);
}

/** The full payload of a delivery; undefined when the attempt is ended before it is there. */
async function preparedUnless(interruption: Interruption, prepared: Promise<PreparedBody>): Promise<PreparedBody | undefined> {
  const ended = new Promise<undefined>((resolve) => interruption.onInterrupt(() => resolve(undefined)));
  const first = await Promise.race([prepared, ended]);
  if (first === undefined) void prepared.then((late) => 'done' in late && late.done());
  return first;
}

async function attemptFull(
  leased: LeasedDelivery,
  options: AttemptOptions,
  interruption: Interruption,
): Promise<AttemptResult | Postponed> {
  const prepared = await preparedUnless(interruption, options.full.prepare(leased));
  if (prepared === undefined) return { postponedUntil: options.clock.now() };
  if ('postponedUntil' in prepared) return prepared;
  try {
    return await attempt(leased, prepared.body, options, interruption);
  } finally {
    prepared.done();
  }
}

/** @param body what is sent: the stored one, or that with the full data, which lives no longer than the call */
async function attempt(leased: LeasedDelivery, body: string, options: AttemptOptions, interruption: Interruption): Promise<AttemptResult> {
  await failpointAsync('webhook.before-send');
  const startedAt = options.clock.now();
  const started = performance.now();
  const { endpoint, delivery } = leased;
  const source = { eventId: delivery.eventId, body, secrets: activeSecrets(endpoint, startedAt), extra: endpoint.headers };
  const headers = signedHeaders(source, startedAt);
  const reply = await options.sender.send({ url: endpoint.url, headers, body }, interruption);
  const durationMs = Math.round(performance.now() - started);
  const settled = settle(leased, reply, options.schedule, startedAt + durationMs, options.random());
  if (settled.status === 'succeeded') await failpointAsync('webhook.after-2xx');
  const outcome = settled.status === 'succeeded' ? 'succeeded' : 'failed';
  const attempt = { attemptId: newId('att'), url: endpoint.url, startedAt, durationMs, outcome, ...reply } as const;
  return { leased, attempt, ...settled };
}
