import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import { actionsOn, message, openStores } from '../testing/store-under-test.ts';
import { createForecastExpiry, type EndedForecast, type ExpiredForecast } from './forecast-expiry.ts';

const { COMPLETED, CANCELLED } = forecastStatuses;

let open: ReturnType<typeof openStores>;
let expiry: ReturnType<typeof createForecastExpiry>;
beforeEach(() => {
  open = openStores();
  expiry = createForecastExpiry(open.documents, () => 1000);
});
afterEach(() => open.close());
const { insert, change } = actionsOn(() => open.store);

async function end(tenantId: string, updatedAt: number, ...numbers: readonly string[]): Promise<void> {
  for (const no of numbers) {
    await insert({ no, tenantId, claims: [`LP-${no}`], terms: [`nLP-${no}`] });
    await change(no, { status: COMPLETED, updatedAt }, 'we-1 WH1', tenantId);
  }
}

const numbersOf = (ended: readonly EndedForecast[]): string[] => ended.map(({ value }) => value.forecastNo);
const withMessages = (ended: readonly EndedForecast[]): ExpiredForecast[] =>
  ended.map((forecast) => ({ forecast, message: message(`expired ${forecast.value.forecastNo}`) }));
const forecastsOf = (expired: readonly ExpiredForecast[]): string[] => numbersOf(expired.map(({ forecast }) => forecast));
const endedBefore = (before: number, after?: EndedForecast, of: 'forecasts' | 'files' = 'forecasts') =>
  expiry.ended('tnt_a', { of, before, after, limit: 10 });

test('finds what has ended, oldest first, tenant by tenant', async () => {
  await end('tnt_b', 50, 'B1');
  await end('tnt_a', 30, 'A3');
  await end('tnt_a', 10, 'A1', 'A2');
  await insert({ no: 'A4', updatedAt: 5 });
  await insert({ no: 'A5' });
  await change('A5', { status: CANCELLED, updatedAt: 20 });
  expect(await expiry.nextTenant('')).toEqual({ tenantId: 'tnt_a', endedAt: 10 });
  expect(await expiry.nextTenant('tnt_a')).toEqual({ tenantId: 'tnt_b', endedAt: 50 });
  expect(await expiry.nextTenant('tnt_b')).toBeUndefined();
  expect(numbersOf(await endedBefore(30))).toEqual(['A1', 'A2', 'A5']);
  const [first] = await endedBefore(31);
  expect(numbersOf(await endedBefore(31, first))).toEqual(['A2', 'A5', 'A3']);
});

test('deletes a forecast with all that belongs to it, its message is written, and its numbers are free', async () => {
  await end('tnt_a', 10, 'A1');
  await end('tnt_b', 10, 'A1');
  const ended = await endedBefore(11);
  expect(forecastsOf(await expiry.expire('tnt_a', withMessages(ended)))).toEqual(['A1']);
  expect(await open.store.findByPoNumber('tnt_a', 'PO-A1')).toBeUndefined();
  expect(await open.store.findByPoNumber('tnt_b', 'PO-A1')).toBeDefined();
  expect(await expiry.expire('tnt_a', withMessages(ended))).toEqual([]);
  expect(await open.outbox()).toEqual(['expired A1']);
  expect(await insert({ no: 'A1', claims: ['LP-A1'] })).toMatchObject({ kind: 'inserted' });
});

test('leaves what has changed since, without a message', async () => {
  await end('tnt_a', 10, 'A1', 'A2');
  const ended = await endedBefore(11);
  await change('A1', { status: COMPLETED, updatedAt: 40 });
  expect(forecastsOf(await expiry.expire('tnt_a', withMessages(ended)))).toEqual(['A2']);
  expect(await open.outbox()).toEqual(['expired A2']);
  expect(numbersOf(await endedBefore(100))).toEqual(['A1']);
});

test('finds forecasts whose files have not expired, and again those that have changed since', async () => {
  await end('tnt_a', 10, 'A1', 'A2');
  const filesOf = async (before: number) => endedBefore(before, undefined, 'files');
  const found = await filesOf(11);
  expect([numbersOf(found), numbersOf(await endedBefore(11, found[0], 'files'))]).toEqual([['A1', 'A2'], ['A2']]);
  await change('A2', { status: COMPLETED, updatedAt: 40 });
  expect([forecastsOf(await expiry.expireFiles(withMessages(found))), await open.outbox()]).toEqual([['A1'], ['expired A1']]);
  // A change of the images of a forecast that has ended leaves its instant as it is.
  await change('A1', { status: COMPLETED, updatedAt: 10 });
  expect(numbersOf(await filesOf(100))).toEqual(['A2']);
  await change('A1', { status: COMPLETED, updatedAt: 50 });
  expect(numbersOf(await filesOf(100))).toEqual(['A2', 'A1']);
});
