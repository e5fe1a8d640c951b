import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { until } from '@parcelway/kernel/testing/until';
import type { Locator } from 'playwright-core';
import type { PageWindow } from '../page-window.ts';
import { useConsole } from './use-console.ts';

/* Imports of spreadsheets in the console. */

const { stage, signedIn } = useConsole();

/** Milliseconds within which 200 parcels are imported. */
const IMPORTED_WITHIN_MS = 45_000;

/** Titles of which one, `Menge`, is known to nobody. */
const TITLES = 'PO number,Warehouse,Type,SKU,Product name,Menge';

/** A spreadsheet of `count` parcels, of which those at `faulty` have no pieces. */
function spreadsheet({ identity }: Merchant, count: number, faulty: readonly number[]): Buffer {
  const prefix = newPoNumber('IMP');
  const rows = Array.from({ length: count }, (_, index) => {
    const pieces = faulty.includes(index) ? 0 : 2;
    return `${prefix}-${index},${identity.warehouseCode},1,SKU-${index},Lamp,${pieces}`;
  });
  return Buffer.from([TITLES, ...rows].join('\r\n'));
}

/** A merchant whose warehouse is known everywhere. */
async function readyMerchant(): Promise<Merchant> {
  const owner = await stage.operator.newMerchant();
  await owner.untilAccepted(await owner.body({ forecastType: 1 }));
  return owner;
}

/** Chooses a file as somebody without a mouse does. */
async function choose(at: PageWindow, field: Locator, name: string, buffer: Buffer): Promise<void> {
  // Asked for first: the browser has to know that its dialog is taken over before it opens it.
  const chooser = at.page.waitForEvent('filechooser');
  await at.enter(field);
  await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer });
}

/** The file that a button downloads. */
async function downloaded(at: PageWindow, button: Locator): Promise<{ readonly name: string; readonly content: string }> {
  const download = at.page.waitForEvent('download');
  await at.enter(button);
  const file = await download;
  return { name: file.suggestedFilename(), content: readFileSync(await file.path(), 'utf8') };
}

test('by keyboard alone 200 parcels are imported, of which three faulty ones are corrected and imported again', async () => {
  const owner = await readyMerchant();
  const at = await signedIn(owner);
  const { page } = at;
  await at.enter(page.getByRole('link', { name: 'Imports' }));
  await at.arrived('Imports');
  expect((await downloaded(at, at.button('Template as CSV'))).content).toContain('po_number');
  await at.enter(page.getByRole('link', { name: 'Import a spreadsheet' }).first());
  await at.arrived('Import a spreadsheet');
  await choose(at, page.getByLabel('Spreadsheet'), 'orders.csv', spreadsheet(owner, 200, [3, 100, 199]));
  const start = at.button('Start import');
  await page.getByText('No column fills these required fields: Quantity').waitFor();
  expect(await start.getAttribute('aria-disabled')).toBe('true');
  await at.tabTo(page.getByLabel('Field of the column Menge'));
  await page.keyboard.type('Quantity');
  await page.getByText('must be at least 1').waitFor();
  await page.getByText('Only the first 10 of 200 rows were checked.').waitFor();
  expect(await at.seriousFaults()).toEqual([]);
  await at.enter(start);

  await at.arrived('orders.csv');
  const bar = page.getByRole('progressbar', { name: 'Result' });
  await until(async () => (await bar.getAttribute('aria-valuenow')) === '100', {
    within: IMPORTED_WITHIN_MS,
    what: 'the import to be done',
  });
  await page.getByRole('status').getByText('Finished: 197 parcels accepted, 3 failed').waitFor();
  await until(async () => (await page.getByRole('row', { name: /must be at least 1/ }).count()) === 3);
  expect(await at.seriousFaults()).toEqual([]);
  const failed = await downloaded(at, at.button('Download failed rows as CSV'));
  expect(failed.name).toMatch(/^failed-imp_.*\.csv$/);
  const lines = failed.content.trimEnd().split('\r\n');
  expect(lines).toHaveLength(4);
  expect(failed.content).toContain('must be at least 1');

  await at.enter(page.getByRole('link', { name: 'Import another file' }));
  const corrected = Buffer.from(failed.content.replaceAll('Lamp,0', 'Lamp,7'));
  await choose(at, page.getByLabel('Spreadsheet'), failed.name, corrected);
  // The fields of the first import are taken over: the file has the same titles.
  await page.getByText('The fields are those that you chose last').waitFor();
  await at.enter(start);
  await page.getByText('Finished: 3 parcels accepted, 0 failed').waitFor();
  await at.enter(page.getByRole('navigation', { name: 'Back' }).getByRole('link', { name: 'Imports' }));
  await page.getByRole('row', { name: /orders\.csv.*Done, with failures 197 3/ }).waitFor();
});

