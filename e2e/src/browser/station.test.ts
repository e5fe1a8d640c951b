import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { until } from '@parcelway/kernel/testing/until';
import { hasFocus } from './page-window.ts';
import type { StationLook, StationPage } from './station-page.ts';
import { type Parcel, type ParcelSample, StationStage, shows } from './station-stage.ts';

/* The packing bench in a real browser, on a real platform: keyboard and scanner, a fake scale, a fake camera, a network that is cut. */

// How long the network is cut in the middle of twenty parcels, at least: two minutes in `npm run test:real` and in CI.
const OUTAGE_MS = Number(process.env['STATION_OUTAGE_MS'] ?? 3000);
// Each test opens a browser window; on a machine with other work to do that alone takes seconds.
jest.setTimeout(90_000);

let station: StationStage;

beforeAll(async () => {
  station = await StationStage.open();
}, 60_000);
afterEach(() => station.cleared());
afterAll(() => station?.close(), 60_000);

const opened = (look: StationLook = {}): Promise<StationPage> => station.opened(look);
const bench = (look: StationLook = {}): Promise<StationPage> => station.bench(look);
const announcedOne = (sample: ParcelSample = {}): Promise<Parcel> => station.announcedOne(sample);

/** Turns the camera on and waits for its picture. */
async function startCamera(at: StationPage): Promise<void> {
  await at.line('C');
  await at.until("document.querySelector('video')?.videoWidth > 0");
}

async function takePhoto(at: StationPage, count = 1): Promise<void> {
  await at.line('C');
  await until(async () => (await at.page.locator('.picture').count()) === count, { what: 'the photo' });
}

test(
  'twenty parcels with the keyboard alone, and a network that is cut in the middle: none is lost, none doubled, photos attached',
  async () => {
    const parcels = await station.announced(await station.stage.operator.newMerchant(), 20);
    const at = await bench();
    await at.page.getByText(/^\d\d+ parcels are announced and have not left$/).waitFor();
    let cutAt = 0;
    for (const [index, { poNumber, trackingNumber }] of parcels.entries()) {
      if (index === 7) {
        await at.cutNetwork(true);
        cutAt = Date.now();
      }
      if (index === 14) {
        await at.networkSays('Offline');
        // Seven parcels, each with its arrival; what was on its way when the network went comes on top.
        await at.networkSays(/1[4-9] reports wait/);
        await until(() => Date.now() >= cutAt + OUTAGE_MS, { within: OUTAGE_MS + 20_000, what: 'the end of the outage' });
        await at.cutNetwork(false);
      }
      await at.line(trackingNumber);
      await at.asked('Weight in kg');
      await at.line(`1.${index + 10}`);
      await at.line('30x20x10');
      if (index === 0) await startCamera(at);
      await takePhoto(at);
      await at.line('');
      await at.said(`${poNumber} is done: ${Number(`1.${index + 10}`)} kg, 1 photo.`);
    }
    await at.networkSays('Online', 60_000);
    await at.networkSays('Everything is sent', 60_000);
    for (const [index, parcel] of parcels.entries()) {
      await shows(parcel, { status: 3, measurements: [{ weight_kg: Number(`1.${index + 10}`), length_cm: 30, photos: [{}] }] });
    }
    const details = await Promise.all(parcels.map(({ owner, poNumber }) => owner.forecast(poNumber)));
    expect(details.flatMap(({ measurements }) => measurements)).toHaveLength(20);
    expect(details.flatMap(({ measurements }) => measurements.flatMap(({ photos }) => photos))).toHaveLength(20);
  },
  OUTAGE_MS + 240_000,
);

test('a weighing takes four lines, and the first one reports the arrival', async () => {
  const parcel = await announcedOne();
  const { trackingNumber, poNumber } = parcel;
  const at = await bench();
  await at.line(trackingNumber);
  await at.said(`${poNumber} has arrived.`);
  await shows(parcel, { status: 2 });
  await at.line('2,5');
  await at.line('40 30 20');
  await at.line('');
  await at.said(`${poNumber} is done: 2.5 kg, 0 photos.`);
  await shows(parcel, { status: 3, measurements: [{ weight_kg: 2.5, length_cm: 40, width_cm: 30, height_cm: 20 }] });
});

test('lines that are typed ahead of the network are taken in their order', async () => {
  const parcel = await announcedOne();
  const { trackingNumber } = parcel;
  const at = await bench();
  await at.page.route('**/warehouse/v1/lookup?*', async (route) => {
    await until(async () => (await at.page.locator('.command-line label').textContent()) === 'Looking up…');
    await route.continue();
  });
  await at.weigh(trackingNumber, '3', '10x10x10');
  await shows(parcel, { measurements: [{ weight_kg: 3 }] });
});

