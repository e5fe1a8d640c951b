import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { readRules, ruleTexts } from './prometheus-rules.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = join(root, 'docs/runbooks');
const pages = readdirSync(folder).filter((name) => name !== 'README.md');
const names = [...ruleTexts(root).values()].flatMap(readRules).flatMap(({ kind, name }) => (kind === 'alert' ? [name] : []));

/** Sources of the processes, in one text. */
function sources(): string {
  const files = ['packages', 'services'].flatMap((each) =>
    readdirSync(join(root, each), { recursive: true, encoding: 'utf8' }).map((name) => join(root, each, name)),
  );
  const wanted = files.filter((name) => /\/src\/.*(?<!\.test)\.ts$/.test(name) && !name.includes('/node_modules/'));
  return wanted.map((name) => readFileSync(name, 'utf8')).join('\n');
}

/** Log lines that a page quotes: the heads of the entries of its list of them. */
function logLinesIn(markdown: string): string[] {
  const [, list = ''] = /Log lines:\n\n((?:- .*\n)+)/.exec(markdown) ?? [];
  return list
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => /^- `([^`]+)`(?:: |$)/.exec(line)?.[1] ?? line);
}

test('every alert has a page, and every page an alert', () => {
  expect(pages.sort()).toEqual([...new Set(names)].map((name) => `${name}.md`).sort());
});

describe('every page', () => {
  const source = sources();

  test.each(pages)('%s says how urgent it is as the rules do', (page) => {
    const name = page.replace(/\.md$/, '');
    const lead = readFileSync(join(folder, page), 'utf8').split('\n')[2]?.toLowerCase() ?? '';
    const severities = [...ruleTexts(root).values()].flatMap(readRules).filter((rule) => rule.name === name);
    for (const word of ['critical', 'warning'])
      expect([word, lead.includes(word)]).toEqual([word, severities.some(({ labels }) => labels['severity'] === word)]);
  });

  test.each(pages)('%s quotes log lines that the code writes', (page) => {
    const lines = logLinesIn(readFileSync(join(folder, page), 'utf8'));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => !source.includes(line))).toEqual([]);
  });
});
