import { expect, test } from '@jest/globals';
import { assertPlainPath, isPlainPath } from './plain-path.ts';

test('a path that every program reads alike is plain', () => {
  for (const path of [
    '/',
    '/a/b',
    '/a/b?x=../..&y=\\',
    '/a/..b',
    '/a/...',
    '/a/b%2Fc',
    '/a/b%5Cc',
    '/a/PO%202026.11',
    '/a/b..?c',
    '/a//b',
  ]) {
    expect([path, isPlainPath(path)]).toEqual([path, true]);
    expect(() => assertPlainPath(path)).not.toThrow();
  }
});

test('a path that a program may resolve to another one is not', () => {
  const paths = [
    '/a/..',
    '/a/../b',
    '/a/.',
    '/a/./b',
    '/a/%2e%2e/b',
    '/a/.%2E/b',
    '/a/%2e',
    '/a\\b',
    '/a/..\\b',
    '/a/..%5Cb',
    '/a/b%2f..%2fc',
    '/a/%2F..',
  ];
  for (const path of [...paths, ...paths.map((each) => `${each}?limit=1`), '/a/%', '/a/%ff', '/a b', '/a?b c', '/a\n', '/\u20ac']) {
    expect([path, isPlainPath(path)]).toEqual([path, false]);
    expect(() => assertPlainPath(path)).toThrow(expect.objectContaining({ code: '40402' }));
  }
});
