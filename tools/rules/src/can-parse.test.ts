import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

/* `URL.canParse` is wrong on Node 20 and 22 about addresses beyond ASCII, once V8 has compiled its caller; `parseUrl` of the kernel is right. */

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Sources of the product, its tests and its tools, from the root. */
const sources = ['packages', 'services', 'e2e', 'bench', 'demo', 'tools'].flatMap((folder) =>
  readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.m?ts$/.test(name) && !/(^|\/)(node_modules|dist)\//.test(name))
    .map((name) => `${folder}/${name}`),
);

test('nothing calls URL.canParse', () => {
  expect(sources).toContain('packages/kernel/src/parse-url.ts');
  expect(sources.filter((path) => readFileSync(root + path, 'utf8').includes(['URL.canParse', '('].join('')))).toEqual([]);
});
