import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { startEasyPostServer } from '@parcelway/harness/sources/easypost-server';
import { Agent } from 'undici';
import { type CarrierServer, startCarrier } from '../testing/carrier-server.ts';
import { sourceAfterShip } from './aftership/source.ts';
import { countedCalls } from './counted-calls.ts';
import type { AskedParcel, SourceClient, TrackingSource } from './source.ts';
import { SourceRefusal } from './source-refusal.ts';

const parcelOf = (trackingNumber: string, reference: string | null = null): AskedParcel => ({
  trackingNumber,
  dispatchedAt: 0,
  carrierCode: 'yunexpress',
  reference,
});
const signal = (): AbortSignal => AbortSignal.timeout(20_000);

let dispatcher: Agent;
let vendor: CarrierServer;
/** How many requests the vendor had got at each further call. */
let turns: number[];
beforeEach(async () => {
  dispatcher = new Agent();
  vendor = await startCarrier();
  turns = [];
});
afterEach(async () => {
  await dispatcher.destroy();
  await vendor.close();
});

const origin = (): string => new URL(vendor.url).origin;
const nextCall = async (): Promise<void> => void turns.push(vendor.requests.length);

describe('the calls of one run', () => {
  const call = () => ({ method: 'GET', url: origin(), signal: signal() }) as const;

  test('wait for their turns, but for the first', async () => {
    const send = countedCalls({ dispatcher, nextCall });
    for (let count = 0; count < 3; count += 1) expect(await send(call())).toMatchObject({ status: 200 });
    expect(turns).toEqual([1, 2]);
  });

  test('are not made when their turn is refused', async () => {
    const send = countedCalls({ dispatcher, nextCall: () => Promise.reject(new SourceRefusal('throttled', 'no further call')) });
    await send(call());
    await expect(send(call())).rejects.toMatchObject({ reason: 'throttled' });
    expect(vendor.requests).toHaveLength(1);
  });
});

describe('AfterShip counts', () => {
  const connect = (): SourceClient => sourceAfterShip.connect({ baseUrl: origin(), credentials: { key: 'k' }, dispatcher, nextCall });

  test('each page but the first, for each query anew', async () => {
    vendor.respondWith((req, res) => {
      const next_cursor = req.url?.includes('cursor=') ? null : 'c';
      res.end(JSON.stringify({ meta: { code: 200 }, data: { pagination: { next_cursor }, trackings: [] } }));
    });
    const client = connect();
    for (let count = 0; count < 2; count += 1) await client.query([parcelOf('YT1234')], signal());
    expect(vendor.requests).toHaveLength(4);
    expect(turns).toEqual([1, 3]);
  });

  test('the second try of a registration, and each deletion but the first', async () => {
    vendor.respondWith((_req, res) => {
      res.statusCode = 400;
      res.end('{"meta":{"code":4010,"type":"BadRequest"},"data":{}}');
    });
    await connect().register([parcelOf('YT1234')], signal());
    expect(turns).toEqual([1]);
    vendor.respondWith((_req, res) => res.end('{"meta":{"code":200},"data":{}}'));
    await connect().unregister([parcelOf('A1', 'a'), parcelOf('B1'), parcelOf('C1', 'c')], signal());
    expect(turns).toEqual([1, 3]);
  });
});

/** The calls that a vendor counts, and the turns that the client waited for. */
async function _countsOf(
  start: typeof startEasyPostServer,
  source: TrackingSource,
  use: (client: SourceClient, refuse: (number: string) => void) => Promise<void>,
): Promise<{ readonly calls: number; readonly turns: number }> {
  const server = await start();
  server.setLimits({ requestsPerSecond: null });
  try {
    await use(source.connect({ baseUrl: server.baseUrl, credentials: server.credentials, dispatcher, nextCall }), (number) =>
      server.refuse(number),
    );
    return { calls: server.calls.filter(({ kind }) => kind !== 'token').length, turns: turns.length };
  } finally {
    await server.close();
  }
}
