import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { ConsolePage } from './console/console-page.ts';
import { useConsole } from './console/use-console.ts';
import type { Look } from './page-window.ts';

/* The guides and the API reference in a real browser, as a reader finds them. */

const { stage, open } = useConsole();
let at: ConsolePage;

async function openedAt(path: string, look?: Look): Promise<Page> {
  at = await open(look);
  await at.page.goto(`${stage.platform.quickstart.base_url}${path}`);
  return at.page;
}

/** Addresses of the guides, from their list. */
const guidesOf = (page: Page): Promise<string[]> =>
  page.evaluate("[...document.querySelectorAll('.guide-list a')].map((link) => new URL(link.href).pathname)");

test.each(['light', 'dark'] as const)('in the %s theme every guide is readable at every width', async (colorScheme) => {
  const page = await openedAt('/docs/guides', { colorScheme });
  const paths = ['/docs/guides', ...(await guidesOf(page))];
  expect(paths.length).toBeGreaterThan(5);
  const faults: Record<string, string[]> = {};
  for (const path of paths) {
    await page.goto(`${stage.platform.quickstart.base_url}${path}`);
    const found = await at.seriousFaults();
    for (const width of [390, 768, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      if (await page.evaluate(`document.documentElement.scrollWidth > ${width}`)) found.push(`wider than ${width} px`);
    }
    if (found.length > 0) faults[path] = found;
  }
  expect(faults).toEqual({});
});

test('every link of every guide leads to a page', async () => {
  const page = await openedAt('/docs/guides');
  const links = new Set<string>();
  for (const path of ['/docs/guides', ...(await guidesOf(page))]) {
    await page.goto(`${stage.platform.quickstart.base_url}${path}`);
    const found: string[] = await page.evaluate("[...document.querySelectorAll('[href], [src]')].map((each) => each.href ?? each.src)");
    for (const link of found) links.add(link.split('#')[0] as string);
  }
  const own = [...links].filter((link) => link.startsWith(stage.platform.quickstart.base_url));
  const statuses = await Promise.all(own.map(async (link) => [link, (await page.request.get(link)).status()] as const));
  expect(statuses.filter(([, status]) => status !== 200)).toEqual([]);
  expect(statuses.length).toBeGreaterThan(10);
});

test('guides, reference and console lead to each other', async () => {
  const page = await openedAt('/docs', { width: 390 });
  await page.getByRole('link', { name: 'Guides' }).click();
  await page.getByRole('heading', { level: 1, name: 'Guides' }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  await page.getByRole('link', { name: 'Console', exact: true }).click();
  await page.getByLabel('API key').waitFor();
  await page.getByRole('link', { name: 'Guides' }).click();
  await page.getByRole('link', { name: 'API reference' }).click();
  await page.getByRole('link', { name: 'Guides' }).waitFor();
});

test('the reference fills in requests that work', async () => {
  const page = await openedAt('/docs');
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page
    .getByLabel('auth-api-key-value')
    .or(page.locator('.auth-container input'))
    .first()
    .fill(stage.platform.quickstart.tenant.api_key);
  await page.locator('.auth-btn-wrapper .authorize').click();
  await page.locator('.btn-done').click();
  for (const [id, status] of [
    ['submitForecast', '200'],
    ['listForecasts', '200'],
  ] as const) {
    const operation = page.locator(`[id$="-${id}"]`);
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table .response-col_status', { hasText: status }).first().waitFor();
    expect(await operation.locator('.live-responses-table .highlight-code').first().textContent()).toContain('PO-2025-1121-001');
  }
});
