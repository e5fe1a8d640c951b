import type { ImportColumn } from '@parcelway/contracts/import-api';
import type { Mapping } from '../../api/files.ts';
import { mappingOf } from './import-columns.ts';

/** Where mappings are kept; undefined in a browser that keeps nothing. */
export type MappingStorage =
  | { readonly getItem: (name: string) => string | null; readonly setItem: (name: string, value: string) => void }
  | undefined;

const NAME = 'parcelway-import-mappings';
/** Mappings that are kept, the newest ones. */
const MOST = 100;
/** Characters of a mapping; a longer one is not kept. */
const MOST_CHARACTERS = 20_000;
type Titled = Pick<ImportColumn, 'title'>;
/** The title of the column that the platform adds to a file of failed rows: apart from it, that file has the titles of the one that was imported. */
const ADDED = 'error';

export function mappingStorage(): MappingStorage {
  try {
    return (globalThis as { readonly localStorage?: MappingStorage }).localStorage;
  } catch {
    // A browser that keeps nothing for frames of other sites.
    return undefined;
  }
}

/** What a mapping is found by: its tenant and the titles of its file. */
const keyOf = (tenantId: string, columns: readonly Titled[]): string =>
  JSON.stringify([tenantId, ...columns.map(({ title }) => title).filter((title) => title !== ADDED)]);

/** What is kept, the oldest first; nothing when it cannot be read. */
function keptIn(storage: MappingStorage): Map<string, Mapping> {
  try {
    return new Map(Object.entries(JSON.parse(storage?.getItem(NAME) ?? '{}') as Record<string, Mapping>));
  } catch {
    return new Map();
  }
}

function write(storage: MappingStorage, kept: ReadonlyMap<string, Mapping>): void {
  try {
    storage?.setItem(NAME, JSON.stringify(Object.fromEntries([...kept].slice(-MOST))));
  } catch {
    // The storage is full or closed: the next file is mapped by its titles alone.
  }
}

export function rememberMapping(storage: MappingStorage, tenantId: string, columns: readonly ImportColumn[]): void {
  const mapping = mappingOf(columns.filter(({ title }) => title !== ADDED));
  if (JSON.stringify(mapping).length > MOST_CHARACTERS) return;
  const kept = keptIn(storage);
  kept.delete(keyOf(tenantId, columns));
  write(storage, kept.set(keyOf(tenantId, columns), mapping));
}

/** What the columns of a file of the tenant with these titles filled last; undefined when that is not known. */
export const rememberedMapping = (storage: MappingStorage, tenantId: string, columns: readonly Titled[]): Mapping | undefined =>
  keptIn(storage).get(keyOf(tenantId, columns));

export function forgetMapping(storage: MappingStorage, tenantId: string, columns: readonly Titled[]): void {
  const kept = keptIn(storage);
  kept.delete(keyOf(tenantId, columns));
  write(storage, kept);
}
