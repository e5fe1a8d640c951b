import { describe, expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { shows, useStation } from './use-station.ts';

/* What a scan leads to. */

const station = useStation();

describe('a scan', () => {
  test('that fits several parcels is resolved by typing a number', async () => {
    const trackingNumber = newPoNumber('TWICE');
    const [first, second] = [await station.announcedOne({ trackingNumber }), await station.announcedOne({ trackingNumber })];
    const at = await station.bench();
    await at.line(trackingNumber);
    await at.asked('Which parcel is it?');
    const shown = await at.page.locator('.candidates strong').allTextContents();
    expect([...shown].sort()).toEqual([first.poNumber, second.poNumber].sort());
    await at.line(String(shown.indexOf(second.poNumber) + 1));
    await at.asked('Weight');
    await at.line('4');
    await at.line('10x10x10');
    await at.line('');
    await shows(second, { measurements: [{ weight_kg: 4 }] });
    expect((await first.owner.forecast(first.poNumber)).measurements).toEqual([]);
  });

  test('that fits nothing is weighed anyway, and waits for its forecast', async () => {
    const trackingNumber = newPoNumber('EARLY');
    const at = await station.bench();
    await at.line(trackingNumber);
    await at.page.getByRole('heading', { name: 'No forecast found' }).waitFor();
    await at.line('');
    await at.line('5');
    await at.line('10x10x10');
    await at.line('');
    await at.page.getByText('Unclaimed: no forecast yet.').first().waitFor();
    await shows(await station.announcedOne({ trackingNumber }), { status: 3, measurements: [{ weight_kg: 5 }] });
  });

  test('of markup is shown as text', async () => {
    const at = await station.bench();
    await at.line('<img src=x onerror="document.title=1">');
    await at.page.locator('.scan-shown', { hasText: '<img src=x' }).waitFor();
    expect(await at.page.locator('main img').count()).toBe(0);
  });
});

test('the code of a product is refused without a network, and with one reported only as the number of the carrier', async () => {
  // EAN-13 that no forecast declares.
  const scan = '4006381333931';
  const at = await station.bench();
  await at.cutNetwork(true);
  await at.line(scan);
  await at.said('is a product barcode. It cannot be looked up without a network');
  await at.asked('Scan a parcel');
  await at.line('');
  await at.asked('Scan a parcel');
  await at.cutNetwork(false);
  await at.networkSays('All reports sent', 60_000);
  await at.line(scan);
  await at.page.getByRole('heading', { name: 'No forecast found' }).waitFor();
  await at.line('');
  await at.asked('Is it the tracking number?');
  expect((await station.stage.clerk.unclaimed()).filter(({ express_no }) => express_no === scan)).toEqual([]);
  await at.line('');
  await at.said(`${scan}: reported as unclaimed.`);
});
