import MiniSearch from 'minisearch';
import { type IndexedPart, searchOptions } from '../../search/search-options.ts';
import { wordsZh } from '../navigation/words-zh.ts';
import type { SitePage } from '../site-page.ts';

/** The index of all pages as JSON, as the script of the site reads it. */
export function searchIndex(pages: readonly SitePage[]): string {
  const index = new MiniSearch<IndexedPart>(searchOptions);
  index.addAll(
    pages.flatMap(({ path, title, search }) =>
      search.map(({ id, heading, text, code = '' }) => ({
        id: id === '' ? path : `${path}#${id}`,
        title,
        heading,
        zh: wordsZh[heading] ?? wordsZh[title] ?? '',
        text,
        code,
      })),
    ),
  );
  return JSON.stringify(index);
}
