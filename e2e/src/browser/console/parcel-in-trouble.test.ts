import { beforeEach, describe, expect, test } from '@jest/globals';
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
