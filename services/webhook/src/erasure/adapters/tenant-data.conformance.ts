import { expect, test } from '@jest/globals';
import { allRecords, describeTenantData, type TenantDataDriver } from '@parcelway/kernel/testing/tenant-data-suite';
import type { LeasedDelivery } from '../../intake/domain/delivery.ts';
import type { WebhookStores } from '../../ports.ts';
import { acceptIn, endpointFor, eventFor, keep, planned, resultOf, T0 } from '../../testing/webhook-fixtures.ts';

/** Stores over one database, empty at first. */
export interface OpenStores extends Omit<TenantDataDriver, 'data' | 'fill'> {
  readonly stores: WebhookStores;
}

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

/** What the data of tenants must do in both stores. @param kinds names of the listed kinds that the store fills */
export function describeWebhookTenantData(name: string, kinds: readonly string[], open: () => Promise<OpenStores>): void {
  describeTenantData(name, kinds, async () => {
    const opened = await open();
    const { stores } = opened;
    return { ...opened, data: stores.tenantData, fill: (tenantId, mark) => fill(stores, tenantId, mark) };
  });

  test(`${name}: deliveries are listed with their attempts, and each with the beginning of the response of the tenant's own endpoint`, async () => {
    const { stores, close } = await open();
    await fill(stores, 'tnt_a', 'ALPHA');
    const kind = stores.tenantData.kinds.find((one) => one.name === 'deliveries');
    const records = kind === undefined ? [] : (await allRecords(kind, 'tnt_a')).map(({ record }) => record);
    const attempts = records.flatMap((record) => record['attempts'] as readonly object[]);
    expect(attempts).toEqual([expect.objectContaining({ status_code: 200, response_body: 'x' })]);
    await close();
  });
}
