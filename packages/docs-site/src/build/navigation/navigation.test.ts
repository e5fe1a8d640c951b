import { describe, expect, test } from '@jest/globals';
import type { SitePage } from '../site-page.ts';
import { Navigation } from './navigation.ts';

const page = (path: string, section: SitePage['section']): SitePage => ({
  path,
  title: path,
  lead: '',
  section,
  html: '',
  toc: [],
  markdown: '',
  search: [],
});
const [start, list, first, topic, alone, reference] = [
  page('docs', 'start'),
  page('docs/guides', 'guides'),
  page('docs/guides/a', 'guides'),
  page('docs/guides/a/b', 'guides'),
  page('docs/guides/c', 'guides'),
  page('docs/api', 'api'),
];
const navigation = new Navigation({
  start: [start],
  guideList: list,
  guides: [
    { name: 'a', pages: [first, topic] },
    { name: 'c', pages: [alone] },
  ],
  reference: [reference],
});

describe('a page', () => {
  test('has the pages before and after it', () => {
    expect(navigation.neighboursOf(topic)).toEqual({ previous: first, next: alone });
    expect(navigation.neighboursOf(start)).toEqual({ next: list });
    expect(navigation.neighboursOf(reference)).toEqual({ previous: alone });
  });

  test('has its section at its left: the guides by document, what stands alone at the end', () => {
    expect(navigation.groupsOf(topic)).toEqual([
      { entries: [{ path: 'docs/guides', title: 'Overview' }] },
      {
        title: 'docs/guides/a',
        entries: [
          { path: 'docs/guides/a', title: 'Overview' },
          { path: 'docs/guides/a/b', title: 'docs/guides/a/b' },
        ],
      },
      { entries: [{ path: 'docs/guides/c', title: 'docs/guides/c' }] },
    ]);
    expect(navigation.groupsOf(reference)).toEqual([{ entries: [{ path: 'docs/api', title: 'Overview' }] }]);
  });
});
