import { expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { hasFocus } from '../page-window.ts';
import { useDocs } from './use-docs.ts';

/* Search and language of the documentation. */

const { stage, open } = useDocs();
const field = (page: Page): Locator => page.getByRole('dialog').getByRole('combobox');
const results = (page: Page): Locator => page.getByRole('dialog').getByRole('option');

test('the key / opens the search; arrows and Enter lead to what was found', async () => {
  const at = await open('/docs/guides/webhooks/retries');
  await at.page.keyboard.press('/');
  const asked = field(at.page);
  await asked.waitFor();
  expect(await hasFocus(asked)).toBe(true);
  await asked.fill('idempotency');
  await results(at.page).nth(1).waitFor();
  expect(await at.seriousFaults()).toEqual([]);
  const second = results(at.page).nth(1);
  await at.page.keyboard.press('ArrowDown');
  expect(await second.getAttribute('aria-selected')).toBe('true');
  const href = (await second.getAttribute('href')) ?? '';
  await at.page.keyboard.press('Enter');
  await at.page.waitForURL(new URL(href, at.page.url()).href);
});

test('the navigation speaks the language of the browser, or the one that was chosen', async () => {
  const at = await open('/docs/guides', { locale: 'zh-CN' });
  await at.page.getByRole('link', { name: 'API 参考' }).waitFor();
  expect(await at.page.locator('html').getAttribute('lang')).toBe('zh-CN');
  expect(await at.page.getByRole('main').getAttribute('lang')).toBe('en');
  expect(await at.seriousFaults()).toEqual([]);
  await at.page.getByLabel('Language').selectOption('en');
  await at.page.getByRole('link', { name: 'API reference' }).click();
  await at.page.getByRole('heading', { level: 1, name: 'API reference' }).waitFor();
  expect(await at.page.locator('html').getAttribute('lang')).toBe('en');
  await at.page.getByLabel('Language').selectOption('zh');
  await at.page.goto(`${stage.platform.quickstart.base_url}/docs/api/forecasts`);
  await at.page.getByRole('button', { name: '搜索' }).click();
  await at.page.getByRole('combobox', { name: '搜索文档' }).fill('限流');
  await results(at.page).filter({ hasText: 'Rate limits' }).first().waitFor();
});
