import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../../testing/harness.ts';
import { addDocs, documentRoutes } from './http-docs.ts';
import { addDocsSite, docsSiteRoutes } from './http-docs-site.ts';

let directory: string;

/** A gateway that serves what a build of the site has left in a directory. */
function serve(): Promise<TestGateway> {
  return startGateway((_req, res) => res.end(), {
    ownRoutes: [...documentRoutes, ...docsSiteRoutes],
    respondHere(router) {
      addDocs(router, 'sandbox', 'https://gateway.example');
      addDocsSite(router, directory);
    },
  });
}

const files = {
  'docs.html': '<!doctype html><title>start</title>',
  'docs.md': '# start',
  'docs/first-parcel.html': '<!doctype html><title>first-parcel</title>',
  'docs/guides.html': '<!doctype html><title>guides</title>',
  'docs/guides/webhooks.html': '<!doctype html><title>webhooks</title>',
  'docs/guides/webhooks/retries.html': '<!doctype html><title>retries</title>',
  'docs/guides/webhooks/retries.md': '# Retries',
  'docs/api.html': '<!doctype html><title>api</title>',
  'docs/api/forecasts.html': '<!doctype html><title>forecasts</title>',
  'docs/api/forecasts.md': '# Forecasts',
  'docs/assets/site-4f1c9a.css': 'main { }',
  'docs/assets/receiver-4f1c9a.mjs': 'export {};',
  'docs/assets/search-4f1c9a.json': '{}',
  'llms.txt': '# Parcelway',
  'licenses.md': 'not for readers',
};

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parcelway-site-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
});
afterEach(() => rm(directory, { recursive: true }));

test.each([
  ['/docs', 'start'],
  ['/docs/first-parcel', 'first-parcel'],
  ['/docs/guides', 'guides'],
  ['/docs/guides/webhooks', 'webhooks'],
  ['/docs/guides/webhooks/retries', 'retries'],
  ['/docs/api', 'api'],
  ['/docs/api/forecasts', 'forecasts'],
])('%s is a page that runs only its own script, asked for again each time', async (path, title) => {
  const { call } = await serve();
  const page = await call(path);
  expect(page.status).toBe(200);
  expect(page.text).toContain(`<title>${title}</title>`);
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    vary: expect.stringMatching(/^(Accept, )?Accept-Encoding$/),
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  });
});

test.each([
  ['/docs.md', '# start', 'text/markdown; charset=utf-8'],
  ['/docs/guides/webhooks/retries.md', '# Retries', 'text/markdown; charset=utf-8'],
  ['/docs/api/forecasts.md', '# Forecasts', 'text/markdown; charset=utf-8'],
  ['/llms.txt', '# Parcelway', 'text/plain; charset=utf-8'],
])('%s is text', async (path, text, type) => {
  const { call } = await serve();
  expect(await call(path)).toMatchObject({ status: 200, text, headers: { 'content-type': type } });
});

test.each([
  ['text/markdown', '# Retries', 'text/markdown; charset=utf-8'],
  ['text/markdown, text/html;q=0.5', '# Retries', 'text/markdown; charset=utf-8'],
  ['text/html,application/xhtml+xml,*/*;q=0.8', '<!doctype html><title>retries</title>', 'text/html; charset=utf-8'],
  ['*/*', '<!doctype html><title>retries</title>', 'text/html; charset=utf-8'],
])('who asks for %s gets it, and a cache keeps both kinds apart', async (accept, text, type) => {
  const { call } = await serve();
  const page = await call('/docs/guides/webhooks/retries', { headers: { accept } });
  expect(page).toMatchObject({ status: 200, text, headers: { 'content-type': type, vary: 'Accept, Accept-Encoding' } });
});

test('a page without Markdown is there in HTML alone', async () => {
  const { call } = await serve();
  const page = await call('/docs/first-parcel', { headers: { accept: 'text/markdown' } });
  expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8', vary: 'Accept-Encoding' } });
});

test('assets are kept for good; an example is shown as text', async () => {
  const { call } = await serve();
  const style = await call('/docs/assets/site-4f1c9a.css');
  expect(style.headers).toMatchObject({
    'content-type': 'text/css; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  const example = await call('/docs/assets/receiver-4f1c9a.mjs');
  expect(example.headers['content-type']).toBe('text/plain; charset=utf-8');
  const index = await call('/docs/assets/search-4f1c9a.json');
  expect(index.headers['content-type']).toBe('application/json; charset=utf-8');
});

test.each(['/docs', '/docs/assets/search-4f1c9a.json'])('%s comes compressed to a client that takes that', async (path) => {
  const { call, raw } = await serve();
  const whole = await call(path);
  expect(whole.headers['vary']).toContain('Accept-Encoding');
  expect(whole.headers['content-encoding']).toBeUndefined();
  const [head = '', body = ''] = (
    await raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: br, gzip\r\nConnection: close\r\n\r\n`)
  ).split(/\r\n\r\n([\s\S]*)/, 2);
  expect(head.toLowerCase()).toContain('content-encoding: gzip');
  expect(gunzipSync(Buffer.from(body, 'latin1')).toString()).toBe(whole.text);
  expect((await call(path, { headers: { 'accept-encoding': 'gzip;q=0' } })).headers['content-encoding']).toBeUndefined();
});

test('a list has one address', async () => {
  const { call } = await serve();
  const paths = ['/docs/', '/docs/guides/', '/docs/guides/index', '/docs/api/'];
  const responses = await Promise.all(paths.map((path) => call(path)));
  expect(responses.map(({ status, headers }) => [status, headers['location']])).toEqual([
    [308, '../docs'],
    [308, '../guides'],
    [308, '../guides'],
    [308, '../api'],
  ]);
});

test.each([
  '/docs/nothing',
  '/docs/guides/nothing',
  '/docs/guides/webhooks/nothing',
  '/docs/api/nothing',
  '/docs/assets/nothing.css',
  '/docs/assets/..%2F..%2Fdocs.html',
  '/docs/guides.html',
  '/docs/guides/.sources',
  '/docs/..%2Flicenses.md',
])('%s does not exist', async (path) => {
  const { call } = await serve();
  expect((await call(path)).status).toBe(404);
});

test('without a build the site says what to do', async () => {
  await rm(directory, { recursive: true });
  await mkdir(directory);
  const { call } = await serve();
  const missing = await call('/docs');
  expect(missing.status).toBe(503);
  expect(missing.text).toContain('npm run build');
});
