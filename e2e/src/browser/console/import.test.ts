import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { until } from '@parcelway/kernel/testing/until';
import type { Locator } from 'playwright-core';
import { useDirectory } from '../../use-directory.ts';
import type { ConsolePage } from './console-page.ts';
import { readyMerchant, spreadsheet, TITLES } from './spreadsheets.ts';
import { useConsole } from './use-console.ts';

/* Imports of spreadsheets in the console. */

const { stage, signedIn } = useConsole();
const directory = useDirectory();

/** Milliseconds within which 200 parcels are imported. */
const IMPORTED_WITHIN_MS = 45_000;

/** Chooses a file as somebody without a mouse does. */
async function choose(at: ConsolePage, field: Locator, name: string, buffer: Buffer): Promise<void> {
  // Asked for first: the browser has to know that its dialog is taken over before it opens it.
  const chooser = at.page.waitForEvent('filechooser');
  await at.enter(field);
  await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer });
}

/** The file that a button downloads. */
async function downloaded(at: ConsolePage, button: Locator): Promise<{ readonly name: string; readonly content: string }> {
  const download = at.page.waitForEvent('download');
  await at.enter(button);
  const file = await download;
  return { name: file.suggestedFilename(), content: readFileSync(await file.path(), 'utf8') };
}

describe('by keyboard alone', () => {
  test('200 parcels are imported, of which three faulty ones are corrected and imported again', async () => {
    const owner = await readyMerchant(stage);
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
});

describe('the preview', () => {
  test('follows the columns by itself, and says while it does not show them yet', async () => {
    const owner = await readyMerchant(stage);
    const at = await signedIn(owner, '#/imports/new');
    const { page } = at;
    await page.getByLabel('Spreadsheet').setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: spreadsheet(owner, 3, [1]) });
    const required = page.getByText('Quantity is required').first();
    await required.waitFor();
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/import/preview', async (route) => {
      await held;
      await route.continue();
    });
    const notShown = page.getByRole('status').getByText('The preview does not show your changes yet.');
    await page.getByLabel('Field of the column Menge').selectOption('forecast_quantity');
    await notShown.waitFor();
    expect(await required.isVisible()).toBe(true);
    expect(await at.seriousFaults()).toEqual([]);
    release();
    await page.getByRole('row', { name: /must be at least 1/ }).waitFor();
    await notShown.waitFor({ state: 'detached' });
    expect(await page.getByText('Quantity is required').count()).toBe(0);
    expect(await at.button('Update preview').count()).toBe(0);
    expect(await page.getByText('rows were checked').count()).toBe(0);
  });

  test('of a large file waits until somebody asks for it', async () => {
    const owner = await readyMerchant(stage);
    const at = await signedIn(owner, '#/imports/new');
    const { page } = at;
    const buffer = spreadsheet(owner, 30_000, []);
    expect(buffer.length).toBeGreaterThan(1_048_576);
    await page.getByLabel('Spreadsheet').setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer });
    await page.getByText('Only the first 10 of more than 1000 rows were checked.').waitFor();
    await page.getByLabel('Field of the column Menge').selectOption('forecast_quantity');
    const notShown = page.getByText('The preview does not show your changes yet.');
    await notShown.waitFor();
    await at.button('Update preview').click();
    await notShown.waitFor({ state: 'detached' });
    expect(await page.getByText('No errors').count()).toBe(10);
  });

  test.each([1280, 390])('at %d px shows the first row of every column, also of one that is ignored', async (width) => {
    const owner = await readyMerchant(stage);
    const at = await signedIn(owner, '#/imports/new', { width });
    const { page } = at;
    const content = spreadsheet(owner, 1, []).toString().replace('Menge', 'Remark').replace('Lamp,2', 'Lamp,handle with care');
    await page.getByLabel('Spreadsheet').setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
    await page.getByLabel('Field of the column Remark').waitFor();
    const row = page.getByRole('row', { name: /Remark/ });
    await row.getByText('handle with care').filter({ visible: true }).waitFor();
    expect(await row.getByText('handle with care').filter({ visible: true }).count()).toBe(1);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  });

  test('says which rows form one parcel, and warns when a SKU occurs in it twice', async () => {
    const owner = await readyMerchant(stage);
    const at = await signedIn(owner, '#/imports/new');
    const { page } = at;
    const poNumber = newPoNumber('ONE');
    const line = (number: string, sku: string): string => `${number},${owner.identity.warehouseCode},1,${sku},Lamp,1`;
    const rows = [line(poNumber, 'A'), line(newPoNumber('TWO'), 'A'), line(poNumber, 'B'), line(poNumber, 'A')];
    const content = [TITLES.replace('Menge', 'Quantity'), ...rows].join('\r\n');
    await page.getByLabel('Spreadsheet').setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
    await page.getByText(`Rows 2, 4 and 5 form one parcel: ${poNumber}`).waitFor();
    await page.getByText('SKU A occurs more than once in this parcel, in rows 2 and 5.').waitFor();
    expect(await page.getByText(/^Rows .+ form one parcel: /).count()).toBe(1);
    expect(await at.seriousFaults()).toEqual([]);
    await at.button('Start import').click();
    await page.getByText('Finished: 2 parcels accepted, 0 failed').waitFor();
  });
});

