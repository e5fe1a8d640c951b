import { describe, expect, test } from '@jest/globals';
import type { Merchant } from '@parcelway/harness/merchant';
import { expectRoute } from '@parcelway/harness/route-call';
import { readyMerchant, spreadsheet } from './spreadsheets.ts';
import { useConsole } from './use-console.ts';

/* What the columns of a spreadsheet fill, in the console: chosen, kept and taken over. */

const { stage, signedIn } = useConsole();

describe('a file that was only checked', () => {
  test('is imported with the same fields and without being chosen again', async () => {
    const owner = await readyMerchant(stage);
    const at = await signedIn(owner, '#/imports/new');
    const { page } = at;
    await page.getByLabel('Spreadsheet').setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: spreadsheet(owner, 2, []) });
    await page.getByLabel('Field of the column Menge').selectOption('forecast_quantity');
    await page.getByLabel('Only check the file, and submit nothing').check();
    await at.button('Start check').click();
    await page.getByText('Checked: 2 parcels would be accepted, 0 would fail. Nothing has been submitted.').waitFor();
    await page.getByText('Rows that would be accepted').waitFor();
    expect(await page.getByText('Rows accepted').count()).toBe(0);
    expect(await at.seriousFaults()).toEqual([]);
    expect((await expectRoute<{ forecasts: unknown[] }>(owner.client, 'listForecasts', { query: { q: 'IMP' } })).forecasts).toEqual([]);
    await page.getByRole('link', { name: 'Import now' }).click();
    await page.getByText('The fields are those that you chose last').waitFor();
    expect(await page.getByLabel('Field of the column Menge').inputValue()).toBe('forecast_quantity');
    await at.button('Start import').click();
    await page.getByText('Finished: 2 parcels accepted, 0 failed').waitFor();
  });

  test('is to be chosen again after a reload, and still has its fields', async () => {
    const owner = await readyMerchant(stage);
    const at = await signedIn(owner, '#/imports/new');
    const { page } = at;
    const file = { name: 'orders.csv', mimeType: 'text/csv', buffer: spreadsheet(owner, 1, []) };
    await page.getByLabel('Spreadsheet').setInputFiles(file);
    await page.getByLabel('Field of the column Menge').selectOption('forecast_quantity');
    await page.getByLabel('Only check the file, and submit nothing').check();
    await at.button('Start check').click();
    await page.getByText('Checked: 1 parcel would be accepted').waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Import now' }).click();
    await page.getByText('Choose the file again to import it.').waitFor();
    await page.getByLabel('Spreadsheet').setInputFiles(file);
    await page.getByText('The fields are those that you chose last').waitFor();
    await at.button('Use the suggestions instead').click();
    await page.getByText('No column fills these required fields: Quantity').waitFor();
    expect(await page.getByLabel('Field of the column Menge').inputValue()).toBe('');
  });
});

test('what one account has checked and chosen is not there for the next one in the same tab', async () => {
  const owner = await readyMerchant(stage);
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

test('a field of another column stays there while somebody passes over it, and what is not imported is named', async () => {
  const owner = await readyMerchant(stage);
  const at = await signedIn(owner, '#/imports/new');
  const { page } = at;
  const content = spreadsheet(owner, 1, []).toString().replace('Type,', 'Kind,').replace('Menge', 'Packing');
  await page.getByLabel('Spreadsheet').setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  const packing = page.getByLabel('Field of the column Packing');
  await page.getByText('These columns have data that is not imported: Kind, Packing').waitFor();
  await page.getByText('Without a type column, every row counts as direct mail.').waitFor();
  await at.tabTo(packing);
  await page.keyboard.type('P');
  // Not the PO number, which is the first field with this letter and another column's.
  expect(await packing.inputValue()).toBe('shipping_note');
  for (let pressed = 0; pressed < 5; pressed += 1) await page.keyboard.press('ArrowUp');
  expect(await packing.inputValue()).toBe('');
  expect(await page.getByLabel('Field of the column PO number').inputValue()).toBe('po_number');
  expect(await packing.getByRole('option', { name: 'PO number * (from column PO number)' }).isDisabled()).toBe(true);
  expect(await at.seriousFaults()).toEqual([]);
});

test('of two columns of the same field one can be ignored, and then the other one', async () => {
  const owner = await readyMerchant(stage);
  const at = await signedIn(owner, '#/imports/new');
  const { page } = at;
  const content = spreadsheet(owner, 1, []).toString().replace('Menge', 'Quantity,Name').replace('Lamp,2', 'Lamp,2,Floor lamp');
  await page.getByLabel('Spreadsheet').setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  await page.getByRole('alert').getByText('both fill Product name (English)').waitFor();
  await at.button('Ignore Name for now').click();
  await page.getByLabel('Field of the column Product name').selectOption('');
  await page.getByLabel('Field of the column Name').selectOption('product_name_en');
  await at.button('Start import').click();
  await page.getByText('Finished: 1 parcel accepted, 0 failed').waitFor();
  const [found] = (await expectRoute<{ forecasts: { po_number: string }[] }>(owner.client, 'listForecasts', { query: { q: 'IMP' } }))
    .forecasts;
  expect((await owner.forecast(String(found?.po_number))).items[0]?.product_name_en).toBe('Floor lamp');
});
