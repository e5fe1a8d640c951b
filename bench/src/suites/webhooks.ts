import { until } from '@parcelway/kernel/testing/until';
import { steadily } from '../closed-loop.ts';
import { submitParcels, weighingOf } from '../parcels.ts';
import type { RawClient } from '../raw-client.ts';
import { onReceivingStage, type ReceivingStage } from '../receiving-stage.ts';
import { type Row, rowOf } from '../report.ts';
import { percentile } from '../statistics.ts';
import { inCycles, type Suite, type SuiteOptions } from '../suite.ts';

const CONNECTIONS = 50;
const PERCENTILES = [50, 95, 99] as const;
const ARRIVE_WITHIN_MS = 30_000;

/** Clients that stay open through all cycles. */
interface Clients {
  readonly merchant: RawClient;
  readonly warehouse: RawClient;
  readonly outsider: RawClient;
}

/** Milliseconds from the moment a weighing is sent by the warehouse to the moment its webhook has arrived. */
async function eventLatencies(stage: ReceivingStage, clients: Clients, perSecond: number, count: number): Promise<number[]> {
  const { warehouseCode, receiver } = stage;
  const parcels = await submitParcels(clients.merchant, warehouseCode, count);
  // What follows from the submissions is done before the clock runs.
  await stage.settled();
  const sentAt = new Map<string, number>();
  await steadily(perSecond, parcels.length, async (index) => {
    const parcel = parcels[index];
    if (parcel === undefined) throw new RangeError(`There is no parcel ${index}`);
    sentAt.set(parcel.po_number, performance.now());
    await clients.warehouse.send('POST', '/warehouse/v1/events', weighingOf(warehouseCode, parcel));
  });
  const keys = [...sentAt.keys()];
  await until(() => keys.every((key) => receiver.arrivedAt.has(key)), { within: ARRIVE_WITHIN_MS, what: 'all webhooks' });
  return keys.map((key) => (receiver.arrivedAt.get(key) as number) - (sentAt.get(key) as number));
}

/** Milliseconds of one bare POST of the last webhook, at the same rate. */
async function responseTimes({ receiver }: ReceivingStage, { outsider }: Clients, perSecond: number, count: number): Promise<number[]> {
  const times: number[] = [];
  await steadily(perSecond, count, async () => {
    const sent = performance.now();
    await outsider.send('POST', '/', receiver.lastBody);
    times.push(performance.now() - sent);
  });
  return times;
}

async function measure(options: SuiteOptions, stage: ReceivingStage, clients: Clients, perSecond: number): Promise<Row[]> {
  const count = Math.round((perSecond * options.scale.measureMs) / 1000);
  const cycles = await inCycles(options, `webhooks at ${perSecond} events a second`, async () => ({
    ours: await eventLatencies(stage, clients, perSecond, count),
    reference: await responseTimes(stage, clients, perSecond, count),
  }));
  return PERCENTILES.map((percent) => {
    const samples = cycles.map(({ ours, reference }) => ({ ours: percentile(ours, percent), reference: percentile(reference, percent) }));
    const name = `Weighing to webhook at ${perSecond}/s, p${percent}`;
    return rowOf({ suite: 'webhooks', name, unit: 'ms', reference: 'loopback POST, round trip', better: 'lower' }, samples);
  });
}

/** How long after a warehouse reports a weighing the merchant hears of it, next to one bare POST of the same body. */
export const webhooks: Suite = (options) =>
  onReceivingStage(async (stage) => {
    const clients = {
      merchant: stage.client(stage.tenantKey, CONNECTIONS),
      warehouse: stage.client(stage.warehouseKey, CONNECTIONS),
      outsider: stage.referenceClient(stage.receiver.origin, CONNECTIONS),
    };
    const warmUp = await eventLatencies(stage, clients, 50, 50);
    options.progress(`webhooks arrive (${warmUp.length} to warm up)`);
    const at50 = await measure(options, stage, clients, 50);
    return [...at50, ...(await measure(options, stage, clients, 200))];
  });
