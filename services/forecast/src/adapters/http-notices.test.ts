import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ForecastHarness } from '../testing/forecast-harness.ts';

let app: ForecastHarness;

beforeEach(async () => {
  app = await ForecastHarness.open();
});

afterEach(() => app.close());

test('the event of a submission may wait for others, those of corrections and cancellations go at once, and a repeat has none', async () => {
  await app.submit(app.submission());
  await app.submit(app.submission());
  expect(app.notices).toEqual(['unhurried']);
  await app.correct('PO-1', { due_date: '2026-12-24' });
  await app.call('POST', '/open/v1/forecasts/PO-1/cancel');
  expect(app.notices).toEqual(['unhurried', 'now', 'now']);
});
