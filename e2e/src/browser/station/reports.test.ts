import { expect, test } from '@jest/globals';
import { shows, useStation } from './use-station.ts';

/* Reports besides the weighing, and those that are refused. */

const station = useStation();

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

test('a report that is refused says why, and is fixed', async () => {
  const parcel = await station.announcedOne();
  const { trackingNumber } = parcel;
  const at = await station.bench();
  await at.weigh(trackingNumber, '200000 kg', '10x10x10');
  await at.networkSays('1 report rejected');
  await at.line('R');
  await at.page
    .getByText('weight_kg must be at most')
    .or(at.page.getByText(/42201 weight_kg/))
    .first()
    .waitFor();
  await at.enter(at.page.getByRole('button', { name: 'Fix' }));
  const weight = at.page.getByLabel('Weight in kg').last();
  await at.tabTo(weight);
  await weight.fill('2');
  await at.page.keyboard.press('Enter');
  await at.page.getByText('No reports are waiting on this device.').waitFor();
  await at.page.keyboard.press('Escape');
  await at.fieldHasFocus();
  await shows(parcel, { measurements: [{ weight_kg: 2 }] });
});
