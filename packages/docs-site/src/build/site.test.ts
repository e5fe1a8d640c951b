import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { errorCodesOf } from '@parcelway/contracts/openapi-errors';
import { routes } from '@parcelway/contracts/routes';
import MiniSearch from 'minisearch';
import { findParts, type IndexedPart, searchOptions } from '../search/search-options.ts';
import { escaped, firstSentence, inline, namesIn, paragraphs, plain } from './html.ts';
import { pagesOf } from './navigation/navigation.ts';
import { wordsZh } from './navigation/words-zh.ts';
import { slugOf } from './reference/operation.ts';
import { tagPath } from './reference/tag-pages.ts';
import { sampleRequest } from './samples/sample-request.ts';
import { searchIndex, siteFiles, siteOutline } from './site.ts';
import { readSources, siteSources } from './site-sources.ts';

/* The site as it is made from docs/ and the contracts, without its bundle. */

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const assets = { script: 'site.js', style: 'site.css', icon: 'icon.svg', searchIndex: 'search.json' };
const kept = new Set(Object.values(assets));
const outline = siteOutline(
  readSources((name) => {
    const short = name.split('/').at(-1) as string;
    kept.add(short);
    return short;
  }),
);
const files = siteFiles(outline, assets);
const pages = pagesOf(outline);
const searchText = searchIndex(pages);
const search = MiniSearch.loadJSON<IndexedPart>(searchText, searchOptions);
const pageOf = (path: string): string => files.get(`${path}.html`) ?? '';
const anchorsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1] as string);
/** What the gateway serves beside the site. */
const beside = ['/console', '/openapi.json', '/asyncapi.json', '/llms.txt'];

function isLost(target: URL): boolean {
  if (target.origin !== 'https://x' || beside.includes(target.pathname)) return false;
  const path = target.pathname.slice(1);
  if (path.startsWith('docs/assets/')) return !kept.has(path.slice('docs/assets/'.length));
  if (path.endsWith('.md')) return !files.has(path);
  if (!files.has(`${path}.html`)) return true;
  return target.hash !== '' && !anchorsOf(pageOf(path)).includes(decodeURIComponent(target.hash.slice(1)));
}

