import { describe, expect, test } from '@jest/globals';
import { splitDocument, withoutContents } from './render-markdown.ts';

const text = '# A, b & `c`: d_e\n\nIntro\n\n## Same\ntext\n### Inner\n## [Same](x.md)\n```sh\n# no heading\n## none\n```\nend\n';

describe('a document in parts', () => {
  test('has one for each heading of the second level', () => {
    const { title, intro, sections } = splitDocument(text);
    expect(title).toBe('A, b & `c`: d_e');
    expect(intro.markdown).toBe('# A, b & `c`: d_e\n\nIntro\n');
    expect(sections.map(({ markdown }) => markdown)).toEqual([
      '## Same\ntext\n### Inner\n',
      '## [Same](x.md)\n```sh\n# no heading\n## none\n```\nend\n',
    ]);
  });

  test('keeps the anchors that it has in the repository', () => {
    const { intro, sections } = splitDocument(text);
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
