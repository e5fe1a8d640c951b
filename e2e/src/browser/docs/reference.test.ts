import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import type { PageWindow } from '../page-window.ts';
import { useDocs } from './use-docs.ts';

/* The API reference as somebody uses it who writes a client. */

const { stage, open, paths } = useDocs();
const section = ({ page }: PageWindow, id: string): Locator => page.locator(`section#${id}`);

test('samples have the address of the platform and the language that was chosen, on the next page too', async () => {
  const { base_url } = stage.platform.quickstart;
  const at = await open('/docs/api/forecasts');
  const submit = section(at, 'submit-forecast');
  expect(await submit.locator('pre:visible').first().textContent()).toContain(`curl '${base_url}/open/v1/forecasts'`);
  await submit.getByRole('button', { name: 'Go', exact: true }).click();
  expect(await submit.locator('pre:visible').first().textContent()).toContain(`"${base_url}/open/v1/forecasts"`);
  expect(await section(at, 'list-forecasts').locator('pre:visible').first().textContent()).toContain('package main');
  await at.page.goto(`${base_url}/docs/api/files`);
  expect(await section(at, 'upload-pdf').locator('pre:visible').first().textContent()).toContain('package main');
  expect(await at.page.content()).not.toContain('api.example.com/open');
});

test('a sample is copied as it is shown', async () => {
  const at = await open('/docs/api/warehouses');
  await at.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await section(at, 'list-warehouses').getByRole('button', { name: 'Copy' }).first().click();
  await at.page.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = (await at.page.evaluate('navigator.clipboard.readText()')) as string;
  expect(copied).toBe(`curl '${stage.platform.quickstart.base_url}/open/v1/warehouses' \\\n  -H "X-Api-Key: $PARCELWAY_API_KEY"`);
});

test('requests are sent from the page, with a key that is kept in memory alone', async () => {
  const { tenant, base_url } = stage.platform.quickstart;
  const at = await open('/docs/api/forecasts');
  const submit = section(at, 'submit-forecast');
  await submit.getByText('Try it', { exact: true }).click();
  await submit.getByLabel('API key').fill(tenant.api_key);
  await submit.getByRole('button', { name: 'Send' }).click();
  await submit.getByRole('status').getByText('HTTP 200').waitFor();
  expect(await submit.getByRole('status').textContent()).toContain('PO-2025-1121-001');
  // The other forms have the key, too.
  const read = section(at, 'get-forecast');
  await read.getByText('Try it', { exact: true }).click();
  await read.getByRole('button', { name: 'Send' }).click();
  await read.getByRole('status').getByText('HTTP 200').waitFor();
  expect(await at.page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])')).toBe('[{},{},""]');
  await at.page.goto(`${base_url}/docs/api/warehouses`);
  const list = section(at, 'list-warehouses');
  await list.getByText('Try it', { exact: true }).click();
  expect(await list.getByLabel('API key').inputValue()).toBe('');
});

test('a file is uploaded from the page; a refusal is shown as the platform said it', async () => {
  const at = await open('/docs/api/files');
  const upload = section(at, 'upload-pdf');
  await upload.getByText('Try it', { exact: true }).click();
  await upload.getByLabel('API key').fill(stage.platform.quickstart.tenant.api_key);
  await upload
    .getByLabel('File')
    .setInputFiles({ name: 'label.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') });
  await upload.getByRole('button', { name: 'Send' }).click();
  await upload.getByRole('status').getByText('HTTP 200').waitFor();
  await upload.getByLabel('API key').fill('pf_live_wrong');
  await upload.getByText('This key is of production').waitFor();
  await upload.getByRole('button', { name: 'Send' }).click();
  await upload.getByRole('status').getByText('HTTP 401').waitFor();
  expect(await upload.getByRole('status').textContent()).toContain('40003');
});

test('no page holds the demo key', async () => {
  const client = stage.platform.client(null);
  for (const path of ['/docs', '/docs/first-parcel', '/docs/api/forecasts'])
    expect((await client.call(path)).text).not.toContain(stage.platform.quickstart.tenant.api_key);
});

/** Bytes of compressed script that a page may load, and of the page itself. */
const [MAX_SCRIPT, MAX_PAGE] = [60_000, 100_000];

test('every page is small, and loads little script', async () => {
  const client = stage.platform.client(null);
  const scripts = new Set<string>();
  const large: Record<string, number> = {};
  for (const path of await paths()) {
    const { text } = await client.call(path);
    const size = gzipSync(text).length;
    if (size > MAX_PAGE) large[path] = size;
    for (const [, script = ''] of text.matchAll(/<script [^>]*src="([^"]+)"/g)) scripts.add(new URL(script, `https://x${path}`).pathname);
  }
  expect(large).toEqual({});
  expect(scripts.size).toBe(1);
  for (const script of scripts) expect(gzipSync((await client.call(script)).text).length).toBeLessThan(MAX_SCRIPT);
});