test('the scale gives the weight, and documents are printed by a letter', async () => {
  const parcel = await announcedOne();
  const { forecastNo, trackingNumber } = parcel;
  const at = await bench();
  await at.line('G');
  await at.enter(at.page.getByRole('button', { name: 'Choose the port' }));
  await at.page.getByRole('button', { name: 'Disconnect' }).waitFor();
  await at.page.keyboard.press('Escape');
  await at.line(trackingNumber);
  await at.asked('Weight in kg');
  await at.scaleSays('US,GS,+  1.100kg');
  await at.asked('Enter for the scale');
  await at.line('');
  await at.said('The scale is still moving.');
  await at.scaleSays('ST,GS,+  1.234kg');
  await at.page.getByText('stable').waitFor();
  await at.line('');
  await at.asked('Length');
  await until(async () => (await station.read(forecastNo)).packing_slip !== null);
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
  const { shipping_label, marketplace_label } = await station.read(forecastNo);
  const paths = [shipping_label, marketplace_label, `${marketplace_label}?copies=quantity`].map((url) => new URL(String(url)));
  await until(async () => (await at.printed()).length === 3, { what: 'three documents to be printed' });
  expect((await at.printed()).sort()).toEqual(paths.map(({ pathname, search }) => pathname + search).sort());
  await at.line('');
  await at.line('10x10x10');
  await at.line('');
  await shows(parcel, { measurements: [{ weight_kg: 1.234 }] });
});

describe('a scan', () => {
  test('that fits several parcels is settled by a number', async () => {
    const trackingNumber = newPoNumber('TWICE');
    const [first, second] = [await announcedOne({ trackingNumber }), await announcedOne({ trackingNumber })];
    const at = await bench();
    await at.line(trackingNumber);
    await at.asked('Which one is it?');
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
    const at = await bench();
    await at.line(trackingNumber);
    await at.page.getByRole('heading', { name: 'No forecast is known' }).waitFor();
    await at.line('');
    await at.line('5');
    await at.line('10x10x10');
    await at.line('');
    await at.page.getByText('Waits for its forecast.').first().waitFor();
    await shows(await announcedOne({ trackingNumber }), { status: 3, measurements: [{ weight_kg: 5 }] });
  });

  test('of markup is shown as text', async () => {
    const at = await bench();
    await at.line('<img src=x onerror="document.title=1">');
    await at.page.locator('.scan-shown', { hasText: '<img src=x' }).waitFor();
    expect(await at.page.locator('main img').count()).toBe(0);
  });
});

test('exceptions with photos, holds and a dispatch are reported by letters', async () => {
  const parcel = await announcedOne();
  const { trackingNumber } = parcel;
  const at = await bench();
  await at.line(trackingNumber);
  await at.asked('Weight');
  await startCamera(at);
  await takePhoto(at);
  await at.line('X');
  await at.line('1');
  // Any other letter would be taken for the text.
  await at.asked('Describe it');
  expect(await at.page.locator('aside kbd').allTextContents()).toEqual(['C', 'F', 'Esc']);
  await takePhoto(at, 2);
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
  await at.line('yunexpress');
  await at.line('YT2632500123456789');
  await at.asked('Scan a parcel');
  await shows(parcel, { on_hold: false, status: 5 });
  await at.line(trackingNumber);
  await at.page.getByText('This parcel has left the warehouse already').waitFor();
});

test('a report that is refused says why, and is fixed', async () => {
  const parcel = await announcedOne();
  const { trackingNumber } = parcel;
  const at = await bench();
  await at.weigh(trackingNumber, '200000 kg', '10x10x10');
  await at.networkSays('1 report refused');
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
  await at.page.getByText('Nothing waits on this device.').waitFor();
  await at.page.keyboard.press('Escape');
  await until(() => hasFocus(at.page.locator('.command-line input')), { what: 'the focus to be back in the field' });
  await shows(parcel, { measurements: [{ weight_kg: 2 }] });
});

test('a report and its photo survive a reload; the key does not', async () => {
  const parcel = await announcedOne();
  const { trackingNumber } = parcel;
  const at = await bench();
  await at.page.route('**/warehouse/v1/{events,photos}', (route) => route.abort('internetdisconnected'));
  await at.line(trackingNumber);
  await at.asked('Weight');
  await startCamera(at);
  await takePhoto(at);
  await at.line('6');
  await at.line('10x10x10');
  await at.line('');
  await at.networkSays('2 reports wait');
  const kept = await at.page.evaluate(
    `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, document.documentElement.outerHTML])`,
  );
  expect(String(kept)).not.toContain(station.key);
  await at.page.reload();
  await at.page.getByLabel('Warehouse key').waitFor();
  await at.signIn(station.key);
  await at.networkSays('2 reports wait');
  await at.page.unroute('**/warehouse/v1/{events,photos}');
  await at.networkSays('Everything is sent', 60_000);
  await shows(parcel, { measurements: [{ weight_kg: 6, photos: [{}] }] });
});

