import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import { openStores } from '../testing/open-stores.ts';
import { actionsOn, forecast, message } from '../testing/store-under-test.ts';
import { createForecastExpiry } from './forecast-expiry.ts';
import type { EndedForecast } from './ports.ts';
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

const numbersOf = (ended: readonly EndedForecast[]): string[] => ended.map(({ forecastNo }) => forecastNo);
const expire = (ended: readonly EndedForecast[]) =>
  open.expiry.expire(
    'tnt_a',
    ended.map((one) => ({ forecast: one, message: message(`expired ${one.forecastNo}`) })),
  );

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
  const ended = await open.expiry.ended('tnt_a', 30, undefined, 10);
  expect(numbersOf(ended)).toEqual(['A1', 'A2', 'A5']);
  expect(ended[0]).toMatchObject({ tenantId: 'tnt_a', itemCount: 1, endedAt: 10 });
  expect(numbersOf(await open.expiry.ended('tnt_a', 31, undefined, 2))).toEqual(['A1', 'A2']);
  expect(numbersOf(await open.expiry.ended('tnt_a', 31, ended[0]?.place, 10))).toEqual(['A2', 'A5', 'A3']);
  expect(numbersOf(await open.expiry.ended('tnt_a', 10, undefined, 10))).toEqual([]);
});

test('deletes a forecast with all that belongs to it, and its message is written', async () => {
  await end('tnt_a', 10, 'A1', 'A2');
  await end('tnt_b', 10, 'A1');
  await open.publish();
  const ended = await open.expiry.ended('tnt_a', 11, undefined, 1);
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
  const ended = await open.expiry.ended('tnt_a', 11, undefined, 10);
  await change('A1', { status: COMPLETED, updatedAt: 40 });
  expect(numbersOf(await expire(ended))).toEqual(['A2']);
  expect(await open.outbox()).toEqual(['expired A2']);
  expect(numbersOf(await open.expiry.ended('tnt_a', 100, undefined, 10))).toEqual(['A1']);
});

test('keeps up to where files have expired, with their messages', async () => {
  expect(await open.expiry.filesExpiredTo('tnt_a')).toBeUndefined();
  await open.expiry.expireFiles('tnt_a', 'place 1', [message('files 1'), message('files 2')]);
  await open.expiry.expireFiles('tnt_a', 'place 2', []);
  expect(await open.expiry.filesExpiredTo('tnt_a')).toEqual('place 2');
  expect(await open.expiry.filesExpiredTo('tnt_b')).toBeUndefined();
  expect(await open.outbox()).toEqual(['files 1', 'files 2']);
});

test('keeps which forecasts were skipped, until they are settled', async () => {
  expect(await open.expiry.filesSkipped('tnt_a')).toEqual([]);
  await open.expiry.expireFiles('tnt_a', 'place 1', [message('files 1')], ['A1', 'A2']);
  await open.expiry.expireFiles('tnt_a', 'place 2', [], ['A2', 'A3']);
  await open.expiry.expireFiles('tnt_a', 'place 3', []);
  expect([...(await open.expiry.filesSkipped('tnt_a'))].sort()).toEqual(['A1', 'A2', 'A3']);
  await open.expiry.settleFiles('tnt_a', 'A2', [message('files of A2')]);
  await open.expiry.settleFiles('tnt_a', 'A3', []);
  await open.expiry.settleFiles('tnt_a', 'none', []);
  expect(await open.expiry.filesSkipped('tnt_a')).toEqual(['A1']);
  expect(await open.expiry.filesSkipped('tnt_b')).toEqual([]);
  expect(await open.expiry.filesExpiredTo('tnt_a')).toEqual('place 3');
  expect(await open.outbox()).toEqual(['files 1', 'files of A2']);
});
