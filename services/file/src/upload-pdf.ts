import { newToken } from '@parcelway/kernel/ids';
import { cutFileName } from './domain/file-name.ts';
import type { StoredFile } from './domain/stored-file.ts';
import type { FileRecords, IncomingFile } from './ports.ts';
import { type ContentDeps, storeContent } from './store-content.ts';

/** What uploading a PDF needs. */
export interface UploadPdfDeps extends ContentDeps {
  readonly records: FileRecords;
}

/** Outcome of an upload. */
export interface UploadedPdf {
  readonly file: StoredFile;
  /** The tenant had this content already; `file` is that record. */
  readonly deduplicated: boolean;
}

/** Ends a storing that is not needed. Never leaves {@link uploadPdf}. */
class AlreadyStored extends Error {}

/**
 * Stores a PDF for a tenant, or finds the one with the same content. A look-up spares the storing of a known content;
 * the unique (tenant, MD5) of the store decides between uploads at the same time.
 * @throws AppError 42204, 42205, 42206, 42207
 */
export async function uploadPdf(deps: UploadPdfDeps, tenantId: string, incoming: IncomingFile): Promise<UploadedPdf> {
  let known: StoredFile | undefined;
  try {
    return await storeContent(deps, {
      ownerId: tenantId,
      prefix: 'pdf',
      incoming,
      failpoint: 'file.content-stored',
      async beforeStored({ md5 }) {
        known = await deps.records.findByContent(tenantId, md5);
        if (known) throw new AlreadyStored();
      },
      async record(storageKey, digest) {
        const name = cutFileName(incoming.name);
        const uploadedAt = deps.clock.now();
        const { file, isNew } = await deps.records.recordFile(tenantId, { ...digest, storageKey, token: newToken(), name, uploadedAt });
        return { value: { file, deduplicated: !isNew }, keep: isNew };
      },
    });
  } catch (error) {
    if (known) return { file: known, deduplicated: true };
    throw error;
  }
}
