import { expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { shows, useStation } from './use-station.ts';

/* Weighing at the bench with the keyboard and the scanner, a scale and a printer. */

const station = useStation();

test('a weighing takes four lines, and the first one reports the arrival', async () => {
  const parcel = await station.announcedOne();
  const { trackingNumber, poNumber } = parcel;
  const at = await station.bench();
  await at.line(trackingNumber);
  await at.said(`${poNumber} has arrived.`);
  await shows(parcel, { status: 2 });
  await at.line('2,5');
  await at.line('40 30 20');
  await at.line('');
  await at.said(`${poNumber} is done: 2.5 kg, 0 photos.`);
  await shows(parcel, { status: 3, measurements: [{ weight_kg: 2.5, length_cm: 40, width_cm: 30, height_cm: 20 }] });
});

test('lines that are typed faster than the network responds are processed in their order', async () => {
  const parcel = await station.announcedOne();
  const { trackingNumber } = parcel;
  const at = await station.bench();
  await at.page.route('**/warehouse/v1/lookup?*', async (route) => {
    await until(async () => (await at.page.locator('.command-line label').textContent()) === 'Looking up…');
    await route.continue();
  });
  await at.weigh(trackingNumber, '3', '10x10x10');
  await shows(parcel, { measurements: [{ weight_kg: 3 }] });
});

test('the scale gives the weight, and documents are printed by a letter', async () => {
  const parcel = await station.announcedOne();
  const { forecastNo, trackingNumber } = parcel;
  const at = await station.bench();
  await at.line('G');
  await at.enter(at.page.getByRole('button', { name: 'Choose a port' }));
  await at.page.getByRole('button', { name: 'Disconnect' }).waitFor();
  await at.page.keyboard.press('Escape');
  await at.line(trackingNumber);
  await at.asked('Weight in kg');
  await at.scaleSays('US,GS,+  1.100kg');
  await at.asked('Enter to read the scale');
  await at.line('');
  await at.said('The scale is not stable yet.');
  await at.scaleSays('ST,GS,+  1.234kg');
  await at.page.locator('.scale-stable').waitFor();
  await at.line('');
  await at.asked('Length');
  await until(async () => (await station.stage.clerk.forecast(forecastNo)).packing_slip !== null);
  await at.page.keyboard.press('Escape');
  await at.page.keyboard.press('Escape');
  await at.line(trackingNumber);
  await at.asked('Weight');
  for (const [letter, name] of [
    ['L', 'Shipping label'],
    ['P', 'Product label'],
    ['Q', 'Labels per piece'],
  ] as const) {
    await at.line(letter);
    await at.page.getByText(`Printing: ${name}`).waitFor();
  }
  const { shipping_label, marketplace_label } = await station.stage.clerk.forecast(forecastNo);
  const paths = [shipping_label, marketplace_label, `${marketplace_label}?copies=quantity`].map((url) => new URL(String(url)));
  await until(async () => (await at.printed()).length === 3, { what: 'three documents to be printed' });
  expect((await at.printed()).sort()).toEqual(paths.map(({ pathname, search }) => pathname + search).sort());
  await at.line('');
  await at.line('10x10x10');
  await at.line('');
  await shows(parcel, { measurements: [{ weight_kg: 1.234 }] });
});

const look = { width: 1280, height: 800 };

test('a click on the weight corrects it, and the field keeps the focus', async () => {
  const parcel = await station.announcedOne();
  const at = await station.bench(look);
  await at.line(parcel.trackingNumber);
  await at.line('1.25');
  await at.asked('Length');
  await at.page.getByRole('button', { name: 'Weight 1.25 kg' }).click();
  await at.asked('Weight in kg');
  await at.line('2.25');
  await at.asked('Length');
  await at.line('30x20x10');
  await at.page.getByRole('button', { name: /^Size/ }).click();
  await at.line('40x20x10');
  await at.line('');
  await at.said(`${parcel.poNumber} is done: 2.25 kg, 0 photos.`);
  await shows(parcel, { measurements: [{ weight_kg: 2.25, length_cm: 40 }] });
});

test('a camera that starts takes no photo, and says so; nothing moves because of it', async () => {
  const { trackingNumber } = await station.announcedOne();
  const at = await station.bench(look);
  await at.line(trackingNumber);
  await at.asked('Weight in kg');
  const finish = at.page.getByRole('button', { name: 'Finish' });
  const before = await finish.boundingBox();
  await at.line('C');
  await at.page.getByText('Live: press C to take a photo').waitFor();
  await at.page.getByText('No photos yet').waitFor();
  expect(await finish.boundingBox()).toEqual(before);
  await at.line('C');
  await at.page.locator('.picture').waitFor();
  expect(await at.page.getByText('No photos yet').count()).toBe(0);
  expect(await finish.boundingBox()).toEqual(before);
});
