import { expect, test } from '@jest/globals';
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
  expect(await at.faultsAt(390)).toEqual([]);
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

test('a form with entries that are not saved is left after a question only, by a link and by going back', async () => {
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
