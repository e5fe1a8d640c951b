import { describe, expect, test } from '@jest/globals';
import type { PageWindow } from '../page-window.ts';
import { useDocs } from './use-docs.ts';

/* Every page of the documentation in a real browser: accessibility, widths, reading without script. */

const { stage, open, paths } = useDocs();

/** One page of each kind. */
const KINDS = [
  '/docs',
  '/docs/first-parcel',
  '/docs/guides',
  '/docs/guides/merchants',
  '/docs/guides/webhooks/retries',
  '/docs/api',
  '/docs/api/files',
];

/** Path → what is wrong with the page at any width. */
async function faultsOf(at: PageWindow, pages: readonly string[]): Promise<Record<string, string[]>> {
  const faults: Record<string, string[]> = {};
  for (const path of pages) {
    await at.page.goto(`${stage.platform.quickstart.base_url}${path}`);
    const found = await at.faultsAt(390, 820, 1280);
    if (found.length > 0) faults[path] = found;
  }
  return faults;
}

test('every page is readable at every width', async () => {
  const all = await paths();
  expect(all.length).toBeGreaterThan(60);
  expect(all).toEqual(expect.arrayContaining(KINDS));
  expect(await faultsOf(await open('/docs'), all)).toEqual({});
}, 300_000);

test('in the dark theme as well', async () => {
  expect(await faultsOf(await open('/docs', { colorScheme: 'dark' }), KINDS)).toEqual({});
});

describe('somebody who reads', () => {
  test('opens the list of pages on a telephone', async () => {
    const { page } = await open('/docs/guides/webhooks/retries', { width: 390 });
    const list = page.getByRole('navigation', { name: 'Documentation' });
    expect(await list.isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Menu' }).click();
    await list.getByRole('link', { name: 'Responding' }).click();
    await page.getByRole('heading', { level: 1, name: 'Responding' }).waitFor();
  });

  test('needs no script', async () => {
    const { page } = await open('/docs/api/forecasts', {}, false);
    await page.getByRole('heading', { name: 'Submit a forecast' }).waitFor();
    expect(await page.locator('#submit-forecast pre:visible').first().textContent()).toContain('curl ');
    expect(await page.getByRole('button').count()).toBe(0);
    await page.getByRole('link', { name: 'All languages, as text' }).first().click();
    await page.getByText('requests.post(').first().waitFor();
  });
});
