import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { ignores, instructionsOf } from './image.ts';

test('reads instructions over several lines, with comments between them', () => {
  const dockerfile = '# One.\nFROM base AS one\nRUN a \\\n  # why\n  && b\nCMD ["c"]\n';
  expect(instructionsOf(dockerfile).map(([name, rest]) => [name, rest.replaceAll(/ +/g, ' ')])).toEqual([
    ['FROM', 'base AS one'],
    ['RUN', 'a && b'],
    ['CMD', '["c"]'],
  ]);
});

test.each([
  ['packages/http/src/app.ts', false],
  ['tools/build/build.mjs', false],
  ['tools/k8s/package.json', false],
  ['package.json', false],
  ['docs/images/a/b.png', false],
  ['README.md', true],
  ['tools/k8s/src/main.ts', true],
  ['packages/http/dist/app.js', true],
  ['packages/http/src/app.test.ts', true],
  ['packages/http/src/testing/deep/app.ts', true],
])('knows whether %s is left out of the image: %s', (path, expected) => {
  const isIgnored = ignores(readFileSync(new URL('../../../../.dockerignore', import.meta.url), 'utf8'));
  expect(isIgnored(path)).toBe(expected);
});
