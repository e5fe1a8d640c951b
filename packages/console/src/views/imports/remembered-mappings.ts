import type { ImportColumn } from '@parcelway/contracts/import-api';
import type { Mapping } from '../../api/imports.ts';
import { mappingOf } from './import-columns.ts';

/** Where mappings are kept; undefined in a browser that keeps nothing. */
export type MappingStorage =
  | { readonly getItem: (name: string) => string | null; readonly setItem: (name: string, value: string) => void }
  | undefined;

const NAME = 'parcelway-import-mappings';
/** Mappings that are kept, the newest ones. */
const MOST = 20;
/** Characters of a mapping; a longer one is not kept. */
const MOST_CHARACTERS = 20_000;

/** Titles of a file, and what its columns fill. */
type Entry = readonly [titles: string, mapping: Mapping];

/** The title of the column that the platform adds to a file of failed rows: apart from it, that file has the titles of the one that was imported. */
const ADDED = 'error';

const titlesOf = (columns: readonly Pick<ImportColumn, 'title'>[]): string =>
  JSON.stringify(columns.map(({ title }) => title).filter((title) => title !== ADDED));

function isEntry(value: unknown): value is Entry {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'object' && value[1] !== null;
}

/** What is kept, the oldest first; nothing when it cannot be read. */
function entriesIn(storage: MappingStorage): readonly Entry[] {
  try {
    const kept: unknown = JSON.parse(storage?.getItem(NAME) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function write(storage: MappingStorage, entries: readonly Entry[]): void {
  try {
    storage?.setItem(NAME, JSON.stringify(entries.slice(-MOST)));
  } catch {
    // The storage is full or closed: the next file is mapped by its titles alone.
  }
}

/** Keeps what the columns of a file fill, for the next file with the same titles. */
export function rememberMapping(storage: MappingStorage, columns: readonly ImportColumn[]): void {
  const entry: Entry = [titlesOf(columns), mappingOf(columns)];
  if (JSON.stringify(entry).length > MOST_CHARACTERS) return;
  write(storage, [...entriesIn(storage).filter(([titles]) => titles !== entry[0]), entry]);
}

/** What the columns of a file with these titles filled last; undefined when that is not known. */
export function rememberedMapping(storage: MappingStorage, columns: readonly Pick<ImportColumn, 'title'>[]): Mapping | undefined {
  const wanted = titlesOf(columns);
  return entriesIn(storage).find(([titles]) => titles === wanted)?.[1];
}

/** Forgets what the columns of a file with these titles filled. */
export function forgetMapping(storage: MappingStorage, columns: readonly Pick<ImportColumn, 'title'>[]): void {
  const unwanted = titlesOf(columns);
  write(
    storage,
    entriesIn(storage).filter(([titles]) => titles !== unwanted),
  );
}
