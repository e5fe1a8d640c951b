import type { ImportColumn } from '@parcelway/contracts/import-api';
import type { Mapping } from '../../api/files.ts';
import { TenantMemory } from '../../session/tenant-memory.ts';
import { mappingOf } from './import-columns.ts';

/** The latest one: a reload, signing out and another tenant forget it. */
const latest = new TenantMemory<{ readonly importId: string; readonly file: File }>();

/** Keeps a file of a tenant, so that it can be imported once it was checked without being chosen again. The one before is forgotten. */
export function keepChecked(tenantId: string, importId: string, file: File): void {
  latest.keep(tenantId, { importId, file });
}

/** The file that an import of a tenant has checked; undefined when it is not kept any more. */
export function checkedFile(tenantId: string, importId: string | undefined): File | undefined {
  const kept = latest.of(tenantId);
  return kept !== undefined && kept.importId === importId ? kept.file : undefined;
}

/** Where mappings are kept; undefined in a browser that keeps nothing. */
export type MappingStorage =
  | { readonly getItem: (name: string) => string | null; readonly setItem: (name: string, value: string) => void }
  | undefined;

const NAME = 'parcelway-import-mappings';
/** Mappings of a tenant that are kept, the newest ones. */
const MOST = 20;
/** Mappings of all tenants that are kept, the newest ones. */
const MOST_IN_BROWSER = 100;
/** Characters of a mapping; a longer one is not kept. */
const MOST_CHARACTERS = 20_000;
type Entry = readonly [tenantId: string, titles: string, mapping: Mapping];
type Titled = Pick<ImportColumn, 'title'>;
/** The title of the column that the platform adds to a file of failed rows: apart from it, that file has the titles of the one that was imported. */
const ADDED = 'error';

const titlesOf = (columns: readonly Titled[]): string =>
  JSON.stringify(columns.map(({ title }) => title).filter((title) => title !== ADDED));

/** Ignores entries that an older page kept without a tenant. */
function isEntry(value: unknown): value is Entry {
  if (!Array.isArray(value)) return false;
  const [tenantId, titles, mapping] = value as unknown[];
  return typeof tenantId === 'string' && typeof titles === 'string' && typeof mapping === 'object' && mapping !== null;
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
    storage?.setItem(NAME, JSON.stringify(entries.slice(-MOST_IN_BROWSER)));
  } catch {
    // The storage is full or closed: the next file is mapped by its titles alone.
  }
}

function apartFrom(storage: MappingStorage, tenantId: string, titles: string): { own: readonly Entry[]; others: readonly Entry[] } {
  const entries = entriesIn(storage);
  return {
    own: entries.filter(([owner, known]) => owner === tenantId && known !== titles),
    others: entries.filter(([owner]) => owner !== tenantId),
  };
}

export function rememberMapping(storage: MappingStorage, tenantId: string, columns: readonly ImportColumn[]): void {
  const entry: Entry = [tenantId, titlesOf(columns), mappingOf(columns.filter(({ title }) => title !== ADDED))];
  if (JSON.stringify(entry).length > MOST_CHARACTERS) return;
  const { own, others } = apartFrom(storage, tenantId, entry[1]);
  // The current tenant comes last, so the longest unused tenants are dropped first.
  write(storage, [...others, ...own.slice(1 - MOST), entry]);
}

/** What the columns of a file of the tenant with these titles filled last; undefined when that is not known. */
export function rememberedMapping(storage: MappingStorage, tenantId: string, columns: readonly Titled[]): Mapping | undefined {
  const wanted = titlesOf(columns);
  return entriesIn(storage).find(([owner, titles]) => owner === tenantId && titles === wanted)?.[2];
}

export function forgetMapping(storage: MappingStorage, tenantId: string, columns: readonly Titled[]): void {
  const { own, others } = apartFrom(storage, tenantId, titlesOf(columns));
  write(storage, [...others, ...own]);
}
