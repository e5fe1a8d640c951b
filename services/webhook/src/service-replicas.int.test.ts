import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { mongoCollections } from '@parcelway/platform/open-store';
import { webhookCollections } from './collections.ts';
import { type Receiver, type Responding, startReceiver } from './testing/receiver.ts';
import { type Harness, openHarness } from './testing/webhook-harness.ts';

let opened: TestDatabase;
let replicas: [Harness, Harness];
let hook: Receiver | undefined;
beforeAll(async () => {
  opened = await openTestDatabase(await mongoCollections(webhookCollections));
  const databases = [opened.database, await opened.second()];
  replicas = (await Promise.all(databases.map((database) => openHarness({}, undefined, database)))) as typeof replicas;
});
afterEach(() => hook?.close());
afterAll(async () => {
  for (const replica of replicas) await replica.stop();
  await opened.close();
});

async function receiver(response?: Responding): Promise<Receiver> {
  hook = await startReceiver(response);
  return hook;
}

async function statuses({ call }: Harness, endpointId: string, tenantId: string): Promise<string[]> {
  const { data } = await call('GET', `/${endpointId}/deliveries?limit=100`, undefined, tenantId);
  return (data as unknown as { deliveries: { status: string }[] }).deliveries.map(({ status }) => status);
}

test('an event that comes to both replicas is sent once, and both show it', async () => {
  const { url, received } = await receiver();
  const tenantId = 'tnt_twice';
  const { endpoint_id } = await replicas[0].register(url, {}, tenantId);
  const ids = Array.from({ length: 20 }, (_, index) => `evt_twice_${index}`);
  await Promise.all(ids.flatMap((id) => replicas.map((replica) => replica.weigh({ tenantId, forecastNo: `FC${id}`, id }))));
  for (const replica of replicas) {
    await until(async () => (await statuses(replica, endpoint_id, tenantId)).filter((one) => one === 'succeeded').length === 20, {
      what: 'all to be sent',
    });
  }
  expect(received.map(({ headers }) => headers['webhook-id']).sort()).toEqual([...ids].sort());
});

test('attempts of one replica at an endpoint that is deleted through the other are ended, and no more are begun', async () => {
  let ended = 0;
  const { url, received } = await receiver((_req, res) => {
    res.once('close', () => {
      ended += 1;
    });
  });
  const tenantId = 'tnt_deleted';
  const { endpoint_id } = await replicas[0].register(url, {}, tenantId);
  for (let count = 0; count < 20; count += 1) await replicas[0].weigh({ tenantId });
  await until(() => received.length === 8, { what: 'the lane to be full' });
  expect((await replicas[1].call('DELETE', `/${endpoint_id}`, undefined, tenantId)).status).toBe(200);
  await until(() => ended === 8, { what: 'the attempts to be ended' });
  expect(received).toHaveLength(8);
});
