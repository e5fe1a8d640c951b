import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { PdfFindings } from '../domain/inspected-pdf.ts';
import type { ShownNumbers, StoredFile } from '../domain/stored-file.ts';

/** A row of the table of PDFs. */
export interface FileRow {
  readonly id: number;
  readonly storage_key: string;
  readonly token: string;
  readonly name: string;
  readonly md5: string;
  readonly sha256: string;
  readonly size: number;
  readonly uploaded_at: number;
  /** JSON. */
  readonly findings: string | null;
}

/** The columns of a {@link FileRow}. */
export const FILE_COLUMNS = 'id, storage_key, token, name, md5, sha256, size, uploaded_at, findings';

/** Numbers as tenants see them, and the way back. */
export interface SqliteNumbers {
  readonly file: (id: number) => number;
  readonly photo: (id: number) => number;
  /** Ids of rows that tenants may see as this number; one of them at most is a file of a tenant. */
  readonly fileIds: (shown: number) => readonly number[];
}

/** The numbers over a database: those of former versions are shown as they are. */
export function sqliteNumbers(db: SqliteDatabase, shown: ShownNumbers): SqliteNumbers {
  const last = db.get<{ file: number; photo: number }>('SELECT file, photo FROM last_plain_numbers WHERE one = 1') ?? { file: 0, photo: 0 };
  return {
    file: (id) => (id <= last.file ? id : shown.file(id)),
    photo: (id) => (id <= last.photo ? id : shown.photo(id)),
    fileIds(number) {
      const id = shown.fileNumber(number);
      return [...(number <= last.file ? [number] : []), ...(id !== undefined && id > last.file ? [id] : [])];
    },
  };
}

/** A file from its row. */
export function toFile({ id, storage_key, uploaded_at, findings: json, ...row }: FileRow, numbers: SqliteNumbers): StoredFile {
  const findings = json === null ? undefined : (JSON.parse(json) as PdfFindings);
  const { token, name, md5, sha256, size } = row;
  return { id: numbers.file(id), storageKey: storage_key, token, name, md5, sha256, size, uploadedAt: uploaded_at, findings };
}
