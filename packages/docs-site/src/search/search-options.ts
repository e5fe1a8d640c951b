import type { Options } from 'minisearch';

export interface IndexedPart {
  readonly id: string;
  readonly title: string;
  readonly heading: string;
  /** Title of the page in Chinese; empty when it has none. */
  readonly zh: string;
  readonly text: string;
  /** Names in its code: of classes, fields, variables and packages. */
  readonly code: string;
}

/** Error codes match exactly: each digit counts. */
const ERROR_CODE = /^\d{5}$/;
const HAN = /\p{Script=Han}/u;

/** Chinese has no blanks between words: each two characters that follow each other are one, and a single one is, too. */
function pairsOf(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** The words of a text: letters and digits that belong together, with the parts of names such as `po_number`; pairs of Chinese characters. */
export function wordsIn(text: string): string[] {
  const runs = text.match(/\p{Script=Han}+|[\p{L}\p{N}_]+/gu) ?? [];
  return runs.flatMap((run) => {
    // A run of letters may hold Chinese characters as well.
    const parts = run.match(/\p{Script=Han}+|[^\p{Script=Han}]+/gu) ?? [];
    return parts.flatMap((part) => {
      if (HAN.test(part)) return pairsOf(part);
      const names = part.split('_').filter((name) => name !== '' && name !== part);
      return [part.toLowerCase(), ...names.map((name) => name.toLowerCase())];
    });
  });
}

/** What builds the index and what reads it must agree on. */
export const searchOptions: Options<IndexedPart> = {
  idField: 'id',
  fields: ['title', 'heading', 'zh', 'text', 'code'],
  storeFields: ['title', 'heading', 'zh'],
  tokenize: wordsIn,
  processTerm: (term) => term,
  searchOptions: {
    tokenize: wordsIn,
    processTerm: (term) => term,
    boost: { heading: 5, title: 3, zh: 4, code: 0.5 },
    prefix: (term) => !ERROR_CODE.test(term),
    fuzzy: (term) => (term.length > 4 && !HAN.test(term) && !ERROR_CODE.test(term) ? 0.2 : false),
  },
};

/** Finds with all words, or with some of them when nothing has all. @param index what searches @param limit of the results */
export function findParts<Result>(
  index: { search(query: string, options: { combineWith: 'AND' | 'OR' }): readonly Result[] },
  query: string,
  limit: number,
): readonly Result[] {
  const all = index.search(query, { combineWith: 'AND' });
  return (all.length > 0 ? all : index.search(query, { combineWith: 'OR' })).slice(0, limit);
}
