import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

/*
 * Tests wait for conditions, with a deadline. A short pause between two looks is part of that; a longer one is a sleep that hopes.
 */

/** A pause of a poll takes no longer. */
const MAX_POLL_MS = 50;

/** Files that sleep nevertheless, and why there is no condition to wait for. */
const exceptions: Readonly<Record<string, string>> = {
  'packages/http/src/follow-connections.test.ts': 'whether a connection counts as idle depends on nothing but the time that passes',
};

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Paths of everything that only tests run. */
function testSources(): string[] {
  return ['packages', 'services', 'e2e', 'bench', 'demo', 'tools']
    .flatMap((folder) => globSources(folder))
    .filter((path) => /\.(test|conformance)\.ts$|\/testing\/[^/]+\.ts$/.test(path) && path !== 'tools/rules/src/fixed-sleeps.test.ts');
}

function globSources(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : globSources(path);
    return path.endsWith('.ts') ? [path] : [];
  });
}

const SLEEPS = [
  /await new Promise(?:<[^>]*>)?\(\s*\(?\w+\)? =>\s*setTimeout\(\w+, ([^)]+)\)/g,
  /await (?:sleep|pause|delay|setTimeout)\(([^)]*)\)/g,
];

/** Durations that a source waits for, as they are written: numbers, but for short pauses, and constants. Others are delays that a test simulates. */
function sleepsIn(source: string): string[] {
  return SLEEPS.flatMap((pattern) => [...source.matchAll(pattern)])
    .map(([, duration = '']) => duration.trim())
    .filter((duration) =>
      /^[\d_]+$/.test(duration) ? Number(duration.replaceAll('_', '')) > MAX_POLL_MS : /\b[A-Z_]+_MS\b/.test(duration),
    );
}

test('finds sleeps', () => {
  const sources = [
    'await new Promise((resolve) => setTimeout(resolve, 3000));',
    'await new Promise<void>((resolve) =>\n  setTimeout(resolve, IDLE_MS + 200));',
    'await sleep(3_500);',
    'await pause(WAIT_MS);',
    'await new Promise((resolve) => setTimeout(resolve, 10)); await pause(20); await sleep(0);',
  ];
  expect(sources.map(sleepsIn)).toEqual([['3000'], ['IDLE_MS + 200'], ['3_500'], ['WAIT_MS'], []]);
});

test('no test sleeps', () => {
  const sleeping = testSources().flatMap((path) => {
    const sleeps = sleepsIn(readFileSync(join(root, path), 'utf8'));
    return sleeps.length === 0 ? [] : [`${path}: ${sleeps.join(', ')}`];
  });
  expect(sleeping.filter((line) => exceptions[line.slice(0, line.indexOf(':'))] === undefined)).toEqual([]);
  expect(Object.keys(exceptions).filter((path) => !sleeping.some((line) => line.startsWith(`${path}:`)))).toEqual([]);
});
