import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../../testing/harness.ts';
import { addDocs, documentRoutes } from './http-docs.ts';
import { addGuides, guideRoutes } from './http-guides.ts';

let directory: string;
let gateway: TestGateway;

/** A gateway that serves what a build of the guides has left in a directory, beside the API reference. */
async function serve(): Promise<TestGateway> {
  gateway = await startGateway((_req, res) => res.end(), {
    ownRoutes: [...documentRoutes, ...guideRoutes],
    respondHere(router) {
      addDocs(router, { openapi: async () => ({}), asyncapi: async () => ({}), postman: async () => ({}) });
      addGuides(router, directory);
    },
  });
  return gateway;
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parcelway-guides-'));
  await mkdir(join(directory, 'assets'));
  await writeFile(join(directory, 'index.html'), '<!doctype html><title>guides</title>');
  await writeFile(join(directory, 'webhooks.html'), '<!doctype html><title>webhooks</title>');
  await writeFile(join(directory, 'assets', 'guides-4f1c9a.css'), 'main { }');
  await writeFile(join(directory, 'assets', 'receiver-4f1c9a.mjs'), 'export {};');
});
afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

test.each([
  ['/docs/guides', 'guides'],
  ['/docs/guides/webhooks', 'webhooks'],
])('%s is a page without scripts, asked for again each time', async (path, title) => {
  const { call } = await serve();
  const page = await call(path);
  expect(page.status).toBe(200);
  expect(page.text).toContain(`<title>${title}</title>`);
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy':
      "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  });
});

test('assets are kept for good; an example is shown as text', async () => {
  const { call } = await serve();
  const style = await call('/docs/guides/assets/guides-4f1c9a.css');
  expect(style.headers).toMatchObject({
    'content-type': 'text/css; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  const example = await call('/docs/guides/assets/receiver-4f1c9a.mjs');
  expect(example.headers['content-type']).toBe('text/plain; charset=utf-8');
});

test('the list has one address', async () => {
  const { call } = await serve();
  const responses = await Promise.all(['/docs/guides/', '/docs/guides/index'].map((path) => call(path)));
  expect(responses.map(({ status, headers }) => [status, headers['location']])).toEqual([
    [308, '../guides'],
    [308, '../guides'],
  ]);
});

test.each(['/docs/guides/nothing', '/docs/guides/assets/nothing.css', '/docs/guides/assets/..%2Findex.html', '/docs/guides/.sources'])(
  '%s does not exist',
  async (path) => {
    const { call } = await serve();
    expect((await call(path)).status).toBe(404);
  },
);

test('without a build the guides say what to do, and the reference is served all the same', async () => {
  await rm(directory, { recursive: true });
  await mkdir(directory);
  const { call } = await serve();
  const missing = await call('/docs/guides');
  expect(missing.status).toBe(503);
  expect(missing.text).toContain('npm run build');
  expect((await call('/docs')).status).toBe(200);
});
