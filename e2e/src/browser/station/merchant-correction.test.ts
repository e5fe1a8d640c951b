import { expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { samplePdf } from '@parcelway/harness/sample-data';
import { until } from '@parcelway/kernel/testing/until';
import { type Parcel, shows, useStation } from './use-station.ts';

/* What the merchant corrects while the parcel lies on the bench. */

/** Milliseconds within which the page hears of a change: it asks every 15 s. */
const HEARD_WITHIN_MS = 30_000;

const station = useStation();

/** The merchant gives the parcel another shipping label. @returns path of its address, once the warehouse can read it */
async function relabelled({ owner, poNumber, forecastNo }: Parcel): Promise<string> {
  const { url } = (await owner.upload('label.pdf', samplePdf(newPoNumber('LABEL')))).data;
  expect((await owner.correct(poNumber, { shipping_label: url })).code).toBe('0');
  await until(async () => (await station.stage.clerk.forecast(forecastNo)).shipping_label === url, {
    what: 'the warehouse to see the new label',
  });
  return pathOf(url);
}

const pathOf = (url: string | null): string => new URL(String(url)).pathname;

test('a label that the merchant corrects raises an alarm, the new one is printed, and a dispatch asks first', async () => {
  const parcel = await station.announcedOne();
  const at = await station.bench();
  await at.line(parcel.trackingNumber);
  await at.asked('Weight');
  await shows(parcel, { status: 2 });
  const former = pathOf((await station.stage.clerk.forecast(parcel.forecastNo)).shipping_label);
  await at.line('L');
  await until(async () => (await at.printed()).length === 1, { what: 'the former label to be printed' });
  await at.line('1.25');

  const corrected = await relabelled(parcel);
  const alarm = at.page.getByRole('alert').filter({ hasText: 'The merchant corrected this parcel. Print the documents again.' });
  await alarm.waitFor({ timeout: HEARD_WITHIN_MS });
  expect(await alarm.textContent()).toContain('Printed here before the correction, now out of date: Shipping label');
  expect(await alarm.textContent()).toContain('New shipping label');
  await at.page.getByText('1.25 kg').waitFor();
  expect(await at.seriousFaults()).toEqual([]);
  await at.line('D');
  await at.asked('Press D again to dispatch it');
  await at.page.keyboard.press('Escape');
  await at.line('L');
  await until(async () => (await at.printed()).length === 2, { what: 'the new label to be printed' });
  expect(await at.printed()).toEqual([former, corrected]);
  await alarm.waitFor({ state: 'detached' });

  // Nobody waits for the page to hear of the next one: it asks by itself before the parcel leaves.
  await at.line('D');
  await at.line('yunexpress');
  const last = await relabelled(parcel);
  await at.line('YT2632500123456789');
  await at.asked('Press D again to dispatch it');
  await alarm.waitFor();
  await at.page.keyboard.press('Escape');
  await at.line('L');
  await until(async () => (await at.printed()).length === 3, { what: 'the last label to be printed' });
  expect((await at.printed()).at(-1)).toBe(last);
  await alarm.waitFor({ state: 'detached' });
  expect((await parcel.owner.forecast(parcel.poNumber)).status).toBe(2);
  await at.line('D');
  await at.line('yunexpress');
  await at.line('YT2632500123456789');
  await at.said('Reported: Dispatch.');
  await shows(parcel, { status: 5 });
});
