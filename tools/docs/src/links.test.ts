import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { splitDocument } from '@parcelway/docs-site/build/guides/render-markdown';
import { documents } from './parts.ts';
import { read, root } from './testing/documents.ts';

const names = documents(root);

/** Anchors of a document, as the site and GitHub make them. */
function anchorsIn(markdown: string): Set<string> {
  const { intro, sections } = splitDocument(markdown);
  return new Set([intro, ...sections].flatMap(({ headings }) => headings.map(({ anchor }) => anchor)));
}

/** Targets of links and images that lie in this repository. */
function targetsIn(markdown: string): string[] {
  // In code `[a](b)` means something else.
  const text = markdown.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] as string);
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

/** What is wrong with a link in a document; undefined when it leads somewhere. */
function faultOf(document: string, target: string): string | undefined {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? document : relative(root, join(root, dirname(document), decodeURIComponent(path)));
  if (file.startsWith('..')) return `${target} leads out of the repository`;
  if (!existsSync(join(root, file))) return `${target} leads to no file`;
  if (anchor === undefined) return undefined;
  if (statSync(join(root, file)).isDirectory() || !file.endsWith('.md')) return `${target} has an anchor, and is no document`;
  return anchorsIn(read(file)).has(anchor) ? undefined : `${target} leads to no heading`;
}

test('a link to nowhere is noticed', () => {
  expect(faultOf('README.md', 'docs/nowhere.md')).toBe('docs/nowhere.md leads to no file');
  expect(faultOf('docs/webhooks.md', 'merchants.md#nowhere')).toBe('merchants.md#nowhere leads to no heading');
  expect(faultOf('README.md', '../elsewhere.md')).toBe('../elsewhere.md leads out of the repository');
  expect(targetsIn('[a](b.md#c) `[d](e)` [f](https://g)')).toEqual(['b.md#c']);
});

describe.each(names)('%s', (name) => {
  const markdown = read(name);

  test('every link leads somewhere', () => {
    expect(targetsIn(markdown).flatMap((target) => faultOf(name, target) ?? [])).toEqual([]);
  });

  test('every command of npm that it names exists', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...markdown.matchAll(/\bnpm run ([a-z][a-z0-9:-]*)/g)].map((match) => match[1] as string);
    const plain = [...markdown.matchAll(/\bnpm (start|test)\b/g)].map((match) => match[1] as string);
    expect([...named, ...plain].filter((script) => scripts[script] === undefined)).toEqual([]);
  });

  test('every file of the repository that it names exists', () => {
    const named = [...markdown.matchAll(/`((?:packages|services|tools|docs|e2e|demo|bench)\/[A-Za-z0-9_./-]+)`/g)];
    expect(named.map((match) => match[1] as string).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

test('every document is reached from the README', () => {
  const reached = new Set(['README.md']);
  for (const name of reached) {
    for (const target of targetsIn(read(name))) {
      const path = target.split('#')[0] as string;
      const file = relative(root, join(root, dirname(name), path));
      if (names.includes(file)) reached.add(file);
      // A link to a folder shows what is in it.
      else if (path !== '') for (const other of names) if (other.startsWith(`${file.replace(/\/$/, '')}/`)) reached.add(other);
    }
  }
  expect(names.filter((name) => !reached.has(name))).toEqual([]);
});
