import { expect, test } from '@jest/globals';
import { allRecords, describeTenantData } from '@parcelway/kernel/testing/tenant-data-suite';
import { dumpOf } from '@parcelway/sqlite/testing/dump';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import { sequences } from '../intake/event-collections.ts';
import type { WebhookStores } from '../stores.ts';
import { openTestStores } from '../testing/stores-under-test.ts';
import { acceptIn, endpointFor, eventFor, keep, planned, resultOf, T0 } from '../testing/webhook-fixtures.ts';

/** Writes two endpoints, an event of each stream with deliveries and an attempt, and an idempotency key. */
async function fill(stores: WebhookStores, tenantId: string, mark: string): Promise<void> {
  const secrets = { secret: 'whsec_SECRET', headers: { 'x-token': 'SECRET' } };
  for (const no of [1, 2])
    await stores.endpoints.insert(endpointFor(tenantId, { endpointId: `ep_${mark}${no}`, description: mark, ...secrets }), 10);
  const given = { poNumber: mark, render: () => JSON.stringify({ mark }) };
  const plan = () => planned({ leaseUntil: T0 + 1 });
  const [made] = await acceptIn(stores.intake, eventFor(tenantId, `F1${mark}`, given), T0, plan);
  await stores.queue.record([resultOf(made?.leased as LeasedDelivery, 'succeeded')], keep);
  await acceptIn(stores.intake, eventFor(tenantId, `F1${mark}`, { ...given, type: 'parcel.photographed' }), T0, plan);
  await acceptIn(stores.intake, eventFor(tenantId, `F1${mark}`, { ...given, type: 'endpoint.test', parcel: null, test: true }), T0, () =>
    planned(),
  );
  await acceptIn(stores.intake, eventFor(tenantId, `F2${mark}`, given), T0, () => null);
  const scope = { ownerId: tenantId, route: 'createEndpoint', key: `key ${mark}` };
  await stores.idempotency.add({ ...scope, fingerprint: 'f', seed: 's', claim: 'c', claimedUntil: 0, createdAt: 1, response: null });
  const counted = { counter: 'c', number: 1, records: [{ tenantId, day: '2026-01-31', amounts: { calls: 1 } }] };
  await stores.usage.add(counted);
  await stores.deliveryDays.add(counted);
  await stores.idempotency.complete(scope, 's', { status: 200, body: '{"secret":"whsec_SECRET"}' });
}

async function open() {
  const { db, documents, stores } = await openTestStores();
  // Written when events expire.
  const kept = ['tnt_a', 'tnt_ab'].map((tenantId) => ({ tenantId, parcel: 'FC1', last: 1, updatedAt: 1 }));
  await documents.apply(kept.map((insert) => ({ in: sequences, insert })));
  return {
    data: stores.tenantData,
    fill: (tenantId: string, mark: string) => fill(stores, tenantId, mark),
    dump: async () => dumpOf(db),
    close: async () => db.close(),
  };
}

describeTenantData('webhook', ['endpoints', 'deliveries', 'events', 'sequences', 'idempotency_keys', 'usage', 'delivery_figures'], open);

test('deliveries are listed with their attempts, and each with the beginning of the response of the own endpoint of the tenant', async () => {
  const { data, close, fill: write } = await open();
  await write('tnt_a', 'ALPHA');
  const kind = data.kinds.find((one) => one.name === 'deliveries');
  const records = kind === undefined ? [] : (await allRecords(kind, 'tnt_a')).map(({ record }) => record);
  const attempts = records.flatMap((record) => record['attempts'] as readonly object[]);
  expect(attempts).toEqual([expect.objectContaining({ attempt_number: 1, status_code: 200, response_body: 'x' })]);
  await close();
});
