import { describe, expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { expectRoute } from '@parcelway/harness/route-call';
import { samplePdf } from '@parcelway/harness/sample-data';
import { until } from '@parcelway/kernel/testing/until';
import { useConsole } from './use-console.ts';

/* Own files in the console: labels are uploaded together, found again and deleted. */

const { stage, signedIn } = useConsole();

const pdf = (name: string, content = newPoNumber()) => ({ name, mimeType: 'application/pdf', buffer: samplePdf(content) });

test('several labels are uploaded at once: each has a result, and one that is refused does not keep the others back', async () => {
  const owner = await stage.operator.newMerchant();
  const at = await signedIn(owner, '#/imports/new');
  const { page } = at;
  await page.getByRole('link', { name: 'Upload labels first' }).click();
  await at.arrived('Files');
  await page.getByText('No files yet').waitFor();
  const bad = { name: 'bad.pdf', mimeType: 'application/pdf', buffer: Buffer.from('no label') };
  await page.getByLabel('Upload PDFs', { exact: true }).setInputFiles([pdf('label.pdf'), bad]);
  await page.getByRole('status').getByText('1 file uploaded, 1 not uploaded').waitFor();
  const results = page.getByRole('table', { name: 'Uploads' });
  await results.getByRole('row', { name: /bad\.pdf.*Not uploaded.*is not a PDF, or it is damaged/ }).waitFor();
  await results.getByRole('row', { name: /label\.pdf.*Uploaded/ }).waitFor();
  // What failed comes first, and the table of all can be copied without passing each of them.
  expect(await results.getByRole('rowheader').allTextContents()).toEqual(['bad.pdf', 'label.pdf']);
  const copyAll = page.getByRole('button', { name: 'Copy names and URLs', exact: true });
  await copyAll.focus();
  await page.keyboard.press('Shift+Tab');
  await page.locator('input[type=file]:focus').waitFor();
  const own = page.getByRole('table', { name: 'Uploaded files' });
  await own.getByRole('row', { name: /label\.pdf.*Not used/ }).waitFor();
  expect(await own.getByRole('row').count()).toBe(2);
  expect(await at.seriousFaults()).toEqual([]);
  await page.setViewportSize({ width: 390, height: 780 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
});

test('files that are chosen during an upload are uploaded after the others, and those that are too many are named', async () => {
  const at = await signedIn(await stage.operator.newMerchant(), '#/files');
  const { page } = at;
  let release: () => void = () => undefined;
  const released = new Promise<void>((done) => {
    release = done;
  });
  await page.route('**/open/v1/files/pdf', async (route) => {
    await released;
    await route.continue();
  });
  const field = page.getByLabel('Upload PDFs', { exact: true });
  await field.setInputFiles(pdf('first.pdf'));
  await page.getByRole('status').getByText('0 of 1 file').waitFor();
  const bad = Array.from({ length: 201 }, (_, index) => ({ ...pdf(`b${index}.pdf`), buffer: Buffer.from('no label') }));
  await field.setInputFiles([pdf('second.pdf'), ...bad]);
  const notice = page.getByRole('alert');
  await notice.getByText('2 files were not taken').waitFor();
  await notice.getByText('b199.pdf, b200.pdf').waitFor();
  await field.setInputFiles(pdf('late.pdf'));
  await page.getByRole('status').getByText('0 of 202 files').waitFor();
  release();
  await page
    .getByRole('table', { name: 'Uploads' })
    .getByRole('row', { name: /second\.pdf.*Uploaded/ })
    .waitFor();
});

test('an upload of many files keeps to the rate of the key', async () => {
  const owner = await stage.operator.newMerchant(undefined, { rate_limit: { per_second: 1, burst: 20 } });
  const at = await signedIn(owner, '#/files');
  const { page } = at;
  const statuses: number[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('/files/pdf')) statuses.push(response.status());
  });
  const files = Array.from({ length: 26 }, (_, index) => pdf(`l${index}.pdf`));
  await page.getByLabel('Upload PDFs', { exact: true }).setInputFiles(files);
  await page.getByRole('status').getByText('26 files uploaded, 0 not uploaded').waitFor();
  expect(statuses).toHaveLength(26);
  expect(statuses.filter((status) => status === 429)).toEqual([]);
});

test('names and URLs of a list are copied as it is filtered, also those that are not shown', async () => {
  const owner = await stage.operator.newMerchant();
  await owner.submit();
  const { files: used } = await until(async () => {
    const found = await expectRoute<{ files: unknown[] }>(owner.client, 'listFiles', { query: { used: 'true' } });
    return found.files.length === 2 ? found : undefined;
  });
  const names = Array.from({ length: 101 }, (_, index) => `n${index}.pdf`);
  for (const name of names) await owner.upload(name, samplePdf(newPoNumber()));
  const at = await signedIn(owner, '#/files?used=false&range=day');
  const { page } = at;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copyList = page.getByRole('button', { name: 'Copy names and URLs of the list' });
  await copyList.click();
  await page.getByRole('status').getByText('Names and URLs of 101 files copied').waitFor();
  const rows = String(await page.evaluate('navigator.clipboard.readText()')).split('\n');
  expect(rows.map((row) => row.split('\t')[0])).toEqual(names.toReversed());
  expect(rows.every((row) => /\thttps?:\/\/\S+$/.test(row))).toBe(true);
  expect(await at.seriousFaults()).toEqual([]);
  // Another list begins anew.
  await page.getByLabel('Use', { exact: true }).selectOption({ label: 'Used' });
  await copyList.click();
  await page.getByRole('status').getByText(`Names and URLs of ${used.length} files copied`).waitFor();
});

test('a file leads to the parcels that use it, is found by its use, and can be deleted while none does', async () => {
  const owner = await stage.operator.newMerchant();
  const { po_number } = await owner.submit();
  const at = await signedIn(owner, '#/files', { locale: 'zh-CN' });
  const { page } = at;
  const own = page.getByRole('table', { name: '已上传的文件' });
  await page.getByLabel('上传 PDF', { exact: true }).setInputFiles(pdf('spare.pdf'));
  const spare = own.getByRole('row', { name: /spare\.pdf/ });
  await spare.waitFor();
  await until(async () => {
    const { files } = await expectRoute<{ files: { used_by_count: number }[] }>(owner.client, 'listFiles');
    return files.some(({ used_by_count }) => used_by_count > 0);
  });
  await page.getByLabel('使用情况').selectOption({ label: '已使用' });
  await own.getByRole('link', { name: po_number }).first().waitFor();
  expect(await spare.count()).toBe(0);
  expect(await page.getByRole('button', { name: /^删除 / }).count()).toBe(0);
  await page.getByLabel('使用情况').selectOption({ label: '未使用' });
  await page.getByLabel('上传时间').selectOption({ label: '最近 24 小时' });
  expect(await page.evaluate('location.hash')).toBe('#/files?used=false&range=day');
  await page.getByRole('button', { name: '删除 spare.pdf' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await spare.waitFor({ state: 'detached' });
  await page.getByText('没有符合条件的文件').waitFor();
});

describe('a form with entries that are not saved', () => {
  test('is left after a question only, by a link and by going back', async () => {
    const owner = await stage.operator.newMerchant();
    const at = await signedIn(owner, '#/parcels');
    const { page } = at;
    await at.visit('#/new-parcel');
    const number = page.getByLabel('PO number', { exact: true });
    await number.fill('PO-UNSAVED');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await page.getByRole('link', { name: 'Files' }).click();
    await question.waitFor();
    expect(await at.seriousFaults()).toEqual([]);
    await at.button('Stay').click();
    await question.waitFor({ state: 'detached' });
    expect(await page.evaluate('location.hash')).toBe('#/new-parcel');
    await page.goBack();
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect([await number.inputValue(), await page.evaluate('location.hash')]).toEqual(['PO-UNSAVED', '#/new-parcel']);
    await page.goBack();
    await at.button('Leave the page').click();
    await at.arrived('Parcels');
    await page.goForward();
    await at.arrived('Submit a parcel');
    expect(await number.inputValue()).toBe('');
    // Nothing is entered, so nothing is asked.
    await page.getByRole('link', { name: 'Files' }).click();
    await at.arrived('Files');
  });

  test('is left without a question once it is submitted, and the browser asks before the tab is closed', async () => {
    const owner = await stage.operator.newMerchant();
    const { po_number } = await owner.submit({ forecastType: 1 });
    const at = await signedIn(owner, `#/parcels/${po_number}/correction`);
    const { page } = at;
    await page.getByLabel('Number of cartons').fill('4');
    await page.getByRole('link', { name: 'Files' }).click();
    await at.button('Stay').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await at.button('Save changes').click();
    await at.arrived(po_number);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});
