import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isoInstant } from '@parcelway/kernel/clock';
import { until } from '@parcelway/kernel/testing/until';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { trackingService } from './service.ts';
import { TENANT } from './testing/samples.ts';
import { type ServiceDriver, startTracking } from './testing/service-driver.ts';

let opened: TestDatabase;
const replicas: ServiceDriver[] = [];

beforeAll(async () => {
  opened = await openTestDatabase(await trackingService.collections());
  for (const database of [opened.database, await opened.second()]) replicas.push(await startTracking({}, 'sandbox', database));
});
afterAll(async () => {
  for (const replica of replicas) await replica.close();
  await opened.close();
});

test('two replicas on one database play a parcel to its end, and publish each change once', async () => {
  const [one, two] = replicas as [ServiceDriver, ServiceDriver];
  await one.publish('forecast.dispatched', {
    forecast_no: 'FC1',
    po_number: 'PO-1',
    status: 5,
    carrier_code: 'sim',
    tracking_number: 'SIM1',
    dispatched_at: isoInstant(Date.now()),
  });
  const statuses = ['Picked Up', 'In Transit', 'Delivery Success'];
  for (const [index, status] of statuses.entries()) {
    const [simulating, asked] = index % 2 === 0 ? [two, one] : [one, two];
    expect((await simulating.simulate({ tenant_id: TENANT, forecast_no: 'FC1', admin_status: status })).status).toBe(200);
    const responses = await Promise.all([asked.query('PO-1'), simulating.query('PO-1')]);
    for (const { body } of responses) expect(body.data).toMatchObject({ is_shipped: true, latest_status: status });
  }
  const changes = () => [...one.changes, ...two.changes].map(({ data }) => [data.previous_admin_status, data.admin_status]);
  await until(() => changes().length >= statuses.length, { what: 'all changes' });
  await until(
    async () => {
      const waiting = await opened.database.connection.db?.collection('parcels').countDocuments({ outbox_due: { $exists: true } });
      return waiting === 0;
    },
    { what: 'an empty outbox' },
  );
  expect(changes().sort()).toEqual([
    ['', 'Picked Up'],
    ['In Transit', 'Delivery Success'],
    ['Picked Up', 'In Transit'],
  ]);
});
