import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { ends } from '../../testing/ends.ts';
import { startGateway, type TestGateway } from '../../testing/harness.ts';
import { addDocsSite, docsSiteRoutes } from './http-docs.ts';
import { addPages, pageRoutes } from './http-pages.ts';

const pageOf = (title: string): string => `<!doctype html><title>${title}</title>`;
const files = {
  'site/docs.html': pageOf('start'),
  'site/docs.md': '# start',
  'site/docs/first-parcel.html': pageOf('first-parcel'),
  'site/docs/guides.html': pageOf('guides'),
  'site/docs/guides/webhooks.html': pageOf('webhooks'),
  'site/docs/guides/webhooks/retries.html': pageOf('retries'),
  'site/docs/guides/webhooks/retries.md': '# Retries',
  'site/docs/api.html': pageOf('api'),
  'site/docs/api/forecasts.html': pageOf('forecasts'),
  'site/docs/assets/site-4f1c9a.css': 'main { }',
  'site/docs/assets/receiver-4f1c9a.mjs': 'export {};',
  'site/docs/assets/search-4f1c9a.json': '{}',
  'site/llms.txt': '# Parcelway',
  'site/licenses.md': 'not for readers',
  'page/index.html': pageOf('page'),
  'page/licenses.md': 'not for the page',
  'page/assets/index-4f1c9a.js': 'export {};',
  'page/assets/notes.txt': 'nothing that a page loads',
};

/** A gateway that serves what builds of the site and of the pages have left. @param built default: all */
async function serve(built: Readonly<Record<string, string>> = files): Promise<TestGateway> {
  const directory = await mkdtemp(join(tmpdir(), 'parcelway-site-'));
  ends.push(() => rm(directory, { recursive: true }));
  for (const [path, text] of Object.entries(built)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  return startGateway((_req, res) => res.end(), {
    ownRoutes: [...docsSiteRoutes, ...pageRoutes],
    respondHere(router) {
      addDocsSite(router, join(directory, 'site'));
      addPages(router, () => join(directory, 'page'));
    },
  });
}

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await serve();
});

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const stationPolicy = policy.replace("img-src 'self'", "img-src 'self' blob:; frame-src blob:");

test('a page runs only its own script, is shown in no frame and asked for again each time', async () => {
  for (const [path, title, allowed] of [
    ['/docs', 'start', policy],
    ['/docs/first-parcel', 'first-parcel', policy],
    ['/docs/guides', 'guides', policy],
    ['/docs/guides/webhooks', 'webhooks', policy],
    ['/docs/guides/webhooks/retries', 'retries', policy],
    ['/docs/api', 'api', policy],
    ['/docs/api/forecasts', 'forecasts', policy],
    ['/console', 'page', policy],
    ['/station', 'page', stationPolicy],
  ]) {
    expect(await gateway.call(String(path))).toMatchObject({
      status: 200,
      text: pageOf(String(title)),
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'content-security-policy': allowed,
      },
    });
  }
});

test('the station may use the camera and a scale, the console neither', async () => {
  const permissionsOf = async (path: string) => (await gateway.call(path)).headers['permissions-policy'];
  expect(await permissionsOf('/station')).toBe('camera=(self), serial=(self), microphone=(), geolocation=()');
  expect(await permissionsOf('/console')).toBeUndefined();
});

test('a page can be asked about without being fetched', async () => {
  expect(await gateway.call('/console', { method: 'HEAD' })).toMatchObject({ status: 200, text: '', headers: { 'content-length': '34' } });
  expect((await gateway.call('/console', { method: 'POST' })).status).toBe(405);
});

const html = 'text/html; charset=utf-8';
const markdown = 'text/markdown; charset=utf-8';

describe('the documentation', () => {
  test.each([
    ['/docs.md', '# start', markdown],
    ['/docs/guides/webhooks/retries.md', '# Retries', markdown],
    ['/llms.txt', '# Parcelway', 'text/plain; charset=utf-8'],
  ])('has the text %s', async (path, text, type) => {
    expect(await gateway.call(path)).toMatchObject({ status: 200, text, headers: { 'content-type': type } });
  });

  test('comes as who asks prefers it, and a cache keeps both kinds apart', async () => {
    for (const [accept, type] of [
      ['text/markdown', markdown],
      ['text/markdown, text/html;q=0.5', markdown],
      ['text/html,application/xhtml+xml,*/*;q=0.8', html],
      ['*/*', html],
    ]) {
      const page = await gateway.call('/docs/guides/webhooks/retries', { headers: { accept: String(accept) } });
      expect(page.headers).toMatchObject({ 'content-type': type, vary: 'Accept, Accept-Encoding' });
    }
    const only = await gateway.call('/docs/first-parcel', { headers: { accept: 'text/markdown' } });
    expect(only.headers).toMatchObject({ 'content-type': html, vary: 'Accept-Encoding' });
  });

  test.each(['/docs', '/docs/assets/search-4f1c9a.json'])('%s comes compressed to a client that takes that', async (path) => {
    const whole = await gateway.call(path);
    expect(whole.headers['content-encoding']).toBeUndefined();
    const [head = '', body = ''] = (
      await gateway.raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: br, gzip\r\nConnection: close\r\n\r\n`)
    ).split(/\r\n\r\n([\s\S]*)/, 2);
    expect(head.toLowerCase()).toContain('content-encoding: gzip');
    expect(gunzipSync(Buffer.from(body, 'latin1')).toString()).toBe(whole.text);
  });
});

test.each([
  ['/docs/', '../docs'],
  ['/docs/guides/', '../guides'],
  ['/docs/guides/index', '../guides'],
  ['/docs/api/', '../api'],
  ['/console/', '../console'],
])('%s leads to %s, under whatever prefix', async (path, location) => {
  expect(await gateway.call(path)).toMatchObject({ status: 308, headers: { location } });
});

test.each([
  ['/docs/assets/site-4f1c9a.css', 'text/css; charset=utf-8'],
  ['/docs/assets/receiver-4f1c9a.mjs', 'text/plain; charset=utf-8'],
  ['/docs/assets/search-4f1c9a.json', 'application/json; charset=utf-8'],
  ['/console/assets/index-4f1c9a.js', 'text/javascript; charset=utf-8'],
])('%s never changes under its name', async (path, type) => {
  const headers = { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' };
  expect(await gateway.call(path)).toMatchObject({ status: 200, headers });
});

test.each([
  ...['/docs/nothing', '/docs/guides/webhooks/nothing', '/docs/assets/nothing.css', '/docs/assets/..%2F..%2Fdocs.html'],
  ...['/docs/guides.html', '/docs/guides/.sources', '/docs/..%2Flicenses.md'],
  ...['index-0000.js', 'notes.txt', 'index.html', '..%2Findex.html', '%2e%2e%2flicenses.md', '..%5cindex.html'].map(
    (name) => `/console/assets/${name}`,
  ),
])('%s does not exist', async (path) => {
  expect((await gateway.call(path)).status).toBe(404);
});

test('what has not been built says what to do', async () => {
  const { call } = await serve({ 'page/index.html': pageOf('page') });
  for (const path of ['/docs', '/console']) {
    const response = await call(path);
    expect([response.status, response.json.message]).toEqual([503, expect.stringContaining('npm run build')]);
  }
});
