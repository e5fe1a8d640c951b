import { setTimeout as pause } from 'node:timers/promises';
import { DISABLED_EVENT_TYPE } from '@parcelway/contracts/webhook-event-types';
import type { ReceivedWebhook, WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { until } from '@parcelway/kernel/testing/until';
import { BadReceiver } from './bad-receiver.ts';
import type { FaultStage, Findings } from './fault.ts';
import { quantile } from './latency.ts';

const BEFORE_MS = 6000;
/** What a receiver missed while it misbehaved is delivered within this time. */
const CAUGHT_UP_WITHIN_MS = 60_000;
/** How much later webhooks may reach the other endpoints than before, at the 90th percentile. */
const MAX_SLOWDOWN = 1.5;
const SLACK_MS = 300;

/** An endpoint that misbehaves, as a third one of the tenant. */
export interface BadEndpoint {
  readonly receiver: BadReceiver;
  readonly endpointId: string;
  readonly stage: FaultStage;
}

/** How an endpoint misbehaves. */
export interface Misbehaviour {
  readonly forMs: number;
  readonly begin: (bad: BadEndpoint) => Promise<void>;
  readonly end: (bad: BadEndpoint) => Promise<void>;
}

/** Waits until the bad endpoint has taken all that a good one has received since `since`. @returns how many */
async function caughtUp({ receiver, stage }: BadEndpoint, since: number): Promise<number> {
  // The event of its own disabling goes to the others only.
  const isMissed = ({ type, timestamp }: ReceivedWebhook['body']): boolean =>
    type !== DISABLED_EVENT_TYPE && Date.parse(timestamp) >= since;
  const wanted = stage.receivers[0].received.filter(({ body }) => isMissed(body)).map(({ id }) => id);
  await until(() => wanted.every((id) => receiver.taken.has(id)), {
    within: CAUGHT_UP_WITHIN_MS,
    what: 'the endpoint to receive what it has missed',
  });
  return wanted.length;
}

/** What others received while an endpoint misbehaved, against what they received before; each span as begin and end. */
function others(stage: FaultStage, before: readonly [number, number], during: readonly [number, number]): Findings {
  const violations: string[] = [];
  const seen = stage.receivers.map((good) => {
    const calm = deliveries(good, ...before);
    const bad = deliveries(good, ...during);
    const perSecond = ({ count }: DeliverySummary, [from, to]: readonly [number, number]): number => count / (to - from);
    if (perSecond(bad, during) < perSecond(calm, before) / 2)
      violations.push(`another endpoint received only ${bad.count} events, of ${calm.count} before`);
    if (bad.p90 > MAX_SLOWDOWN * calm.p90 + SLACK_MS) violations.push(`p90 of another endpoint went from ${calm.p90} to ${bad.p90} ms`);
    return `${bad.count} events, p90 ${bad.p90} ms (${calm.p90} before)`;
  });
  return { observed: `others: ${seen.join(' and ')}`, violations };
}

/** A third endpoint misbehaves and comes to its senses: it receives what it has missed, and the others receive as before. */
export async function withBadEndpoint(stage: FaultStage, { forMs, begin, end }: Misbehaviour): Promise<Findings> {
  const receiver = new BadReceiver();
  await receiver.open();
  const { endpoint_id: endpointId } = await stage.merchant.createEndpoint({ url: receiver.url });
  const bad = { receiver, endpointId, stage };
  try {
    const from = Date.now();
    await pause(BEFORE_MS);
    const struck = Date.now();
    await begin(bad);
    await pause(forMs);
    const ended = Date.now();
    await end(bad);
    const missed = await caughtUp(bad, struck);
    const ofOthers = others(stage, [from, struck], [struck, ended]);
    return {
      observed: `received all ${missed} events in the end; ${ofOthers.observed}`,
      violations: ofOthers.violations,
    };
  } finally {
    await stage.merchant.client.expectOk(`/open/v1/webhook-endpoints/${endpointId}`, { method: 'DELETE' });
    await receiver.close();
  }
}

/** How long events took from their record to a receiver. */
export interface DeliverySummary {
  readonly count: number;
  /** Milliseconds. */
  readonly p90: number;
}

/** Of the events recorded between two instants of `Date.now()`; the first time that each came in. */
export function deliveries({ received }: WebhookReceiver, from: number, to: number): DeliverySummary {
  const tookById = new Map<string, number>();
  for (const { id, body, receivedAt } of received) {
    const recordedAt = Date.parse(body.timestamp);
    if (recordedAt >= from && recordedAt < to && !tookById.has(id)) tookById.set(id, receivedAt - recordedAt);
  }
  const took = [...tookById.values()];
  return { count: took.length, p90: quantile(took, 0.9) };
}
