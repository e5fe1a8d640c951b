import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { callRoute } from '@parcelway/harness/route-call';
import { samplePdf, samplePng } from '@parcelway/harness/sample-data';
import { until } from '@parcelway/kernel/testing/until';
import { hasFocus, type PageWindow } from '../page-window.ts';
import { useConsole } from './use-console.ts';

/* What a merchant does with parcels in the console. */

const { stage, signedIn } = useConsole();

/** Types into a field that the keyboard leads to. */
async function type(at: PageWindow, label: string, text: string): Promise<void> {
  await at.tabTo(at.page.getByLabel(label, { exact: true }));
  await at.page.keyboard.type(text);
}

/** Holds the view against what every view has to keep. */
const expectGood = async (at: PageWindow): Promise<void> => expect(await at.faultsAt(390)).toEqual([]);

describe('a parcel', () => {
  test('is submitted by keyboard: a fault comes to its field, and then it is accepted', async () => {
    const owner = await stage.operator.newMerchant();
    const poNumber = newPoNumber();
    const at = await signedIn(owner, '#/parcels');
    const { page } = at;
    await at.enter(page.getByRole('link', { name: 'Submit a parcel' }));
    await at.arrived('Submit a parcel');
    await type(at, 'PO number', poNumber);
    await at.tabTo(page.getByLabel('Type', { exact: true }));
    await page.keyboard.type('Stock');
    await at.tabTo(page.getByLabel('Warehouse', { exact: true }));
    await page.keyboard.type(owner.identity.warehouseCode);
    await type(at, 'SKU code', 'LAMP');
    await type(at, 'Product name (English)', 'Lamp');
    await type(at, 'Quantity', '0');
    await at.enter(at.button('Check and submit'));
    const quantity = page.getByLabel('Quantity', { exact: true });
    await until(() => hasFocus(quantity), { what: 'the focus to be on the field with the fault' });
    expect(await quantity.getAttribute('aria-invalid')).toBe('true');
    await page.getByText('Must be at least 1').waitFor();
    expect(await page.locator('main').innerText()).not.toContain('items[0]');
    expect((await callRoute(owner.client, 'getForecast', { path: { po_number: poNumber } })).code).toBe('40401');
    await expectGood(at);
    await quantity.fill('3');
    expect(await quantity.getAttribute('aria-invalid')).toBeNull();
    expect(await page.getByText('Some fields have invalid values. They are marked.').isVisible()).toBe(false);
    await page.keyboard.press('Enter');
    await at.arrived(poNumber);
    expect((await owner.forecast(poNumber)).items[0]).toMatchObject({ sku_code: 'LAMP', forecast_quantity: 3 });
  });

  test('gets uploaded documents, and what is unusual about it is shown before it is submitted', async () => {
    const owner = await stage.operator.newMerchant();
    const poNumber = newPoNumber();
    const at = await signedIn(owner);
    const { page } = at;
    const only = { code: owner.identity.warehouseCode, name: 'The only one' };
    await page.route('**/open/v1/warehouses', (route) =>
      route.fulfill({ json: { code: '0', message: 'success', data: { warehouses: [only] } } }),
    );
    await at.visit('#/new-parcel');
    await page.getByLabel('PO number', { exact: true }).fill(poNumber);
    // A list once the warehouses are known.
    const warehouse = page.getByRole('combobox', { name: 'Warehouse', exact: true });
    await until(async () => (await warehouse.inputValue()) === only.code, { what: 'the only warehouse to be chosen' });
    await page.getByLabel('Expected arrival').fill('2024-01-31');
    for (const name of ['Shipping label', 'Packing list']) {
      const file = { name: `${name}.pdf`, mimeType: 'application/pdf', buffer: samplePdf(`${name} ${poNumber}`) };
      await page.getByLabel(`Upload: ${name}`).setInputFiles(file);
      await page.getByRole('link', { name: `${name}.pdf` }).waitFor();
      expect(await page.getByLabel(`URL: ${name}`).count()).toBe(0);
    }
    await page.getByLabel('SKU code').fill('LAMP');
    await page.getByLabel('Product name (English)').fill('Lamp');
    await page.getByLabel('Quantity', { exact: true }).fill('1');
    await page.getByText('More fields').click();
    await page.getByLabel('Barcode').fill('4006381333931');
    await at.button('Check and submit').click();
    await page.getByText('Please check before you submit:').waitFor();
    await at.button('Submit anyway').click();
    await at.arrived(poNumber);
    const goods = page.getByRole('region', { name: 'Items' });
    await goods.getByText('Barcode 4006381333931').waitFor();
    expect(await goods.getByText('Logistics number').count()).toBe(0);
    const { shipping_label, due_date } = await owner.forecast(poNumber);
    expect([String(shipping_label), due_date]).toEqual([expect.stringContaining('/files/'), '2024-01-31']);
  });

  test('is corrected until somebody else has done so, and cancelled after a question', async () => {
    const owner = await stage.operator.newMerchant();
    const { po_number } = await owner.submit({ forecastType: 1 });
    const at = await signedIn(owner, `#/parcels/${po_number}`);
    const { page } = at;
    await page.getByRole('link', { name: 'Correct' }).click();
    await at.arrived(`Correct ${po_number}`);
    await page.getByLabel('Quantity', { exact: true }).fill('77');
    await page.getByLabel('Number of cartons').fill('4');
    await expectGood(at);
    await at.button('Save changes').click();
    await at.arrived(po_number);
    await page.getByRole('region', { name: 'Corrections' }).getByText('Item 1 · Quantity:').waitFor();
    expect(await owner.forecast(po_number)).toMatchObject({ version: 2, carton_count: 4 });

    await page.getByRole('link', { name: 'Correct' }).click();
    await page.getByLabel('Number of cartons').fill('5');
    await page.getByLabel('SKU code').fill('LAMP-2');
    await owner.correct(po_number, { carton_count: 9, due_date: '2027-03-04' });
    await at.button('Save changes').click();
    await page.getByRole('alert').getByText('Somebody has corrected this parcel in the meantime.').waitFor();
    expect((await owner.forecast(po_number)).carton_count).toBe(9);
    await at.enter(at.button('Load it again and keep my entries'));
    const changes = page.getByRole('region', { name: 'Somebody else has changed:' });
    await until(() => hasFocus(changes), { what: 'the focus to be on what the other has changed' });
    expect((await changes.getByRole('listitem').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^Expected arrival:.*2027-03-04$/),
      expect.stringMatching(/^Number of cartons:.*4.*9 Saving overwrites it\. You entered: 5$/),
    ]);
    expect([await page.getByLabel('Number of cartons').inputValue(), await page.getByLabel('Expected arrival').inputValue()]).toEqual([
      '5',
      '2027-03-04',
    ]);
    await expectGood(at);
    await at.button('Save changes').click();
    await at.arrived(po_number);
    expect(await owner.forecast(po_number)).toMatchObject({ carton_count: 5, due_date: '2027-03-04', items: [{ sku_code: 'LAMP-2' }] });

    await page.getByRole('link', { name: 'Correct' }).click();
    await page.getByLabel('Number of cartons').fill('6');
    await page.getByRole('navigation', { name: 'Back' }).getByRole('link', { name: po_number }).click();
    await at.button('Leave the page').click();
    await at.arrived(po_number);
    await at.button('Cancel parcel').click();
    await expectGood(at);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel parcel' }).click();
    await page.getByText('Cancelled', { exact: true }).first().waitFor();
    // The button that asked is gone.
    await at.arrived(po_number);
    expect((await owner.forecast(po_number)).status).toBe(7);
    await until(async () => (await page.getByRole('link', { name: 'Correct' }).count()) === 0, { what: 'nothing to be left to correct' });
    expect(await at.button('Simulate').count()).toBe(0);
  });

  test('is weighed in the sandbox, and has images of its own', async () => {
    const owner = await stage.operator.newMerchant();
    const { po_number } = await owner.submit({ forecastType: 1 });
    const at = await signedIn(owner, `#/parcels/${po_number}`);
    const { page } = at;
    await at.button('Simulate').click();
    await page.getByLabel('Step', { exact: true }).selectOption('weigh');
    await page.getByLabel('Weight (kg)').fill('none');
    await at.button('Play the step').click();
    await page.getByText('Some fields have invalid values').waitFor();
    await page.getByLabel('Weight (kg)').fill('2.75');
    await expectGood(at);
    await at.button('Play the step').click();
    await page.getByRole('region', { name: 'Measurements', exact: true }).getByText('2.75').waitFor();

    await page.getByText('Your own images').click();
    await page.getByLabel('The image shows').selectOption('document');
    await page.getByLabel('Add an image').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: samplePng(po_number) });
    const remove = page.getByRole('button', { name: /^Remove document/ });
    await remove.waitFor();
    expect((await owner.weighing(po_number)).forecast_images).toMatchObject([{ upload_source: 'tenant', image_type: 'document' }]);
    await remove.click();
    await at.button('Remove image').click();
    await remove.waitFor({ state: 'detached' });
    expect((await owner.weighing(po_number)).forecast_images).toEqual([]);
  });
});

