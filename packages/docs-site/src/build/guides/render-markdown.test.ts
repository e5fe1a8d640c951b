import { describe, expect, test } from '@jest/globals';
import { relinked, renderMarkdown, splitDocument, withoutContents } from './render-markdown.ts';

const hrefOf = (target: string): string | undefined => (target === 'gone.md' ? undefined : `to/${target}`);
const html = (markdown: string): string => renderMarkdown(markdown, { headings: [], rise: 0, hrefOf });

describe('a part of a document', () => {
  test('rises on a separate page, with its anchors', () => {
    const [section] = splitDocument('# A\n## B c\n### D\n').sections;
    expect(renderMarkdown(section?.markdown ?? '', { headings: section?.headings ?? [], rise: 1, hrefOf })).toBe(
      '<h1 id="b-c">B c</h1>\n<h2 id="d">D</h2>\n',
    );
  });

  test('shows code as it is written, and leaves comments out', () => {
    expect(html('<!-- generated: x -->\n```html\n<b>&amp;</b>\n```\n')).toBe(
      '<pre tabindex="0"><code>&lt;b&gt;&amp;amp;&lt;/b&gt;\n</code></pre>\n',
    );
    expect(html('```js\nconst a = 1;\n```\n')).toContain('<span class="hljs-keyword">const</span>');
  });

  test('keeps the text of a link that leads out of the guides', () => {
    expect(html('[Carriers](gone.md)')).toContain('>Carriers</span>');
  });

  test('cannot contain HTML', () => {
    expect(() => html('<script>alert(1)</script>')).toThrow('may hold no HTML');
    expect(() => html('a <b onclick="x">b</b>')).toThrow('may hold no HTML');
  });
});

test('Markdown gets other links, and code stays', () => {
  const text = '<!-- x -->\n\n[a](b.md) [c](gone.md) `[d](e)` [`i` j](k)\n```sh\n[f](g)\n<!-- h -->\n```\n';
  expect(relinked(text, hrefOf)).toBe('[a](to/b.md) c `[d](e)` [`i` j](to/k)\n```sh\n[f](g)\n<!-- h -->\n```\n');
});

const whole = '# A, b & `c`: d_e\n\nIntro\n\n## Same\ntext\n### Inner\n## [Same](x.md)\n```sh\n# no heading\n## none\n```\nend\n';

describe('a document in parts', () => {
  test('has one for each heading of the second level', () => {
    const { title, intro, sections } = splitDocument(whole);
    expect(title).toBe('A, b & `c`: d_e');
    expect(intro.markdown).toBe('# A, b & `c`: d_e\n\nIntro\n');
    expect(sections.map(({ markdown }) => markdown)).toEqual([
      '## Same\ntext\n### Inner\n',
      '## [Same](x.md)\n```sh\n# no heading\n## none\n```\nend\n',
    ]);
  });

  test('keeps the anchors that it has in the repository', () => {
    const { intro, sections } = splitDocument(whole);
    expect([intro, ...sections].map(({ headings }) => headings.map(({ anchor }) => anchor))).toEqual([
      ['a-b--c-d_e'],
      ['same', 'inner'],
      ['same-1'],
    ]);
  });

  test('begins with its title', () => {
    expect(() => splitDocument('text\n## A\n')).toThrow('begins with its title');
  });
});

test('a list of sections is left out; another list stays', () => {
  expect(withoutContents('Intro\n\n- [A](#a)\n- [B](#b)\n\nEnd\n- c\n')).toBe('Intro\n\n\nEnd\n- c\n');
  expect(withoutContents('- [A](#a)\n- [Other](other.md)\n\nEnd\n')).toBe('\nEnd\n');
  expect(withoutContents('- [A](a.md)\n')).toBe('- [A](a.md)\n');
});
