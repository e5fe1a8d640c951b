import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../../testing/harness.ts';
import { addPages, pageRoutes } from './http-pages.ts';

let directory: string;

/** A gateway that serves what a build of the pages has left in a directory. */
function serve(): Promise<TestGateway> {
  return startGateway((_req, res) => res.end(), {
    ownRoutes: pageRoutes,
    respondHere: (router) => addPages(router, () => directory),
  });
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parcelway-pages-'));
  await mkdir(join(directory, 'assets'));
  await writeFile(join(directory, 'index.html'), '<!doctype html><title>page</title>');
  await writeFile(join(directory, 'licenses.md'), 'not for the page');
  await writeFile(join(directory, 'assets', 'index-4f1c9a.js'), 'export {};');
  await writeFile(join(directory, 'assets', 'index-4f1c9a.css'), 'main { }');
  await writeFile(join(directory, 'assets', 'notes.txt'), 'nothing that a page loads');
});
afterEach(() => rm(directory, { recursive: true }));

describe.each([
  ['/console', { 'img-src': "'self'" }],
  ['/station', { 'img-src': "'self' blob:", 'frame-src': 'blob:' }],
])('%s', (path, allowed) => {
  test('may run only its own scripts, load only from its own origin, and be shown in no frame', async () => {
    const { call } = await serve();
    const page = await call(path);
    expect(page.status).toBe(200);
    expect(page.text).toContain('<title>page</title>');
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
    const policy = Object.fromEntries(
      String(page.headers['content-security-policy'])
        .split('; ')
        .map((directive) => directive.split(/ (.*)/, 2)),
    );
    expect(policy).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      ...allowed,
      'connect-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    });
  });

  test('can be asked about without being fetched', async () => {
    const { call } = await serve();
    const head = await call(path, { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '', headers: { 'content-length': '34' } });
    expect((await call(path, { method: 'POST' })).status).toBe(405);
  });

  test('with a slash at its end leads to the page, under whatever prefix', async () => {
    const { call } = await serve();
    expect(await call(`${path}/`)).toMatchObject({ status: 308, headers: { location: `..${path}` } });
  });

  test('that has not been built says what to do', async () => {
    await rm(join(directory, 'assets'), { recursive: true });
    const { call } = await serve();
    const response = await call(path);
    expect(response).toMatchObject({ status: 503, json: { code: '50301' } });
    expect(response.json.message).toContain('npm run build');
  });
});

describe.each(['/console', '/station'])('files of %s', (path) => {
  test('never change under their names', async () => {
    const { call } = await serve();
    const script = await call(`${path}/assets/index-4f1c9a.js`);
    expect(script).toMatchObject({
      status: 200,
      text: 'export {};',
      headers: {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      },
    });
    const style = await call(`${path}/assets/index-4f1c9a.css`, { method: 'HEAD' });
    expect(style).toMatchObject({ status: 200, text: '', headers: { 'content-type': 'text/css; charset=utf-8' } });
  });

  test.each([
    'index-0000.js',
    'notes.txt',
    'index.html',
    '..%2Findex.html',
    '%2e%2e%2flicenses.md',
    '..%5cindex.html',
    'index-4f1c9a.js%00',
    '%E0%A4%A',
  ])('%s is none of them', async (name) => {
    const { call } = await serve();
    const response = await call(`${path}/assets/${name}`);
    expect([400, 404, 422]).toContain(response.status);
    expect(response.text).not.toMatch(/nothing that a page loads|not for the page|doctype/);
  });
});

test('the station may use the camera and a scale, the console neither', async () => {
  const { call } = await serve();
  expect((await call('/station')).headers['permissions-policy']).toBe('camera=(self), serial=(self), microphone=(), geolocation=()');
  expect((await call('/console')).headers['permissions-policy']).toBeUndefined();
});
