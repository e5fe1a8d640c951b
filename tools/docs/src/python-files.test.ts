import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { routes } from '@parcelway/contracts/routes';
import { sentEventTypes } from '@parcelway/contracts/webhook-event-types';
import { pythonFiles } from './python-files.ts';
import { pythonMethods } from './python-resources.ts';
import { sdkMethods } from './sdk-methods.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = 'clients/python/src/parcelway';
const files = pythonFiles(root);
const read = (name: string) => readFileSync(join(root, name), 'utf8');

test.each([...files.keys()])('%s is as `npm run docs` writes it', (name) => {
  expect(read(name)).toBe(files.get(name));
});

test('no file is left over from before', () => {
  const there = readdirSync(join(root, folder, '_generated')).filter((name) => name.endsWith('.py'));
  expect(there.map((name) => `${folder}/_generated/${name}`).sort()).toEqual(
    [...files.keys()].filter((name) => name.includes('_generated')).sort(),
  );
});

test('every route and every event that is sent is there', () => {
  const table = files.get(`${folder}/_generated/routes.py`) ?? '';
  for (const { id, method, path } of routes) expect(table).toContain(`    "${id}": Route("${method}", "${path}", `);
  const types = files.get(`${folder}/types.py`) ?? '';
  for (const type of sentEventTypes) expect(types).toContain(`    type: Literal["${type}"]\n`);
});

test('both kinds of clients have the methods of the client for Node', () => {
  const snake = (call: string) => call.replace(/\(.*/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  expect(pythonMethods(root).map(({ call, route }) => [snake(call), route])).toEqual(
    sdkMethods(root).map(({ call, route }) => [snake(call), route]),
  );
  for (const [prefix, byHand] of [
    ['', '_by_hand'],
    ['async_', '_async_by_hand'],
  ]) {
    const text = `${files.get(`${folder}/_generated/${prefix}resources.py`)}${read(`${folder}/${byHand}.py`)}`;
    for (const { call } of pythonMethods(root))
      expect(text).toMatch(new RegExp(`def ${call.replace(/^\w+\./, '').replace(/\(.*/, '')}\\(`));
  }
});

test('no type is left open', () => {
  for (const [name, text] of files)
    expect([name, text.replace(/"""[\s\S]*?"""/g, '').match(/\bAny\b|undefined|\[object/)]).toEqual([name, null]);
});
