import { openSqliteStore } from '@parcelway/platform/open-store';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { dumpOf } from '@parcelway/sqlite/testing/dump';
import { createFileStores } from '../adapters/open-file-stores.ts';
import { fileCollections } from '../collections.ts';
import type { NewFile, NewPhoto } from '../domain/stored-file.ts';

/** What the stores under test show: numbers far from those that they count. */
export const shownNumbers = { file: (number: number) => 1_000_000 + number, photo: (number: number) => 2_000_000 + number };

export function openStores() {
  const db = new SqliteDatabase(':memory:');
  const stores = createFileStores(openSqliteStore(db, fileCollections), shownNumbers);
  return { ...stores, dump: async () => dumpOf(db), close: async () => db.close() };
}

const digestsOf = (name: string) => ({ md5: `md5 of ${name}`, sha256: `sha256 of ${name}`, token: `token of ${name}`, uploadedAt: 1000 });

/** A PDF as it is about to be recorded. */
export const newFile = (name: string, given: Partial<NewFile> = {}): NewFile => ({
  ...digestsOf(name),
  ...{ storageKey: `pdf/${name}`, name: `${name}.pdf`, size: 3, findings: undefined, ...given },
});

/** A photo, or an image of a tenant, as it is about to be recorded. */
export const newPhoto = (name: string, given: Partial<NewPhoto> = {}): NewPhoto => ({
  ...digestsOf(name),
  ...{ storageKey: `photo/${name}`, mediaType: 'image/png', size: 1, ...given },
});
