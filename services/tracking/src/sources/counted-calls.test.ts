import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Agent } from 'undici';
import { type CarrierServer, startCarrier } from '../testing/carrier-server.ts';
import { countedCalls } from './counted-calls.ts';
import { SourceRefusal } from './source-refusal.ts';

let dispatcher: Agent;
let vendor: CarrierServer;
beforeEach(async () => {
  dispatcher = new Agent();
  vendor = await startCarrier();
});
afterEach(async () => {
  await dispatcher.destroy();
  await vendor.close();
});

const call = () => ({ method: 'GET', url: new URL(vendor.url).origin, signal: AbortSignal.timeout(20_000) }) as const;

test('the calls of one run wait for their turns, but for the first, and are not made when their turn is refused', async () => {
  const turns: number[] = [];
  const send = countedCalls({
    dispatcher,
    async nextCall() {
      turns.push(vendor.requests.length);
      if (turns.length > 2) throw new SourceRefusal('throttled', 'no further call');
    },
  });
  for (let count = 0; count < 3; count += 1) expect(await send(call())).toMatchObject({ status: 200 });
  expect(turns).toEqual([1, 2]);
  await expect(send(call())).rejects.toMatchObject({ reason: 'throttled' });
  expect(vendor.requests).toHaveLength(3);
});
