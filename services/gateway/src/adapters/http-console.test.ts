import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../testing/harness.ts';
import { addConsole, consoleRoutes } from './http-console.ts';

let directory: string;
let gateway: TestGateway;

/** A gateway that serves what a build of the console has left in a directory. */
async function serve(): Promise<TestGateway> {
  gateway = await startGateway((_req, res) => res.end(), {
    ownRoutes: consoleRoutes,
    answerHere: (router) => addConsole(router, directory),
  });
  return gateway;
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parcelway-console-'));
  await mkdir(join(directory, 'assets'));
  await writeFile(join(directory, 'index.html'), '<!doctype html><title>console</title>');
  await writeFile(join(directory, 'licenses.md'), 'not for the page');
  await writeFile(join(directory, 'assets', 'index-4f1c9a.js'), 'export {};');
  await writeFile(join(directory, 'assets', 'index-4f1c9a.css'), 'main { }');
  await writeFile(join(directory, 'assets', 'notes.txt'), 'nothing that a page loads');
});
afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

describe('the page', () => {
  test('may run only its own scripts, load only from its own origin, and stand in no frame', async () => {
    const { call } = await serve();
    const page = await call('/console');
    expect(page.status).toBe(200);
    expect(page.text).toContain('<title>console</title>');
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
      'img-src': "'self'",
      'connect-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    });
  });

  test('can be asked about without being fetched', async () => {
    const { call } = await serve();
    const head = await call('/console', { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '', headers: { 'content-length': '37' } });
    expect((await call('/console', { method: 'POST' })).status).toBe(405);
  });

  test('with a slash at its end leads to the page, under whatever prefix', async () => {
    const { call } = await serve();
    expect(await call('/console/')).toMatchObject({ status: 308, headers: { location: '../console' } });
  });

  test('that has not been built says what to do', async () => {
    await rm(join(directory, 'assets'), { recursive: true });
    const { call } = await serve();
    const answer = await call('/console');
    expect(answer).toMatchObject({ status: 503, json: { code: '50301' } });
    expect(answer.json.message).toContain('npm run build');
  });
});

describe('its files', () => {
  test('never change under their names', async () => {
    const { call } = await serve();
    const script = await call('/console/assets/index-4f1c9a.js');
    expect(script).toMatchObject({
      status: 200,
      text: 'export {};',
      headers: {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      },
    });
    const style = await call('/console/assets/index-4f1c9a.css', { method: 'HEAD' });
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
    const answer = await call(`/console/assets/${name}`);
    expect([400, 404, 422]).toContain(answer.status);
    expect(answer.text).not.toMatch(/nothing that a page loads|not for the page|doctype/);
  });
});
