import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readDocumentName } from '@parcelway/contracts/document-url';
import { FILE_SECRET, ForecastHarness } from '../testing/forecast-harness.ts';

let app: ForecastHarness;
beforeEach(async () => {
  app = await ForecastHarness.open();
});
afterEach(() => app.close());

const named = (url: string) => readDocumentName(FILE_SECRET, 'sandbox', url.split('/files/')[1] ?? '');

test('a forecast has a product label and a packing slip from its acceptance on, of its current version', async () => {
  const { data: accepted } = await app.submit(app.submission());
  const { forecast_no: forecastNo } = accepted;
  const read = async () => (await app.call('GET', '/open/v1/forecasts/PO-1')).data;
  for (const version of [1, 2]) {
    if (version === 2) await app.correct('PO-1', { due_date: '2026-12-24' });
    const { marketplace_label, marketplace_label_version, packing_slip } = await read();
    expect(marketplace_label_version).toBe(version);
    expect(named(marketplace_label)).toEqual({ kind: 'label', tenantId: 'tnt_a', forecastNo, version });
    expect(named(packing_slip)).toEqual({ kind: 'slip', tenantId: 'tnt_a', forecastNo, version });
  }
  await app.call('POST', '/open/v1/forecasts/PO-1/cancel');
  expect(await read()).toMatchObject({ status: 7, marketplace_label_version: 2, marketplace_label: expect.stringContaining('.v2-') });
});
