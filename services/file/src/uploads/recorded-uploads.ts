import { AppError } from '@parcelway/kernel/app-error';
import type { FileRecords } from '../contents/content-records.ts';
import type { FileRetention } from '../retention/file-retention.ts';

/** Records of PDFs that note when a known content is uploaded again: it may be unused, and is about to be used. */
export function notingUploads(records: FileRecords, retention: Pick<FileRetention, 'noteUpload'>): FileRecords {
  return {
    async findByContent(tenantId, content) {
      const found = await records.findByContent(tenantId, content);
      // It may have ended just before it was noted: then the upload is stored anew.
      return found && (await retention.noteUpload(tenantId, found.token)) ? found : undefined;
    },
    async recordFile(tenantId, file) {
      const recorded = await records.recordFile(tenantId, file);
      if (recorded.isNew || (await retention.noteUpload(tenantId, recorded.file.token))) return recorded;
      throw AppError.unavailable('The file has ended just now; try again');
    },
  };
}