test('the list of parcels finds by the beginning of a number, by SKU and by day, keeps that in the address, and exports what it finds', async () => {
  const owner = await stage.operator.newMerchant();
  const prefix = newPoNumber('FIND');
  const numbers = [`${prefix}-A1`, `${prefix}-A2`, `${prefix}-B1`];
  for (const poNumber of numbers) await owner.submit({ poNumber, forecastType: 1 });
  const at = await signedIn(owner, '#/parcels');
  const { page } = at;
  const found = page.getByRole('rowheader');
  await page.getByLabel('PO or logistics number').fill(`${prefix}-A`);
  await page.keyboard.press('Enter');
  await until(async () => (await found.allInnerTexts()).join() === numbers.slice(0, 2).join(), {
    what: 'the parcels with this beginning',
  });
  expect(page.url()).toContain(`q=${prefix}-A`);
  const download = page.waitForEvent('download');
  await at.button('Export CSV').click();
  const table = readFileSync(await (await download).path(), 'utf8');
  expect(numbers.map((number) => table.includes(number))).toEqual([true, true, false]);

  await page.getByText('More filters').click();
  await page.getByLabel('SKU code').fill('SKU-9');
  await at.button('Apply filters').click();
  await page.getByText('No parcels match these filters').waitFor();
  await expectGood(at);
  await page.getByLabel('SKU code').fill('SKU-1');
  await page.getByLabel('Accepted from').fill('2026-01-01');
  await at.button('Apply filters').click();
  await until(async () => (await found.count()) === 2);
  await page.getByLabel('Accepted until').fill('2026-01-02');
  await at.button('Apply filters').click();
  await page.getByText('No parcels match these filters').waitFor();
  await page.goBack();
  await until(async () => (await found.count()) === 2);
  expect(await page.getByLabel('Accepted until').inputValue()).toBe('');
});
