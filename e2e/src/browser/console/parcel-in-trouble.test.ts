import { beforeEach, describe, expect, test } from '@jest/globals';
import type { OwnAccess } from '@parcelway/contracts/key-api';
import { feedEventTypes } from '@parcelway/contracts/webhook-event-types';
import { expectRoute } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import type { Locator } from 'playwright-core';
import { useMerchant, useOpened } from '../../use-stage.ts';
import type { Look } from '../page-window.ts';
import type { ConsolePage } from './console-page.ts';
import { parcelInTrouble } from './parcels.ts';
import { useConsole } from './use-console.ts';

/* What a merchant learns of a parcel besides its status: alarms, documents, weights, counts, corrections. */

const { stage, signedIn } = useConsole({ VOLUME_DIVISOR: '6000' });
const owner = useMerchant(stage);
const parcel = useOpened('parcel', () => parcelInTrouble(stage.clerk, owner));
let at: ConsolePage;

/** The page with the merchant signed in, at an address. */
async function openedAt(hash: string, look?: Look): Promise<ConsolePage> {
  at = await signedIn(owner, hash, look);
  return at;
}

const region = (name: string): Locator => at.page.getByRole('region', { name, exact: true });

/** The text of each row of the table of a section, as it is read. */
function rowsOf(name: string): Promise<string[]> {
  return region(name)
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent.trim()).join(' | ')));
}

/** Lets the page read the forecast with other values than it has. */
async function withForecast(change: Readonly<Record<string, unknown>>): Promise<void> {
  await at.page.route(`**/open/v1/forecasts/${parcel.poNumber}`, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { data: object };
    await route.fulfill({ response, json: { ...body, data: { ...body.data, ...change } } });
  });
  await at.button('Refresh').click();
}

describe('a parcel in trouble shows', () => {
  beforeEach(() => openedAt(`#/parcels/${parcel.poNumber}`));

  test('that it is on hold, why and since when; a former hold is in the history', async () => {
    const alarms = region('Needs attention');
    expect(await alarms.getByText('Customs asks for an invoice').innerText()).toBe('On hold Customs asks for an invoice');
    expect(await alarms.locator('time').first().getAttribute('datetime')).toBe('2026-11-21T08:04:00+08:00');
    expect(await alarms.innerText()).not.toContain('Which customer');
    await region('Status history').getByText('Which customer is it for?').waitFor();
  });

  test('each exception with its words, time and photos', async () => {
    const alarms = region('Needs attention');
    expect(await alarms.getByText('One corner is crushed').innerText()).toBe('Damaged One corner is crushed');
    expect(await alarms.locator('time').last().getAttribute('datetime')).toBe('2026-11-21T08:03:00+08:00');
    const links = alarms.getByRole('link');
    expect(await links.count()).toBe(1);
    expect(await alarms.getByRole('link', { name: 'Photo 1 (Damaged)' }).getAttribute('href')).toBe(parcel.damageUrl);
  });

  test('product label and packing slip with the version that they show', async () => {
    const { marketplace_label, packing_slip } = await owner.forecast(parcel.poNumber);
    const overview = region('Overview');
    expect(await overview.getByRole('link', { name: 'Product label' }).getAttribute('href')).toBe(marketplace_label);
    expect(await overview.getByRole('link', { name: 'Packing slip' }).getAttribute('href')).toBe(packing_slip);
    await overview.getByText('Version 2', { exact: true }).waitFor();
  });

  test('declared, measured and chargeable weight side by side, and every measurement', async () => {
    expect(await rowsOf('Weight and volume')).toEqual([
      'Declared | 1.2 kg | 3,000 cm³',
      'Measured | 1.25 kg | 6,000 cm³',
      'Difference | +0.05 kg | +3,000 cm³',
      'Volumetric | 1 kg | –',
      'Chargeable | 1.25 kg | –',
    ]);
    const weights = region('Weight and volume');
    await weights.getByText('6,000 cm³ count as 1 kg').waitFor();
    const measurements = weights.locator('.timeline > li');
    expect(await measurements.count()).toBe(2);
    const newest = measurements.first();
    expect(await newest.innerText()).toMatch(/^1\.25 kg · 30 × 20 × 10 cm\s+21 Nov 2026, 08:02:00 GMT\+8/);
    await newest.getByText(`reported by ${stage.clerk.code} · scanned SF-1234 · event ${parcel.weighingId}`).waitFor();
    expect(await newest.getByRole('link', { name: 'Photo 1 (1.25 kg)' }).getAttribute('href')).toBe(parcel.weighingUrl);
  });

  test('what was counted beside what was forecast, the differences first', async () => {
    expect(await rowsOf('Received')).toEqual(['LAMP | 2 | 1 | -1', 'MUG | 0 | 4 | +4', 'SHADE | 1 | 1 | 0']);
    await region('Received').getByText('2 SKUs differ', { exact: true }).waitFor();
  });

  test('what was corrected, by which key or warehouse', async () => {
    const corrections = region('Corrections').locator('.timeline > li');
    expect(await corrections.count()).toBe(1);
    const first = corrections.first();
    await first.getByText('Version 2', { exact: true }).waitFor();
    const { key } = await expectRoute<OwnAccess>(owner.client, 'getOwnAccess', {});
    await first.getByText(`by key ${key.description || key.prefix}`).waitFor();
    const changes = await first.getByRole('listitem').allTextContents();
    expect(changes.toSorted()).toEqual(['Expected arrival: from none → to 2026-12-01', 'Item 1 · Quantity: from 3 → to 2']);
    const url = 'https://platform.example/files/label.pdf';
    const label = { version: 3, time: '2026-11-21T00:00:00Z', key_id: key.key_id, has_more_changes: false };
    await withForecast({ corrections: [{ ...label, changes: [{ field: 'shipping_label', from: null, to: url }] }] });
    await corrections.getByText('Shipping label:').waitFor();
    expect(await corrections.getByRole('link', { name: 'open PDF' }).getAttribute('href')).toBe(url);
    const crossed = { version: 3, time: '2026-11-21T00:00:00Z', key_id: null, has_more_changes: true };
    await withForecast({ corrections: [{ ...crossed, changes: [{ field: 'warehouse_code', from: 'NEXT', to: 'FORMER' }] }] });
    await corrections.getByText('by warehouse FORMER, where the parcel arrived').waitFor();
    await corrections.getByText('More fields were changed than are listed here.').waitFor();
  });
});

