import { expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import type { StationPage } from './station-page.ts';
import { type Parcel, shows, useStation } from './use-station.ts';

/* Counting what has arrived, with the keyboard and the scanner alone. */

const station = useStation();

/** Announces a parcel of two products, and opens it at a bench. */
async function onTheBench(): Promise<{ at: StationPage; parcel: Parcel }> {
  const owner = await station.stage.operator.newMerchant();
  const trackingNumber = newPoNumber('SF');
  const items = [
    { sku_code: 'MUG-BLUE', barcode: '6901234567892', product_name_en: 'Mug', forecast_quantity: 3, tracking_number: trackingNumber },
    { sku_code: 'LAMP-02', product_name_en: 'Lamp', forecast_quantity: 2 },
  ];
  const { po_number, forecast_no } = (await owner.submitBody({ ...(await owner.body()), items })).data;
  const parcel = { owner, poNumber: po_number, forecastNo: forecast_no, trackingNumber };
  await station.stage.clerk.untilForecast(forecast_no, ({ status }) => status === 1, 'status 1');
  const at = await station.bench();
  await at.line(trackingNumber);
  await at.asked('Weight in kg');
  return { at, parcel };
}

/** Text of a line of the items. */
const line = (at: StationPage, sku: string): Promise<string> => at.page.locator('.items tr', { hasText: sku }).innerText();

test('scans and numbers count, a difference shows at once, and the merchant reads it', async () => {
  const { at, parcel } = await onTheBench();
  await at.line('6901234567892');
  await at.said('Press N to count');
  await at.line('N');
  await at.asked('Scan each piece, or type a quantity');
  await at.line('6901234567892');
  await at.said('MUG-BLUE: 1/3');
  await at.line('MUG-BLUE');
  await at.said('MUG-BLUE: 2/3');
  expect(await line(at, 'MUG-BLUE')).toMatch(/3\s+2\s+−1/);
  await at.line('LAMP-02');
  await at.line('3');
  await at.said('LAMP-02: 3/2, more than forecast');
  expect(await line(at, 'LAMP-02')).toMatch(/2\s+3\s+\+1/);
  await at.line('');
  await at.said('difference −1 +1');
  await at.line('1.5');
  await at.line('30x20x10');
  await at.line('');
  await at.said('is done: 1.5 kg, 0 photos.');
  await shows(parcel, {
    measurements: [{ weight_kg: 1.5 }],
    received_items: [
      { sku_code: 'MUG-BLUE', forecast_quantity: 3, received_quantity: 2, difference: -1 },
      { sku_code: 'LAMP-02', forecast_quantity: 2, received_quantity: 3, difference: 1 },
    ],
  });
});

test('numbers alone count line by line, without a scanner, and without a weighing', async () => {
  const { at, parcel } = await onTheBench();
  await at.line('n');
  await at.line('3');
  await at.line('2');
  await at.line('');
  await at.said('Counted 5/5: matches the forecast.');
  await at.line('E');
  await at.asked('Scan a parcel');
  await shows(parcel, { received_items: [{ difference: 0 }, { difference: 0 }], measurements: [] });
});

test('of a long list the marked line is on view, and the page stays where it is', async () => {
  const owner = await station.stage.operator.newMerchant();
  const trackingNumber = newPoNumber('SF');
  const items = Array.from({ length: 30 }, (_, index) => ({
    sku_code: `SKU-${index + 1}`,
    product_name_en: `Product ${index + 1}`,
    forecast_quantity: 1,
    ...(index === 0 && { tracking_number: trackingNumber }),
  }));
  const { forecast_no } = (await owner.submitBody({ ...(await owner.body()), items })).data;
  await station.stage.clerk.untilForecast(forecast_no, ({ status }) => status === 1, 'status 1');
  const at = await station.bench({ width: 1024, height: 768 });
  await at.line(trackingNumber);
  await at.asked('Weight in kg');
  await at.line('N');
  await at.line('#25');
  await at.page.locator('.items .marked', { hasText: 'SKU-25' }).waitFor();
  const seen = "(() => { const [list, row] = ['.items', '.items .marked'].map((at) => document.querySelector(at).getBoundingClientRect());";
  await at.until(`${seen} return row.top >= list.top && row.bottom <= list.bottom; })()`);
  expect(await at.page.evaluate('scrollY')).toBe(0);
});

test('a count that is made without a network waits with the other reports', async () => {
  const { at, parcel } = await onTheBench();
  await at.cutNetwork(true);
  await at.line('N');
  await at.line('STRANGE-1');
  await at.said('STRANGE-1 is not in this forecast.');
  await at.line('STRANGE-1');
  await at.line('');
  await at.line('E');
  await at.networkSays(/reports? waits?/);
  await at.cutNetwork(false);
  await at.networkSays('All reports sent', 60_000);
  await shows(parcel, {
    received_items: [
      { received_quantity: 0 },
      { received_quantity: 0 },
      { sku_code: 'STRANGE-1', forecast_quantity: 0, received_quantity: 1 },
    ],
  });
});
