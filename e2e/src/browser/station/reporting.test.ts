import { expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { until } from '@parcelway/kernel/testing/until';
import type { StationPage } from './station-page.ts';
import { type Parcel, shows, useStation } from './use-station.ts';

/* Counts, unclaimed parcels, exceptions, holds and dispatches, with the keyboard and the scanner alone. */

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

test('a parcel that was weighed at the bench without a forecast is claimed there by its order number', async () => {
  const number = newPoNumber('LOST');
  const parcel = await station.announcedOne();
  const at = await station.bench();
  await at.line(number);
  await at.page.getByText('If you weigh it, it is reported as an unclaimed parcel').waitFor();
  await at.line('');
  await at.said(`${number}: reported as unclaimed.`);
  await at.line('2');
  await at.line('10x10x10');
  await at.line('');
  await at.said(`${number} is done: 2 kg, 0 photos. It is unclaimed`);
  await at.networkSays('All reports sent');
  await at.line('a');
  await at.page.locator('.candidates strong', { hasText: number }).waitFor();
  await at.page.getByText('No forecast found').first().waitFor();
  await at.line(number);
  await at.asked('Which forecast?');
  await at.page.getByText('2 kg, 10 × 10 × 10 cm').waitFor();
  await at.line(parcel.poNumber);
  await at.page.getByRole('heading', { name: `Does ${number} belong to this forecast?` }).waitFor();
  await at.page.getByText(parcel.forecastNo).waitFor();
  await at.line('');
  await at.said(`${number} was claimed for ${parcel.poNumber} (2 reports).`);
  await until(async () => (await at.page.locator('.candidates strong', { hasText: number }).count()) === 0, {
    what: 'the list without it',
  });
  expect(await at.region('Recent reports').getByText(`Claimed for ${parcel.poNumber}`).count()).toBe(2);
  await shows(parcel, { status: 3, measurements: [{ weight_kg: 2 }] });
});

test('exceptions with photos, holds and a dispatch are reported by letters', async () => {
  const parcel = await station.announcedOne();
  const { trackingNumber } = parcel;
  const at = await station.bench();
  await at.line(trackingNumber);
  await at.asked('Weight');
  await at.startCamera();
  await at.takePhoto();
  await at.line('X');
  await at.line('1');
  // Any other letter would be taken for the text.
  await at.asked('Describe it');
  expect(await at.page.locator('aside kbd').allTextContents()).toEqual(['C', 'F', 'Esc']);
  await at.takePhoto(2);
  await at.line('One corner is crushed');
  await at.said('Reported: Exception.');
  await at.page.locator('.alarm', { hasText: 'One corner is crushed' }).waitFor();
  await at.line('H');
  await at.line('Customs papers are missing');
  await at.page.getByText('Do not send it.').waitFor();
  await shows(parcel, {
    on_hold: true,
    holds: [{ reason: 'Customs papers are missing' }],
    exceptions: [{ reason: 'damaged', text: 'One corner is crushed', photos: [{}, {}] }],
  });
  await at.line('H');
  await at.said('Reported: Release.');
  await at.line('D');
  await at.line('dlh');
  await at.said('No connection names the carrier dlh.');
  await at.line('YT2632500123456789');
  await at.page.getByText('Enter: use yunexpress, as the tracking number says').waitFor();
  await at.line('');
  await at.asked('Scan a parcel');
  await shows(parcel, { on_hold: false, status: 5 });
  await at.line(trackingNumber);
  await at.page.getByText('This parcel has already left the warehouse').waitFor();
});
