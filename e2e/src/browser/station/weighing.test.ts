import { expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { shows, useStation } from './use-station.ts';

/* Weighing at the bench with the keyboard and the scanner, a scale and a printer. */

const station = useStation();

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
