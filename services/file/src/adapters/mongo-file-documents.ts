import type { StoredFile } from '../domain/stored-file.ts';
import type { PdfFindings } from '../uploads/domain/inspected-pdf.ts';
import type { ContentDocument } from './mongo-schema.ts';

/** A document that has been recorded has all of this, but for the findings of what was not inspected. */
export type RecordedContent = Required<Omit<ContentDocument, 'findings'>> & Pick<ContentDocument, 'findings'>;

/** A file from its document. */
export function toFile(document: RecordedContent): StoredFile {
  const { number: id, storage_key: storageKey, token, name, md5, sha256, size, uploaded_at: uploadedAt } = document;
  const findings = document.findings === undefined ? undefined : (JSON.parse(document.findings) as PdfFindings);
  return { id, storageKey, token, name, md5, sha256, size, uploadedAt, findings };
}
