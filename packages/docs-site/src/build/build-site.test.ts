import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { buildGuides, guideSources } from './build-guides.ts';
import { guides } from './guides.ts';
import { renderGuide } from './render.ts';

/* The guides as they are built from docs/. */

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'parcelway-guides-'));
buildGuides(directory);
afterAll(() => rmSync(directory, { recursive: true }));

const pageOf = (name: string): string => readFileSync(join(directory, `${name}.html`), 'utf8');
const anchorsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1] as string);

describe('a document', () => {
  const html = (markdown: string): string => renderGuide(markdown, (target) => (target === 'gone.md' ? undefined : target)).html;

  test('has the anchors that it has in the repository', () => {
    const text = '# A, b & `c`: d_e\n## Same\n## [Same](x.md)\n```\n# no heading\n```\n';
    expect(anchorsOf(html(text))).toEqual(['a-b--c-d_e', 'same', 'same-1']);
  });

  test('shows code as it is written, and leaves comments out', () => {
    expect(html('<!-- generated: x -->\n```html\n<b>&amp;</b>\n```\n')).toBe(
      '<pre tabindex="0"><code>&lt;b&gt;&amp;amp;&lt;/b&gt;\n</code></pre>\n',
    );
  });

  test('keeps the text of a link that leads out of the guides', () => {
    expect(html('[Carriers](gone.md)')).toContain('>Carriers</span>');
  });

  test('may hold no HTML of its own', () => {
    expect(() => html('<script>alert(1)</script>')).toThrow('may hold no HTML');
    expect(() => html('a <b onclick="x">b</b>')).toThrow('may hold no HTML');
  });
});

describe.each(['index', ...guides.map(({ name }) => name)])('%s', (name) => {
  const html = pageOf(name);
  const base = name === 'index' ? 'https://x/docs/guides' : `https://x/docs/guides/${name}`;

  test('every link and picture leads to something that is served, every anchor to a heading', () => {
    const targets = [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].map((match) => new URL(String(match[1]), base));
    const lost = targets.filter(({ origin, pathname, hash }) => {
      if (origin !== 'https://x') return false;
      if (['/docs', '/console', '/docs/favicon-32x32.png'].includes(pathname)) return false;
      const [, file = ''] = /^\/docs\/guides(?:\/(.+))?$/.exec(pathname) ?? [undefined, '?'];
      if (file.startsWith('assets/')) return !existsSync(join(directory, file));
      const page = file === '' ? 'index' : file;
      if (!existsSync(join(directory, `${page}.html`))) return true;
      return hash !== '' && !anchorsOf(pageOf(page)).includes(decodeURIComponent(hash.slice(1)));
    });
    expect(lost.map(String)).toEqual([]);
  });

  test('holds no script and no inline style', () => {
    expect(html).not.toMatch(/<script|<style| style=| on[a-z]+=/);
  });
});

test('only what is served is built', () => {
  expect(readdirSync(directory).sort()).toEqual(['assets', 'index.html', ...guides.map(({ name }) => `${name}.html`)].sort());
});

test('an image of a container is built from all that the guides are made from', () => {
  const taken = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => join(root, line.slice(1)));
  expect(guideSources().filter((file) => !taken.some((path) => file === path || file.startsWith(`${path}/`)))).toEqual([]);
});