test('a file can be checked without submitting anything, and an import says in Chinese what it did', async () => {
  const owner = await readyMerchant(stage);
  const at = await signedIn(owner, '#/imports/new', { locale: 'zh-CN', width: 390 });
  const { page } = at;
  const content = spreadsheet(owner, 2, [0]).toString().replace('Menge', '数量');
  await page.getByLabel('表格文件').setInputFiles({ name: '预报.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  await page.getByLabel('列“数量”对应的字段').waitFor();
  await page.getByLabel('仅检查文件，不提交').check();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await at.seriousFaults()).toEqual([]);
  await at.button('开始检查').click();
  await page.getByText('检查完毕：1 个包裹可以受理，1 个会失败。没有提交任何内容。').waitFor();
  await page.getByText('仅检查：没有提交任何内容。').waitFor();
  await page.getByRole('row', { name: /^2 IMP.*数量 不能小于 1/ }).waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  await at.visit('#/imports');
  await page.getByRole('row', { name: /预报\.csv 仅检查.*已检查，有错误/ }).waitFor();
});

test('a check warns of a parcel that was cancelled and would be submitted again', async () => {
  const owner = await readyMerchant(stage);
  const { po_number: poNumber } = await owner.submit({ forecastType: 1 });
  await owner.cancel(poNumber);
  const at = await signedIn(owner, '#/imports/new');
  const { page } = at;
  const content = `${TITLES.replace('Menge', 'Quantity')}\r\n${poNumber},${owner.identity.warehouseCode},1,A,Lamp,1`;
  await page.getByLabel('Spreadsheet').setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  await page.getByLabel('Only check the file, and submit nothing').check();
  await at.button('Start check').click();
  await page.getByRole('link', { name: 'Would be accepted' }).click();
  await page.getByRole('row', { name: /Warning: A parcel with this number was cancelled; this submits it again/ }).waitFor();
  expect(await at.seriousFaults()).toEqual([]);
});

test('what is no spreadsheet is explained, and another file can be chosen', async () => {
  const owner = await readyMerchant(stage);
  const at = await signedIn(owner, '#/imports/new');
  const { page } = at;
  const field = page.getByLabel('Spreadsheet');
  await field.setInputFiles({ name: 'orders.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') });
  await page.getByRole('alert').waitFor();
  expect(await at.button('Start import').getAttribute('aria-disabled')).toBe('true');
  await field.setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.alloc(20_971_521, 'a') });
  await page.getByRole('alert').getByText('The file is too large.').waitFor();
  await field.setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: spreadsheet(owner, 1, []) });
  await page.getByText('No column fills these required fields: Quantity').waitFor();
});

test('a file can be dropped, and the template as XLSX is one that the platform reads', async () => {
  const owner = await readyMerchant(stage);
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

test('what is imported is the file as it was chosen, even when it has changed on the disk since', async () => {
  const owner = await readyMerchant(stage);
  const at = await signedIn(owner, '#/imports/new');
  const { page } = at;
  const path = join(directory.path, 'orders.csv');
  const content = spreadsheet(owner, 1, []).toString().replace('Menge', 'Quantity');
  writeFileSync(path, content);
  await page.getByLabel('Spreadsheet').setInputFiles(path);
  await page.getByLabel('Field of the column Quantity').waitFor();
  writeFileSync(path, 'somebody saves another table here');
  await at.button('Start import').click();
  await page.getByText('Finished: 1 parcel accepted, 0 failed').waitFor();
});

test('an import that runs can be stopped after a question', async () => {
  const owner = await readyMerchant(stage);
  const at = await signedIn(owner, '#/imports/new');
  const { page } = at;
  const content = spreadsheet(owner, 20_000, []).toString().replace('Menge', 'Quantity');
  await page.getByLabel('Spreadsheet').setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  await page.getByLabel('Field of the column Quantity').waitFor();
  await at.button('Start import').click();
  await at.button('Stop import').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop import' }).click();
  await page.getByText('This import was stopped.').waitFor();
  await page.getByRole('link', { name: 'Import another file' }).waitFor();
});
