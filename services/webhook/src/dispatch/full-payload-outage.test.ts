import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { type Receiver, startReceiver } from '../testing/receiver.ts';
import { type Harness, openHarness } from '../testing/webhook-harness.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The service that has the data, as far as the webhook service knows it. @param port 0 for any */
async function startOwner(port: number, seen: string[]): Promise<Server> {
  const server = createServer((req, res) => {
    seen.push(String(req.url));
    res.end(JSON.stringify({ code: '0', message: 'success', data: { po_number: 'PO-1', weight_kg: 2 } }));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

async function stopOwner(server: Server): Promise<void> {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
}

test('while the service with the data is out full payloads wait, unlike thin ones, and are sent once it is back', async () => {
  const seen: string[] = [];
  const first = await startOwner(0, seen);
  const { port } = first.address() as AddressInfo;
  const h: Harness = await openHarness({}, undefined, undefined, () => `http://127.0.0.1:${port}`);
  closing.push(() => h.stop());
  const r: Receiver = await startReceiver();
  closing.push(() => r.close());
  const bodiesAt = (path: string): string[] => r.received.flatMap((one) => (one.path === `/hook/${path}` ? one.body : []));
  const { endpoint_id } = await h.register(`${r.url}/full`, { payload: 'full', event_types: ['parcel.weighed'] });
  await h.register(`${r.url}/thin`);

  await h.weigh({ forecastNo: 'FC1' });
  await until(() => bodiesAt('full').length === 1, { what: 'the full one' });
  expect(JSON.parse(bodiesAt('full')[0] as string)).toMatchObject({ data: { forecast_no: 'FC1', weighing: { weight_kg: 2 } } });
  expect(seen).toEqual(['/internal/v1/forecasts/weighing?tenant_id=tnt_one&forecast_no=FC1']);

  await stopOwner(first);
  for (let number = 2; number <= 7; number += 1) await h.weigh({ forecastNo: `FC${number}` });
  await until(() => bodiesAt('thin').length === 7, { what: 'the thin ones' });
  const { data } = await h.call('GET', `/${endpoint_id}/deliveries?status=pending`);
  const waiting = (data as unknown as { deliveries: { attempt_count: number }[] }).deliveries;
  expect(waiting.map(({ attempt_count }) => attempt_count)).toEqual(Array(6).fill(0));
  expect((await h.call('GET', `/${endpoint_id}`)).data).toMatchObject({ status: 'enabled', health: { state: 'ok', failing_since: null } });

  const again = await startOwner(port, seen);
  closing.push(() => stopOwner(again));
  await until(() => bodiesAt('full').length === 7, { what: 'the full ones', within: 30_000 });
  expect(bodiesAt('full').every((body) => body.includes('"weighing":{'))).toBe(true);
});