test('of many exceptions, counts and measurements the first are shown, and more on demand', async () => {
  await openedAt(`#/parcels/${parcel.poNumber}`, { width: 390 });
  const { exceptions, measurements, corrections } = await owner.forecast(parcel.poNumber);
  const [exception, measurement, correction] = [exceptions[0], measurements[0], corrections[0]];
  const many = <T>(count: number, each: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => each(index));
  await withForecast({
    exceptions: many(4, (index) => ({ ...exception, text: `${'wet '.repeat(100)}${index}`, reason: 'a_reason_to_come' })),
    measurements: many(150, () => measurement),
    received_items: many(12, (index) => ({
      sku_code: `${index}`.padEnd(100, 'S'),
      forecast_quantity: 500_000,
      received_quantity: 0,
      difference: -500_000,
    })),
    corrections: many(6, (index) => ({ ...correction, version: index + 2 })),
  });
  const counted: ReadonlyArray<readonly [section: string, rows: string, first: number, all: number]> = [
    ['Needs attention', '.notice', 4, 5],
    ['Weight and volume', '.timeline > li', 3, 150],
    ['Received', 'tbody tr', 10, 12],
    ['Corrections', '.timeline > li', 5, 6],
  ];
  for (const [name, rows, first, all] of counted) {
    const [found, more] = [region(name).locator(rows), region(name).getByRole('button', { name: 'Load more' })];
    await until(async () => (await found.count()) === first, { what: `${first} rows of ${name}` });
    while ((await more.count()) > 0) await at.enter(more);
    expect(await found.count()).toBe(all);
  }
  expect(await region('Needs attention').getByText('a_reason_to_come').first().isVisible()).toBe(true);
  expect(await at.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
});

test('it is found in the list of parcels with one click', async () => {
  const { po_number: other } = await owner.submit({ forecastType: 1 });
  await openedAt('#/parcels');
  const { page } = at;
  await page.getByRole('link', { name: other }).waitFor();
  await at.button('Exception').click();
  await page.getByRole('link', { name: other }).waitFor({ state: 'detached' });
  await page.getByRole('row', { name: new RegExp(`${parcel.poNumber} Weighed Exception On hold`) }).waitFor();
  expect(await at.button('Exception').getAttribute('aria-pressed')).toBe('true');
  expect(await at.seriousFaults()).toEqual([]);
  await at.button('Exception').click();
  await page.getByRole('link', { name: other }).waitFor();
  await at.button('On hold').click();
  await page.getByRole('link', { name: other }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: parcel.poNumber }).waitFor();
});

test('a parcel without any of it shows nothing of it', async () => {
  const { po_number } = await owner.submit({ forecastType: 1 });
  await openedAt(`#/parcels/${po_number}`);
  for (const name of ['Needs attention', 'Weight and volume', 'Received', 'Corrections']) expect(await region(name).count()).toBe(0);
  expect(await at.page.getByText('Earlier holds').count()).toBe(0);
});

describe.each([
  ['light', 'en-GB'],
  ['dark', 'en-GB'],
  ['light', 'zh-CN'],
] as const)('in the %s theme, in %s', (colorScheme, locale) => {
  test('has no serious fault of accessibility and is no wider than a telephone', async () => {
    const { page } = await openedAt(`#/parcels/${parcel.poNumber}`, { colorScheme, locale });
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 860 });
      expect(await at.seriousFaults()).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      // Nothing is cut off in a table either.
      const frames = page.locator('.table-frame');
      expect(await frames.evaluateAll((found) => found.filter((frame) => frame.scrollWidth > frame.clientWidth).length)).toBe(0);
    }
  });
});

test('events of all types are shown when all are asked for', async () => {
  const { page } = await openedAt('#/events?type=standard');
  const asked = page.waitForRequest((request) => request.url().includes('event_types='));
  await page.getByLabel('Type', { exact: true }).selectOption('Type: All');
  expect(new URL((await asked).url()).searchParams.get('event_types')).toBe(feedEventTypes.join(','));
  const corrected = page.locator('.events .event-type', { hasText: 'forecast.corrected' });
  await until(async () => {
    if ((await corrected.count()) === 1) return true;
    await at.button('Load newer').click();
    return false;
  });
  await page.locator('.events .event-type', { hasText: 'parcel.exception' }).waitFor();
});
