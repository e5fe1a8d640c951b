import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { useMerchant, useOpened } from '../../use-stage.ts';
import type { Look, PageWindow } from '../page-window.ts';
import { parcelInTrouble } from './parcels.ts';
import { useConsole } from './use-console.ts';

/* What a merchant learns of a parcel besides its status: alarms, documents, weights, counts, corrections. */

const { stage, signedIn } = useConsole({ VOLUME_DIVISOR: '6000' });
const owner = useMerchant(stage);
const parcel = useOpened('parcel', () => parcelInTrouble(stage.clerk, owner));
let at: PageWindow;

/** The page with the merchant signed in, at an address. */
async function openedAt(hash: string, look?: Look): Promise<PageWindow> {
  at = await signedIn(owner, hash, look);
  return at;
}

const region = (name: string): Locator => at.page.getByRole('region', { name, exact: true });

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
