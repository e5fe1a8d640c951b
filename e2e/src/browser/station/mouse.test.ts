import { expect, test } from '@jest/globals';
import { shows, useStation } from './use-station.ts';

/* The bench where somebody reaches for the mouse, or looks at what the page shows, at 1280 x 800. */

const look = { width: 1280, height: 800 };

const station = useStation();

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

test('Escape after a look at the guide goes back as ever', async () => {
  const { trackingNumber } = await station.announcedOne();
  const at = await station.bench(look);
  await at.line(trackingNumber);
  await at.asked('Weight in kg');
  const opened = at.page.waitForEvent('popup');
  await at.page.getByRole('link', { name: 'Guide' }).click();
  await (await opened).close();
  await at.fieldHasFocus();
  await at.page.getByRole('link', { name: 'Guide' }).focus();
  await at.page.keyboard.press('Escape');
  await at.page.keyboard.press('Escape');
  await at.asked('Scan a parcel');
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

test('a count of five lines and its buttons fit the window', async () => {
  const owner = await station.stage.operator.newMerchant();
  const items = Array.from({ length: 5 }, (_, index) => ({
    sku_code: `SET-${index + 1}`,
    barcode: '4006381333931',
    product_name_en: `Set piece ${index + 1}`,
    forecast_quantity: 2,
  }));
  const { forecast_no } = (await owner.submitBody({ ...(await owner.body()), items })).data;
  await station.stage.clerk.untilForecast(forecast_no, ({ status }) => status === 1, 'status 1');
  const at = await station.bench(look);
  await at.line(forecast_no);
  await at.asked('Weight in kg');
  const tops = await at.page.locator('fieldset.buttons button').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
  expect([tops.length, new Set(tops).size]).toEqual([5, 1]);
  for (const line of ['N', '2', '2', '2', '2', '1', '']) await at.line(line);
  await at.said('difference −1');
  const list = at.page.locator('.items');
  expect(await list.evaluate(({ scrollTop, scrollHeight, clientHeight }) => [scrollTop, scrollHeight - clientHeight])).toEqual([0, 0]);
  expect(await at.page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
});

test('a cancelled parcel is put aside', async () => {
  const parcel = await station.announcedOne();
  await parcel.owner.cancel(parcel.poNumber);
  await station.stage.clerk.untilForecast(parcel.forecastNo, ({ status }) => status === 7, 'status 7');
  const at = await station.bench(look);
  await at.line(parcel.trackingNumber);
  await at.asked('Cancelled by the merchant. Press Esc to put it aside');
  await at.line('D');
  await at.said('Do not weigh or send it');
  await at.page.keyboard.press('Escape');
  await at.said('was put aside without a weight.');
});