test('a parcel that the page has heard of opens without a network, another one by its number', async () => {
  const { poNumber, trackingNumber } = await announcedOne();
  const at = await bench();
  await at.page.getByText(/^\d+ parcels? (is|are) announced and ha(s|ve) not left$/).waitFor();
  await until(async () => !(await at.page.getByText(/^0 parcels/).isVisible()));
  await at.cutNetwork(true);
  await at.line(trackingNumber);
  await at.page.getByRole('heading', { name: poNumber }).waitFor();
  await at.page.getByText('items and documents are not known here').waitFor();
  await at.page.keyboard.press('Escape');
  await at.line('NEVER-HEARD-OF');
  await at.page.getByText('the number is not among the parcels known here').waitFor();
});

test('the code of a product is refused without a network, and with one reported only as the number of the carrier', async () => {
  // EAN-13 that no forecast declares.
  const scan = '4006381333931';
  const at = await bench();
  await at.cutNetwork(true);
  await at.line(scan);
  await at.said('is the code of a product, which cannot be looked up without a network');
  await at.asked('Scan a parcel');
  await at.line('');
  await at.asked('Scan a parcel');
  await at.cutNetwork(false);
  await at.networkSays('Everything is sent', 60_000);
  await at.line(scan);
  await at.page.getByRole('heading', { name: 'No forecast is known' }).waitFor();
  await at.line('');
  await at.asked('Is it the carrier’s number?');
  expect((await station.stage.clerk.unclaimed()).filter(({ express_no }) => express_no === scan)).toEqual([]);
  await at.line('');
  await at.said(`${scan}: reported as unclaimed.`);
});

test('a key of a merchant, or one that opens nothing, is told in words', async () => {
  const at = await opened();
  for (const [wrong, text] of [
    [station.stage.platform.quickstart.tenant.api_key, 'This page needs the key of a warehouse.'],
    ['pf_test_not-a-key', 'This key is invalid'],
  ] as const) {
    await at.page.getByLabel('Warehouse key').fill(wrong);
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('alert').getByText(text).waitFor();
  }
  // The next scan takes the place of the wrong key.
  await at.signIn(station.key);
});

test('the field takes what is typed wherever the focus was', async () => {
  const at = await bench();
  await at.page.getByText('Ready for the next parcel').click();
  await at.page.keyboard.type('ABC');
  expect(await at.page.locator('.command-line input').inputValue()).toBe('ABC');
  await at.page.keyboard.press('Escape');
  expect(await at.page.locator('.command-line input').inputValue()).toBe('');
  await at.page.locator('header select').focus();
  await at.page.locator('header select').selectOption('zh');
  await until(() => hasFocus(at.page.locator('.command-line input')), { what: 'the focus to be back in the field' });
});

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test.each(['en-GB', 'zh-CN'])('%s: no serious fault of accessibility, and nothing wider than a tablet', async (locale) => {
    const { trackingNumber } = await announcedOne();
    const at = await opened({ colorScheme, locale });
    const faults: Record<string, string[]> = {};
    const check = async (name: string): Promise<void> => {
      const found = await at.seriousFaults();
      for (const [width, height] of [
        [768, 1024],
        [1366, 768],
      ] as const) {
        await at.page.setViewportSize({ width, height });
        if (await at.page.evaluate(`document.documentElement.scrollWidth > ${width}`)) found.push(`wider than ${width} px`);
      }
      if (found.length > 0) faults[name] = found;
    };
    await check('sign in');
    await at.signIn(station.key);
    await at.until(`document.documentElement.lang === '${locale}'`);
    await check('idle');
    await at.line(trackingNumber);
    await at.page.locator('.parcel').waitFor();
    await check('parcel');
    await at.line('N');
    await at.line('1');
    await at.page.locator('.items .marked').waitFor();
    await check('count');
    await at.line('*');
    await at.page.keyboard.press('Escape');
    await at.line('X');
    await at.page.locator('.reasons').waitFor();
    await check('exception');
    await at.page.keyboard.press('Escape');
    await at.line('H');
    await at.line('');
    await at.page.locator('.alarm').waitFor();
    await check('hold');
    await at.page.keyboard.press('Escape');
    await at.line('SKU-1');
    await at.page.locator('.candidates, .parcel').first().waitFor();
    await check('choose');
    await at.page.keyboard.press('Escape');
    await at.line('NOBODY-KNOWS');
    await at.page.locator('.scan-shown').waitFor();
    await check('unknown');
    await station.stage.clerk.report(station.stage.clerk.event({ type: 'arrival', express_no: 'NOBODY-KNOWS' }));
    await at.line('A');
    await at.page.locator('.candidates').waitFor();
    await check('unclaimed');
    await at.line('NOBODY-KNOWS');
    await at.page.locator('h1', { hasText: 'NOBODY-KNOWS' }).waitFor();
    await check('whose');
    await at.line(trackingNumber);
    await at.page.locator('.content').waitFor();
    await check('claim');
    for (let back = 0; back < 3; back += 1) await at.page.keyboard.press('Escape');
    await at.line('R');
    await at.page.getByRole('dialog').waitFor();
    await check('reports');
    expect(faults).toEqual({});
  });
});
