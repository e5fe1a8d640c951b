import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

/* The table that compares webhook delivery with other engines: whatever it says of Parcelway is shown by a test that exists. */

const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = 'docs/webhooks-compared.md';
const columns = ['Feature', 'Parcelway', 'Svix', 'Convoy', 'Outpost', 'Hook0', 'Shown by'];

/** Cells of the rows of the table under `## Features`, its head first, its ruler left out. */
function featureRows(markdown: string): string[][] {
  const section = /\n## Features\n([\s\S]*?)(?=\n## |$)/.exec(markdown)?.[1] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|') && !line.startsWith('| ---'));
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

/** What is wrong with a cell of the last column: every entry is a link to a test file, then the title of a test in it. */
function faultsOf(cell: string): string[] {
  return cell.split('<br>').flatMap((entry) => {
    const [, path, title] = /^\[[^\]]+\]\(([^)]+)\): (.+)$/.exec(entry) ?? [];
    if (path === undefined || title === undefined) return [`"${entry}" is not a link with a title`];
    if (!/\.(test|conformance)\.ts$/.test(path)) return [`${path} is no test`];
    const file = join(root, dirname(page), path);
    if (!existsSync(file)) return [`${path} leads to no file`];
    return titlesIn(readFileSync(file, 'utf8')).includes(title) ? [] : [`${path} has no test "${title}"`];
  });
}

/** Titles of the tests in a file, those of `test.each` with their placeholders. */
function titlesIn(source: string): string[] {
  // `test(` and the end of `test.each([…])(` are both immediately before the title.
  return [...source.matchAll(/(?:\btest|\))\(\s*(['"`])((?:\\.|(?!\1).)*)\1\s*,/g)].map((match) => match[2] as string);
}

const [head, ...rows] = featureRows(readFileSync(join(root, page), 'utf8'));

test('the table has its columns and a row for each feature', () => {
  expect(head).toEqual(columns);
  expect(rows.length).toBeGreaterThanOrEqual(25);
  expect(rows.filter((row) => row.length !== columns.length)).toEqual([]);
});

describe.each(rows.map((row) => [row[0] as string, row] as const))('%s', (_feature, row) => {
  test('is shown by tests that exist', () => {
    expect(faultsOf(row.at(-1) as string)).toEqual([]);
  });

  test('the verdict is in the agreed words', () => {
    const response = /^(yes|no|paid|not found|yes: .+|no: .+|partly: .+)$/;
    expect(row.slice(1, -1).filter((cell) => !response.test(cell))).toEqual([]);
  });
});

test('a missing file, a missing title and a bare text are noticed', () => {
  const file = '../services/webhook/src/dispatch/deliver.test.ts';
  expect(faultsOf('[a](../services/nowhere.test.ts): b')).toEqual(['../services/nowhere.test.ts leads to no file']);
  expect(faultsOf(`[a](${file}): no such test`)).toEqual([`${file} has no test "no such test"`]);
  expect(faultsOf('[a](../README.md): b')).toEqual(['../README.md is no test']);
  expect(faultsOf('take our word')).toEqual(['"take our word" is not a link with a title']);
});
