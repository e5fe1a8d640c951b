import { expect, test } from '@jest/globals';
import { useStation } from './use-station.ts';

/* The key of the warehouse, and the field that takes everything that is typed. */

const station = useStation();

test('the key of a merchant and a wrong key are explained', async () => {
  const at = await station.open();
  for (const [wrong, text] of [
    [station.stage.platform.quickstart.tenant.api_key, 'This page is for warehouses. Sign in with the key of a warehouse.'],
    ['pf_test_not-a-key', 'This key is invalid'],
  ] as const) {
    await at.page.getByLabel('Warehouse key').fill(wrong);
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('alert').getByText(text).waitFor();
  }
  // The next scan takes the place of the wrong key.
  await at.signIn(station.warehouse.key);
});

test('the field takes what is typed wherever the focus was', async () => {
  const at = await station.bench();
  await at.page.getByText('Ready for the next parcel').click();
  await at.page.keyboard.type('ABC');
  expect(await at.page.locator('.command-line input').inputValue()).toBe('ABC');
  await at.page.keyboard.press('Escape');
  expect(await at.page.locator('.command-line input').inputValue()).toBe('');
  await at.page.locator('header select').focus();
  await at.page.locator('header select').selectOption('zh');
  await at.fieldHasFocus();
});

test('a scan of markup is shown as text', async () => {
  const at = await station.bench();
  await at.line('<img src=x onerror="document.title=1">');
  await at.page.locator('.scan-shown', { hasText: '<img src=x' }).waitFor();
  expect(await at.page.locator('main img').count()).toBe(0);
});
