import { setTimeout as pause } from 'node:timers/promises';
import type { Delivery } from '@parcelway/contracts/webhook-delivery-api';
import type { PlatformProcess } from '@parcelway/harness/platform-process';
import { type ReceivedWebhook, WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { until } from '@parcelway/kernel/testing/until';
import type { Ledger } from '../kill/ledger.ts';
import type { Fault, FaultStage, Findings } from './fault.ts';
import { quantile } from './latency.ts';

const OUT_MS = 15_000;
/** Events that wait when the service goes out. */
const WAITING = 30;
const WAITING_WITHIN_MS = 30_000;
/** What an attempt that has its content already may still take. */
const IN_FLIGHT_MS = 1000;
const CAUGHT_UP_WITHIN_MS = 60_000;
const RESENDS = 15;
/** How much longer a resent thin delivery may take than before, at the 90th percentile. */
const MAX_SLOWDOWN = 1.5;
const SLACK_MS = 300;

const EVENT_TYPES = ['parcel.weighed', 'forecast.corrected'] as const;

/** An endpoint of the load's tenant, with a receiver of its own. */
interface Endpoint {
  readonly id: string;
  readonly receiver: WebhookReceiver;
}

async function openEndpoint({ merchant }: FaultStage, payload: 'full' | 'thin'): Promise<Endpoint> {
  const receiver = await WebhookReceiver.start();
  const { endpoint_id } = await merchant.createEndpoint({ url: receiver.url, payload, event_types: [...EVENT_TYPES] });
  return { id: endpoint_id, receiver };
}

async function closeEndpoint({ merchant }: FaultStage, { id, receiver }: Endpoint): Promise<void> {
  await merchant.client.expectOk(`/open/v1/webhook-endpoints/${id}`, { method: 'DELETE' });
  await receiver.stop();
}

/** Stops every process of a service where it is: it holds its connections and responds to nothing. */
function freeze(platform: PlatformProcess, service: string): () => void {
  const pids = platform.services().flatMap(({ name, pid }) => (name.startsWith(`${service}-`) && pid !== null ? [pid] : []));
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return () => {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  };
}

const idsOf = (received: readonly ReceivedWebhook[]): Set<string> => new Set(received.map(({ id }) => id));

/** Has a delivery of the thin endpoint sent again and again. @returns how long each took, in milliseconds */
async function resendTimes({ merchant }: FaultStage, { id, receiver }: Endpoint): Promise<number[]> {
  const { deliveries } = await merchant.client.expectOk<{ deliveries: Delivery[] }>(
    `/open/v1/webhook-endpoints/${id}/deliveries?status=succeeded&limit=1`,
  );
  const [delivery] = deliveries;
  if (delivery === undefined) throw new Error('The thin endpoint received nothing');
  const path = `/open/v1/webhook-endpoints/${id}/deliveries/${delivery.delivery_id}`;
  // A resend beside an attempt whose result is not written yet starts none.
  const isWritten = async (): Promise<boolean> => (await merchant.client.expectOk<Delivery>(path)).status === 'succeeded';
  const times: number[] = [];
  for (let round = 0; round < RESENDS; round += 1) {
    const isIt = ({ body }: ReceivedWebhook): boolean => body.data.event_id === delivery.event_id;
    const count = (): number => receiver.received.filter(isIt).length;
    await until(isWritten, { within: OUT_MS, what: 'the result of the resent delivery' });
    const before = count();
    const startedAt = performance.now();
    await merchant.client.expectOk(`${path}/resend`, { method: 'POST' });
    await until(() => count() > before, { within: OUT_MS, everyMs: 5, what: 'a thin delivery to be sent again' });
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** What a full webhook lacks or has wrong of what the query returns. */
function contentViolations({ id, type, body }: ReceivedWebhook, ledger: Ledger): string[] {
  const { po_number, version, weighing, forecast } = body.data as {
    readonly po_number: string;
    readonly version?: number;
    readonly weighing?: { readonly po_number: string; readonly weight_kg: number };
    readonly forecast?: { readonly po_number: string; readonly version: number; readonly corrections: readonly unknown[] };
  };
  const isGood =
    type === 'parcel.weighed'
      ? weighing?.po_number === po_number && weighing.weight_kg === ledger.entries.get(po_number)?.weightKg
      : forecast?.po_number === po_number && forecast.version >= Number(version) && forecast.corrections.length === forecast.version - 1;
  return isGood ? [] : [`the full payload ${type} ${id} has ${JSON.stringify(weighing ?? forecast ?? body.data.full_omitted)}`];
}

async function outWhileFullWaits(stage: FaultStage, full: Endpoint, thin: Endpoint): Promise<Findings> {
  const { platform, load } = stage;
  const violations: string[] = [];
  // Nothing gets through to the full endpoint, so that deliveries of events that are there already wait when the service goes out.
  full.receiver.respond = (_webhook, res) => res.writeHead(503).end();
  await until(() => idsOf(thin.receiver.received).size >= WAITING, { within: WAITING_WITHIN_MS, what: `${WAITING} events` });
  const before = await resendTimes(stage, thin);
  const thaw = freeze(platform, 'forecast');
  let during: number[];
  const taken: ReceivedWebhook[] = [];
  try {
    const outSince = performance.now();
    await pause(IN_FLIGHT_MS);
    full.receiver.respond = (webhook, res) => {
      taken.push(webhook);
      res.writeHead(204).end();
    };
    during = await resendTimes(stage, thin);
    await pause(Math.max(0, OUT_MS - (performance.now() - outSince)));
    if (taken.length > 0) violations.push(`${taken.length} full payloads were sent while the forecast service was out`);
  } finally {
    thaw();
  }
  const waited = idsOf(thin.receiver.received);
  await until(() => [...waited].every((id) => idsOf(taken).has(id)), { within: CAUGHT_UP_WITHIN_MS, what: 'what waited to be sent' }).catch(
    () => violations.push(`${[...waited].filter((id) => !idsOf(taken).has(id)).length} of ${waited.size} full deliveries were lost`),
  );
  violations.push(...taken.flatMap((webhook) => contentViolations(webhook, load.ledger)));
  const [calm, bad] = [before, during].map((times) => Math.round(quantile(times, 0.9))) as [number, number];
  if (bad > MAX_SLOWDOWN * calm + SLACK_MS) violations.push(`p90 of the thin endpoint went from ${calm} to ${bad} ms`);
  return {
    observed: `${waited.size} full deliveries waited ${OUT_MS / 1000} s and came with their content; thin ones meanwhile: p90 ${bad} ms (${calm} before)`,
    violations,
  };
}

/** What endpoints with full payloads depend on. */
export const fullPayloadFaults: readonly Fault[] = [
  {
    name: `the forecast service out for ${OUT_MS / 1000} s while full payloads wait`,
    group: 'Webhooks',
    expected: 'full deliveries wait and come with their content, none is lost or sent without it; thin ones are as quick as before',
    servers: 'single',
    async strike(stage) {
      const [full, thin] = [await openEndpoint(stage, 'full'), await openEndpoint(stage, 'thin')];
      try {
        return await outWhileFullWaits(stage, full, thin);
      } finally {
        await closeEndpoint(stage, full);
        await closeEndpoint(stage, thin);
      }
    },
  },
];