describe.each(pages.map((page) => [page.path, page] as const))('%s', (path, page) => {
  const html = pageOf(path);

  test('every link and picture leads to something that is served, every anchor to an element', () => {
    const targets = [...html.matchAll(/ (?:href|src|data-search-index)="([^"]+)"/g)].map(
      (match) => new URL(String(match[1]), `https://x/${path}`),
    );
    expect(targets.filter(isLost).map(String)).toEqual([]);
  });

  test('every link of the Markdown leads to Markdown', () => {
    const prose = page.markdown.replace(/^```[\s\S]*?^```$/gm, '').replace(/(?<!\[)`[^`\n]*`/g, '');
    const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => new URL(String(match[1]), `https://x/${path}.md`));
    const own = targets.filter(({ origin, pathname }) => origin === 'https://x' && !pathname.startsWith('/docs/assets/'));
    const lost = own.filter(({ pathname }) => !beside.includes(pathname) && !files.has(pathname.slice(1)));
    expect(lost.map(String)).toEqual([]);
    expect(page.markdown).toMatch(/^# \S/);
  });

  test('holds no inline script and no inline style, and each id once', () => {
    expect(html).not.toMatch(/<script(?! type="module" src=)|<style| style=| on[a-z]+=/);
    const ids = anchorsOf(html);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    if (page.section === 'start') {
      const labels = [...html.matchAll(/<pre tabindex="0" aria-label="([^"]+)"/g)].map(([, label]) => label);
      expect(labels.length).toBe(new Set(labels).size);
    }
  });

  test('says in a sentence what it is about', () => {
    expect(page.lead).toMatch(/\S{2}/);
    expect(page.lead.length).toBeLessThan(400);
  });
});

describe('the reference', () => {
  test.each(routes.map((route) => [route.id, route] as const))('describes %s, with its errors and samples', (id, route) => {
    const html = pageOf(tagPath(route.tag));
    const section = html.split('<section ').find((each) => each.includes(`id="${slugOf(id)}"`)) ?? '';
    expect(section).toContain(escaped(route.summary));
    for (const code of errorCodesOf(route)) expect(section).toContain(`<code>${code}</code>`);
    for (const language of ['curl', 'node', 'python', 'go', 'java', 'php']) expect(section).toContain(`data-sample="${language}"`);
    // With the calls of the clients, which have all routes.
    expect(section).toMatch(/<a href="[^"]*guides\/sdk">Node<\/a> <code>\w+\.\w+\(/);
    expect(section).toMatch(/<a href="[^"]*guides\/python">Python<\/a> <code>\w+\.\w+\(/);
    for (const scope of route.scopes) expect(section).toContain(`<code>${scope}</code>`);
  });

  test('lists every route at its beginning', () => {
    const html = pageOf('docs/api');
    expect(routes.filter(({ id, tag }) => !html.includes(`href="api/${slugOf(tag)}#${slugOf(id)}"`)).map(({ id }) => id)).toEqual([]);
  });
});

describe('the samples in Markdown', () => {
  test('read the address of the platform from a variable', () => {
    const fixed = /(?:curl |fetch\(|requests\.\w+\(\s*|NewRequest\("[A-Z]+", |URI\.create\(|curl_init\()['"]https:/;
    const texts = pages.filter(({ section }) => section !== 'guides');
    expect(texts.filter(({ markdown }) => fixed.test(markdown)).map(({ path }) => path)).toEqual([]);
    expect(files.get('docs/api/forecasts.md')).toContain('curl "$PARCELWAY_BASE_URL/open/v1/forecasts"');
  });

  test('of the first parcel begin with a receiver, and lead to a verified webhook by the clients', () => {
    const text = files.get('docs/first-parcel.md') ?? '';
    const [packages, key, receive, label, _list, submit, weigh] = text.split(/^## /m).slice(1);
    // With the certificate of a sandbox in its variables, pip trusts no package index.
    expect(packages).toContain('pip install ./clients/python');
    expect(packages).not.toContain('export ');
    expect(key).toContain('export PARCELWAY_BASE_URL=');
    expect(key).not.toContain('pip install ./');
    expect(receive).toContain('client.sandbox.listen(after=after)');
    expect(label).toContain('print(client.files.upload_pdf("label.pdf"))');
    expect(submit).toContain('print(client.forecasts.submit({');
    expect(weigh).toContain('VERIFIED parcel.weighed PO-2025-1121-001\n');
    expect(text).not.toContain('import requests');
  });
});

test('no sample saves what it gets under the name of a file that another reads', () => {
  const requests = routes.map(sampleRequest);
  const read = new Set(requests.map(({ upload }) => upload?.name));
  expect(requests.map(({ download }) => download).filter((name) => name !== undefined && read.has(name))).toEqual([]);
});

test('the start page keeps its anchor, and its whole first paragraph as its description', () => {
  const html = pageOf('docs');
  expect(html).toContain('<h2 id="three-minutes">');
  expect(html).toMatch(/<meta name="description" content="Parcelway connects [^"]*\. Merchants announce [^"]*webhooks\.">/);
});

test('the navigation has every page in Chinese as well', () => {
  const titles = pages.map(({ title }) => title);
  expect(titles.filter((title) => wordsZh[title] === undefined)).toEqual([]);
});

test('no word in Chinese is left over', () => {
  const all = [...files.values()].join('\n');
  expect(Object.values(wordsZh).filter((word) => !all.includes(`"${word}"`))).toEqual([]);
});

test('llms.txt lists every page with a line', () => {
  const text = files.get('llms.txt') ?? '';
  expect(text).toMatch(/^# Parcelway\n\n> /);
  const listed = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\.md\): \S/gm)].map((match) => match[1]);
  expect(listed.sort()).toEqual(pages.map(({ path }) => path).sort());
  // A line that leads to code or to a list is none without it.
  const lines = [...text.matchAll(/^- \[[^\]]+\]\([^)]+\): (.+)$/gm)].map((match) => match[1] as string);
  expect(lines.filter((line) => /^\d+\.|:$/.test(line) || line.length < 15)).toEqual([]);
});

test.each([
  ['WebhookVerificationError', 'docs/guides/python#webhooks'],
  ['SSL_CERT_FILE', 'docs/first-parcel#key'],
  ['CERTIFICATE_VERIFY_FAILED', 'docs/first-parcel#key'],
  ['mypy', 'docs/guides/python#types'],
  ['pagination', 'docs/guides/python#lists-and-the-feed'],
  ['weighing_images', 'docs/api/forecasts#query-weighing'],
  ['former_expires_at', 'docs/api/keys#rotate-key'],
  ['on_hold', 'docs/api/forecasts#query-weighing'],
  ['42205', 'docs/api/imports#import-forecasts'],
  ['42205', 'docs/guides/merchants/error-codes'],
])('the search for %s finds %s', (query, id) => {
  expect(findParts(search, query, 12).map((found) => String(found.id))).toContain(id);
});

test('the index of the search stays small', () => {
  expect(searchText.length).toBeLessThan(600_000);
});

test('an image of a container is built from all that the site is made from', () => {
  const taken = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => join(root, line.slice(1)));
  expect(siteSources().filter((file) => !taken.some((path) => file === path || file.startsWith(`${path}/`)))).toEqual([]);
});

test('text is shown as it is written', () => {
  expect(escaped('<a href="x">&</a>')).toBe('&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;');
});

test('a line keeps its code and its strong text, and no HTML', () => {
  expect(inline('**Keys** `a<b>` <i> ` alone')).toBe('<strong>Keys</strong> <code>a&lt;b&gt;</code> &lt;i&gt; ` alone');
});

test('an empty line begins a paragraph', () => {
  expect(paragraphs('one\n\ntwo')).toBe('<p>one</p>\n<p>two</p>');
});

test('a search finds words and no marks', () => {
  expect(plain('## A [b](c.md)\n\n| `d` | **e** |\n|---|---|\n<!-- f -->\n```sh\ng\n```')).toBe('A b d e g');
});

test('the first sentence ends at a full stop before a blank', () => {
  expect(firstSentence('Version 1.2 works. More.')).toBe('Version 1.2 works.');
  expect(firstSentence('See this: a table. More.')).toBe('See this: a table.');
  expect(firstSentence('These are:')).toBe('These are:');
  expect(firstSentence('no end')).toBe('no end');
});

test('the names in code are there once, without keys and ids', () => {
  expect(namesIn('from x import verify_webhook\nverify_webhook(po, "evt_019ab36d4cd8", 2025)')).toBe('from import verify_webhook');
});
