import type { Warning } from '@parcelway/contracts/forecast-api';
import { newToken } from '@parcelway/kernel/ids';
import { cutFileName } from './domain/file-name.ts';
import type { PdfFindings } from './domain/pdf-findings.ts';
import { pdfWarnings } from './domain/pdf-warnings.ts';
import type { StoredFile } from './domain/stored-file.ts';
import type { ClaimUpload, FileRecords, IncomingFile, PdfInspector } from './ports.ts';
import { type ContentDeps, storeContent } from './store-content.ts';

/** What uploading a PDF needs. */
export interface UploadPdfDeps extends ContentDeps {
  readonly records: FileRecords;
  readonly inspector: PdfInspector;
}

/** Outcome of an upload. */
export interface UploadedPdf {
  readonly file: StoredFile;
  /** The tenant had this content already; `file` is that record. */
  readonly deduplicated: boolean;
  /** What is unusual for a label or packing list. */
  readonly warnings: readonly Warning[];
}

/** Ends a storing that is not needed. Never leaves {@link uploadPdf}. */
class AlreadyStored extends Error {}

/**
 * Stores a PDF for a tenant, or finds the one with the same content, and inspects it meanwhile. A look-up spares the storing of a known
 * content; the unique (tenant, MD5, SHA-256) of the store decides between uploads at the same time.
 * @throws AppError 42204, 42205, 42206, 42207
 */
export async function uploadPdf(deps: UploadPdfDeps, tenantId: string, incoming: IncomingFile, claim?: ClaimUpload): Promise<UploadedPdf> {
  let known: StoredFile | undefined;
  let inspection: Promise<PdfFindings | undefined> | undefined;
  try {
    const stored = await storeContent(deps, {
      ownerId: tenantId,
      prefix: 'pdf',
      incoming,
      failpoint: 'file.content-stored',
      async beforeStored(digest) {
        await claim?.(digest);
        const content = incoming.kept();
        if (content) inspection = deps.inspector.inspect(tenantId, content);
        known = await deps.records.findByContent(tenantId, digest);
        if (known) throw new AlreadyStored();
      },
      async record(storageKey, digest) {
        const name = cutFileName(incoming.name);
        const uploadedAt = deps.clock.now();
        const { file, isNew } = await deps.records.recordFile(tenantId, { ...digest, storageKey, token: newToken(), name, uploadedAt });
        return { value: { file, deduplicated: !isNew }, keep: isNew };
      },
    });
    return { ...stored, warnings: pdfWarnings(await inspection) };
  } catch (error) {
    if (known) return { file: known, deduplicated: true, warnings: pdfWarnings(await inspection) };
    throw error;
  }
}
