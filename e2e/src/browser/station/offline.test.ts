import { expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { shows, useStation } from './use-station.ts';

/* What the device keeps without a network. */

const station = useStation();

test('a report and its photo survive a reload; the key does not', async () => {
  const parcel = await station.announcedOne();
  const { trackingNumber } = parcel;
  const at = await station.bench();
  await at.page.route('**/warehouse/v1/{events,photos}', (route) => route.abort('internetdisconnected'));
  await at.line(trackingNumber);
  await at.asked('Weight');
  await at.startCamera();
  await at.takePhoto();
  await at.line('6');
  await at.line('10x10x10');
  await at.line('');
  await at.networkSays('2 reports waiting');
  const kept = await at.page.evaluate(
    `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, document.documentElement.outerHTML])`,
  );
  expect(String(kept)).not.toContain(station.warehouse.key);
  await at.page.reload();
  await at.page.getByLabel('Warehouse key').waitFor();
  await at.signIn(station.warehouse.key);
  await at.networkSays('2 reports waiting');
  await at.page.unroute('**/warehouse/v1/{events,photos}');
  await at.networkSays('All reports sent', 60_000);
  await shows(parcel, { measurements: [{ weight_kg: 6, photos: [{}] }] });
});

test('a parcel that the page has heard of opens without a network, another one by its number', async () => {
  const { poNumber, trackingNumber } = await station.announcedOne();
  const at = await station.bench();
  await at.page.getByText(/^\d+ announced parcels? ha(s|ve) not left the warehouse$/).waitFor();
  await until(async () => !(await at.page.getByText(/^0 announced/).isVisible()));
  await at.cutNetwork(true);
  await at.line(trackingNumber);
  await at.page.getByRole('heading', { name: poNumber }).waitFor();
  await at.page.getByText('items and documents are not available').waitFor();
  await at.page.keyboard.press('Escape');
  await at.line('NEVER-HEARD-OF');
  await at.page.getByText('this number is not in the list on this device').waitFor();
});
