import { submitParcels, weighingOf } from '../parcels.ts';
import type { RawClient } from '../raw-client.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import type { Row } from '../report/row.ts';
import { onStage, type Stage } from '../stage.ts';
import { inCycles, pause, type Suite, type SuiteOptions } from '../suite.ts';
import { arrivalTimes, latencyRows, responseTimes } from './latency.ts';

const CONNECTIONS = 50;

/** Clients that stay open through all cycles. */
interface Clients {
  readonly merchant: RawClient;
  readonly warehouse: RawClient;
  readonly outsider: RawClient;
}

/** Milliseconds from the moment a weighing is sent by the warehouse to the moment its webhook has arrived. */
async function eventLatencies(stage: Stage, clients: Clients, receiver: Receiver, perSecond: number, count: number): Promise<number[]> {
  const parcels = await submitParcels(clients.merchant, stage.warehouseCode, count);
  // The announcements of the forecasts themselves are processed before the clock runs.
  await pause(1500);
  const keys = parcels.map((parcel) => parcel.po_number);
  return arrivalTimes(perSecond, keys, receiver.arrivedAt, (index) => {
    const parcel = parcels[index];
    if (parcel === undefined) throw new RangeError(`There is no parcel ${index}`);
    return clients.warehouse.send('POST', '/warehouse/v1/events', weighingOf(stage.warehouseCode, parcel));
  });
}

async function measure(options: SuiteOptions, stage: Stage, clients: Clients, receiver: Receiver, perSecond: number): Promise<Row[]> {
  const count = Math.round((perSecond * options.scale.measureMs) / 1000);
  const cycles = await inCycles(options, `webhooks at ${perSecond} events a second`, async () => ({
    ours: await eventLatencies(stage, clients, receiver, perSecond, count),
    reference: await responseTimes(perSecond, count, () => clients.outsider.send('POST', '/', receiver.lastBody)),
  }));
  const name = `Weighing to webhook at ${perSecond}/s`;
  return latencyRows({ suite: 'webhooks', name, reference: 'loopback POST, round trip' }, cycles);
}

/** How long after a warehouse reports a weighing the merchant hears of it, next to one bare POST of the same body. */
export const webhooks: Suite = async (options) => {
  const receiver = await startReceiver();
  try {
    return await onStage(async (stage) => {
      const endpoint = { url: `${receiver.origin}/webhooks`, event_types: ['parcel.weighed'] };
      await stage.platform.client(stage.tenantKey).expectOk('/open/v1/webhook-endpoints', { body: endpoint });
      const clients = {
        merchant: stage.client(stage.tenantKey, CONNECTIONS),
        warehouse: stage.client(stage.warehouseKey, CONNECTIONS),
        outsider: stage.referenceClient(receiver.origin, CONNECTIONS),
      };
      const warmUp = await eventLatencies(stage, clients, receiver, 50, 50);
      options.progress(`webhooks arrive (${warmUp.length} to warm up)`);
      const at50 = await measure(options, stage, clients, receiver, 50);
      return [...at50, ...(await measure(options, stage, clients, receiver, 200))];
    });
  } finally {
    await receiver.close();
  }
};
