import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sampleSubmission } from '@parcelway/harness/sample-data';
import { until } from '@parcelway/harness/until';
import { closedLoopOf, steadily } from '../closed-loop.ts';
import { type Row, rowOf } from '../report/row.ts';
import { onStage, type Stage } from '../stage.ts';
import { percentile } from '../statistics.ts';
import { inCycles, pause, type Suite, type SuiteContext } from '../suite.ts';

const PERCENTILES = [50, 95, 99] as const;
const CONNECTIONS = 50;

/** A receiver that notes when each po_number arrived first. */
interface Receiver {
  readonly origin: string;
  readonly arrivedAt: Map<string, number>;
  /** Body of the last webhook. */
  lastBody: string;
  close(): Promise<void>;
}

async function startReceiver(): Promise<Receiver> {
  const server: Server = createServer((req, res) => {
    let body = '';
    req.setEncoding('utf8');
    req.on('data', (chunk: string) => {
      body += chunk;
    });
    req.on('end', () => {
      const now = performance.now();
      res.writeHead(204).end();
      const { data } = JSON.parse(body) as { data: { po_number: string } };
      if (!receiver.arrivedAt.has(data.po_number)) receiver.arrivedAt.set(data.po_number, now);
      receiver.lastBody = body;
    });
  });
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivedAt: new Map(),
    lastBody: '',
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

let counter = 0;

async function submitForecasts(stage: Stage, count: number): Promise<string[]> {
  const merchant = stage.platform.client(stage.tenantKey);
  const forecastNumbers: string[] = [];
  await closedLoopOf(CONNECTIONS, count, async () => {
    counter += 1;
    const body = sampleSubmission({ poNumber: `EVENT-${counter}`, warehouseCode: stage.warehouseCode });
    const accepted = await merchant.expectOk<{ forecast_no: string; po_number: string }>('/open/v1/forecasts', { body });
    forecastNumbers.push(`${accepted.forecast_no} ${accepted.po_number}`);
  });
  return forecastNumbers;
}

function weighingOf(stage: Stage, forecastNo: string): string {
  return JSON.stringify({
    event_id: `bench-${forecastNo}`,
    type: 'weighing',
    occurred_at: new Date().toISOString(),
    warehouse_code: stage.warehouseCode,
    forecast_no: forecastNo,
    length_cm: 30,
    width_cm: 20,
    height_cm: 10,
    weight_kg: 1.25,
  });
}

/** Milliseconds from the moment a weighing is sent by the warehouse to the moment its webhook has arrived. */
async function eventLatencies(stage: Stage, receiver: Receiver, perSecond: number, count: number): Promise<number[]> {
  const parcels = await submitForecasts(stage, count);
  // The announcements of the forecasts themselves are worked off before the clock runs.
  await pause(1500);
  const warehouse = stage.client(stage.warehouseKey, CONNECTIONS);
  const sentAt = new Map<string, number>();
  await steadily(perSecond, count, async (index) => {
    const [forecastNo = '', poNumber = ''] = (parcels[index] as string).split(' ');
    sentAt.set(poNumber, performance.now());
    await warehouse.send('POST', '/warehouse/v1/events', weighingOf(stage, forecastNo));
  });
  await until(() => [...sentAt.keys()].every((poNumber) => receiver.arrivedAt.has(poNumber)), { within: 30_000, what: 'all webhooks' });
  return [...sentAt].map(([poNumber, at]) => (receiver.arrivedAt.get(poNumber) as number) - at);
}

/** Milliseconds from sending the body of a webhook to loopback to having the answer. */
async function roundTrips(stage: Stage, receiver: Receiver, perSecond: number, count: number): Promise<number[]> {
  const client = stage.referenceClient(receiver.origin, CONNECTIONS);
  const body = receiver.lastBody;
  const times: number[] = [];
  await steadily(perSecond, count, async () => {
    const sent = performance.now();
    await client.send('POST', '/', body);
    times.push(performance.now() - sent);
  });
  return times;
}

async function measure(context: SuiteContext, stage: Stage, receiver: Receiver, perSecond: number): Promise<Row[]> {
  const count = Math.round((perSecond * context.scale.measureMs) / 1000);
  const cycles = await inCycles(context, `webhooks at ${perSecond} events a second`, async () => ({
    ours: await eventLatencies(stage, receiver, perSecond, count),
    reference: await roundTrips(stage, receiver, perSecond, count),
  }));
  return PERCENTILES.map((percent) => {
    const name = `Weighing to webhook at ${perSecond}/s, p${percent}`;
    const samples = cycles.map(({ ours, reference }) => ({ ours: percentile(ours, percent), reference: percentile(reference, percent) }));
    return rowOf({ suite: 'webhooks', name, unit: 'ms', reference: 'loopback POST, round trip', better: 'lower' }, samples);
  });
}

/** How long after a warehouse reports a weighing the merchant hears of it, next to one bare POST of the same body. */
export const webhooks: Suite = async (context) => {
  const receiver = await startReceiver();
  try {
    return await onStage(async (stage) => {
      const endpoint = { url: `${receiver.origin}/webhooks`, event_types: ['parcel.weighed'] };
      await stage.platform.client(stage.tenantKey).expectOk('/open/v1/webhook-endpoints', { body: endpoint });
      const warmUp = await eventLatencies(stage, receiver, 50, 50);
      context.progress(`webhooks arrive (${warmUp.length} to warm up)`);
      return [...(await measure(context, stage, receiver, 50)), ...(await measure(context, stage, receiver, 200))];
    });
  } finally {
    await receiver.close();
  }
};
