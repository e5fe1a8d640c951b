import { expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { until } from '@parcelway/kernel/testing/until';
import { shows, useStation } from './use-station.ts';

/* Counts, unclaimed parcels, exceptions, holds and dispatches, with the keyboard and the scanner alone. */

const station = useStation();

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
  await station.stage.clerk.untilForecast(parcel.forecastNo, ({ status }) => status === 5, 'its dispatch');
  await at.line(trackingNumber);
  await at.page.getByText('This parcel has already left the warehouse').waitFor();
});
