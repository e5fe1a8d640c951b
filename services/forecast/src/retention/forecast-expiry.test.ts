import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import { openStores } from '../testing/open-stores.ts';
import { actionsOn, forecast, message } from '../testing/store-under-test.ts';
import { createForecastExpiry, type EndedForecast } from './forecast-expiry.ts';
import { createTenantRetentions } from './tenant-retention-store.ts';

const { COMPLETED, CANCELLED } = forecastStatuses;

function openExpiry() {
  const stores = openStores();
  return {
    ...stores,
    expiry: createForecastExpiry(stores.documents, () => 1000),
    retentions: createTenantRetentions(stores.documents),
    publish: async () => stores.log.remove((await stores.log.lease(1000)).map(({ id }) => id)),
  };
}

let open: ReturnType<typeof openExpiry>;
beforeEach(() => {
  open = openExpiry();
});
afterEach(() => open.close());
const { change } = actionsOn(() => open.store);

async function end(tenantId: string, updatedAt: number, ...numbers: readonly string[]): Promise<void> {
  for (const no of numbers) {
    await open.store.insert(forecast({ no, tenantId, claims: [`LP-${no}`], terms: [`nLP-${no}`] }), []);
    await change(no, { status: COMPLETED, updatedAt }, 'we-1 WH1', tenantId);
  }
}

const numbersOf = (ended: readonly EndedForecast[]): string[] => ended.map(({ value }) => value.forecastNo);
const expire = async (ended: readonly EndedForecast[]): Promise<readonly EndedForecast[]> => {
  const expired = ended.map((one) => ({ forecast: one, message: message(`expired ${one.value.forecastNo}`) }));
  return (await open.expiry.expire('tnt_a', expired)).map(({ forecast }) => forecast);
};
const endedBefore = (before: number, after?: EndedForecast, limit = 10) =>
  open.expiry.ended('tnt_a', { of: 'forecasts', before, after, limit });

test('finds what has ended, oldest first, tenant by tenant', async () => {
  await end('tnt_b', 50, 'B1');
  await end('tnt_a', 30, 'A3');
  await end('tnt_a', 10, 'A1', 'A2');
  await open.store.insert(forecast({ no: 'A4', updatedAt: 5 }), []);
  await open.store.insert(forecast({ no: 'A5' }), []);
  await change('A5', { status: CANCELLED, updatedAt: 20 });
  expect(await open.expiry.nextTenant('')).toEqual({ tenantId: 'tnt_a', endedAt: 10 });
  expect(await open.expiry.nextTenant('tnt_a')).toEqual({ tenantId: 'tnt_b', endedAt: 50 });
  expect(await open.expiry.nextTenant('tnt_b')).toBeUndefined();
  const ended = await endedBefore(30);
  expect(numbersOf(ended)).toEqual(['A1', 'A2', 'A5']);
  expect(ended[0]).toMatchObject({ value: { tenantId: 'tnt_a', itemCount: 1, endedAt: 10 } });
  expect(numbersOf(await endedBefore(31, undefined, 2))).toEqual(['A1', 'A2']);
  expect(numbersOf(await endedBefore(31, ended[0]))).toEqual(['A2', 'A5', 'A3']);
  expect(numbersOf(await endedBefore(10))).toEqual([]);
});

test('deletes a forecast with all that belongs to it, and its message is written', async () => {
  await end('tnt_a', 10, 'A1', 'A2');
  await end('tnt_b', 10, 'A1');
  await open.publish();
  const ended = await endedBefore(11, undefined, 1);
  expect(numbersOf(await expire(ended))).toEqual(['A1']);
  expect(await open.outbox()).toEqual(['expired A1']);
  expect(await open.store.readByForecastNo('tnt_a', 'A1')).toBeUndefined();
  expect(await open.store.readContent('tnt_a', 'A1')).toBeUndefined();
  expect(await open.store.findByPoNumber('tnt_a', 'PO-A1')).toBeUndefined();
  expect(await open.store.findByPoNumber('tnt_a', 'PO-A2')).toBeDefined();
  expect(await open.store.findByPoNumber('tnt_b', 'PO-A1')).toBeDefined();
  expect(numbersOf(await expire(ended))).toEqual([]);
  expect(await open.outbox()).toEqual(['expired A1']);
  // Its numbers are free again.
  expect(await open.store.insert(forecast({ no: 'A1', claims: ['LP-A1'] }), [])).toMatchObject({ kind: 'inserted' });
});

test('leaves what has changed since, without a message', async () => {
  await end('tnt_a', 10, 'A1', 'A2');
  await open.publish();
  const ended = await endedBefore(11);
  await change('A1', { status: COMPLETED, updatedAt: 40 });
  expect(numbersOf(await expire(ended))).toEqual(['A2']);
  expect(await open.outbox()).toEqual(['expired A2']);
  expect(numbersOf(await endedBefore(100))).toEqual(['A1']);
});

test('finds forecasts whose files have not expired, and again those that have changed since', async () => {
  await end('tnt_a', 10, 'A1', 'A2');
  await open.publish();
  const filesOf = async (before: number, after?: EndedForecast) => open.expiry.ended('tnt_a', { of: 'files', before, after, limit: 10 });
  const found = await filesOf(11);
  expect([numbersOf(found), numbersOf(await filesOf(11, found[0]))]).toEqual([['A1', 'A2'], ['A2']]);
  await change('A2', { status: COMPLETED, updatedAt: 40 });
  const expired = await open.expiry.expireFiles(found.map((one) => ({ forecast: one, message: message(`files ${one.value.forecastNo}`) })));
  expect([numbersOf(expired.map(({ forecast }) => forecast)), await open.outbox()]).toEqual([['A1'], ['files A1']]);
  // A change of the images of a forecast that has ended leaves its instant as it is.
  await change('A1', { status: COMPLETED, updatedAt: 10 });
  expect(numbersOf(await filesOf(100))).toEqual(['A2']);
  await change('A1', { status: COMPLETED, updatedAt: 50 });
  expect(numbersOf(await filesOf(100))).toEqual(['A2', 'A1']);
});
