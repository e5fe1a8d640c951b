import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { routes as contractRoutes } from '@parcelway/contracts/routes';
import { sentEventTypes } from '@parcelway/contracts/webhook-event-types';
import { sdkFiles } from './sdk-files.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = 'packages/sdk/src/generated';
const files = sdkFiles();

test.each([...files.keys()])('%s is as `npm run docs` writes it', (name) => {
  expect(readFileSync(join(root, name), 'utf8')).toBe(files.get(name));
});

test('no file is left over from before', () => {
  const there = readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
  expect(there.sort()).toEqual([...files.keys()].sort());
});

test('every route and every event that is sent has its types', () => {
  const texts = [...files.values()].join('');
  const routesFile = files.get(`${folder}/routes.ts`) ?? '';
  for (const { id, method, path, idempotencyKey } of contractRoutes) {
    expect(routesFile).toContain(`  ${id}: { method: '${method}', path: '${path}', takesKey: ${idempotencyKey === true} },\n`);
  }
  for (const { id } of contractRoutes) expect(texts).toContain(`  readonly ${id}: {\n`);
  const events = files.get(`${folder}/webhook-event.ts`) ?? '';
  for (const type of sentEventTypes) expect(texts).toContain(`  readonly type: '${type}';\n`);
  expect(/^export type WebhookEvent = (.*);$/m.exec(events)?.[1]?.split(' | ')).toHaveLength(sentEventTypes.length);
});

test('no type is left open', () => {
  for (const text of files.values()) expect(text.replace(/\/\*\*.*\*\//g, '')).not.toMatch(/\b(any|undefined\[\]|\[object)\b/);
});
