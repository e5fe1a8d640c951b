import type { ShownNumbers, StoredFile } from '../domain/stored-file.ts';
import type { PdfFindings } from '../uploads/domain/inspected-pdf.ts';

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

/** A file from its row. */
export function toFile({ id, storage_key, uploaded_at, findings: json, ...row }: FileRow, numbers: ShownNumbers): StoredFile {
  const findings = json === null ? undefined : (JSON.parse(json) as PdfFindings);
  const { token, name, md5, sha256, size } = row;
  return { id: numbers.file(id), storageKey: storage_key, token, name, md5, sha256, size, uploadedAt: uploaded_at, findings };
}