test('a file can be dropped, and the template as XLSX is one that the platform reads', async () => {
  const owner = await readyMerchant();
  const at = await signedIn(owner, '#/imports/new');
  const { page } = at;
  const download = page.waitForEvent('download');
  await at.button('Template as XLSX').click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('forecasts.xlsx');
  const content = readFileSync(await file.path()).toString('base64');
  const dropped = await page.evaluateHandle(`(() => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob('${content}'), (c) => c.charCodeAt(0))], 'filled-in.xlsx'));
    return data;
  })()`);
  await page.locator('.file-field').dispatchEvent('drop', { dataTransfer: dropped });
  await page.getByRole('heading', { name: 'Check filled-in.xlsx' }).waitFor();
  expect(await page.getByLabel('Spreadsheet').inputValue()).toMatch(/filled-in\.xlsx$/);
  expect(await page.getByLabel('Field of the column po_number').inputValue()).toBe('po_number');
  await page.getByRole('row', { name: /SKU-1002 10/ }).waitFor();
  expect(await at.button('Start import').getAttribute('aria-disabled')).toBe('false');
  await at.button('Start import').click();
  const comesBack = page.waitForEvent('download');
  await at.button('Download failed rows as XLSX').click();
  const failed = await comesBack;
  expect(failed.suggestedFilename()).toMatch(/^failed-imp_.*\.xlsx$/);
  await page.getByRole('link', { name: 'Import another file' }).click();
  await page.getByLabel('Spreadsheet').setInputFiles({ name: 'failed.xlsx', mimeType: '', buffer: readFileSync(await failed.path()) });
  await page.getByRole('row', { name: /SKU-1002 10/ }).waitFor();
  expect(await page.getByText(/is ignored: no field has this title/).count()).toBe(0);
});

test('what one account has checked and chosen is not there for the next one in the same tab', async () => {
  const owner = await readyMerchant();
  const at = await signedIn(owner, '#/imports/new');
  const { page } = at;
  const previews: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/import/preview')) previews.push(request.headers()['x-api-key']);
  });
  const file = { name: 'orders.csv', mimeType: 'text/csv', buffer: spreadsheet(owner, 1, []) };
  await page.getByLabel('Spreadsheet').setInputFiles(file);
  await page.getByLabel('Field of the column Menge').selectOption('forecast_quantity');
  await page.getByLabel('Only check the file, and submit nothing').check();
  await at.button('Start check').click();
  await page.getByText('Checked: 1 parcel would be accepted').waitFor();
  await page.getByRole('link', { name: 'Import now' }).click();
  await page.getByText('The fields are those that you chose last').waitFor();
  const signInAs = async (next: Merchant): Promise<void> => {
    await at.settled();
    await at.button('Sign out').click();
    await at.signIn(next.identity.key);
    await page.getByText('Choose the file again to import it.').waitFor();
  };
  // Each sign-in has a token of its own.
  const former = new Set(previews);
  expect(former.size).toBe(1);
  const ofNext = () => previews.filter((token) => !former.has(token));
  await signInAs(await stage.operator.newMerchant());
  expect(page.url()).toContain('check=');
  await at.settled();
  expect(await page.getByText('orders.csv').count()).toBe(0);
  expect(ofNext()).toEqual([]);
  await page.getByLabel('Spreadsheet').setInputFiles(file);
  await page.getByText('No column fills these required fields: Quantity').waitFor();
  expect(ofNext()).not.toEqual([]);
  expect(await page.getByText('The fields are those that you chose last').count()).toBe(0);
  expect(await page.getByLabel('Field of the column Menge').inputValue()).toBe('');
  // Signing out has forgotten the file, and the fields are still there.
  await signInAs(owner);
  await page.getByLabel('Spreadsheet').setInputFiles(file);
  await page.getByText('The fields are those that you chose last').waitFor();
  expect(await page.getByLabel('Field of the column Menge').inputValue()).toBe('forecast_quantity');
});
