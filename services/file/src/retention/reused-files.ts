import { AppError } from '@parcelway/kernel/app-error';
import type { FileRecords } from '../ports.ts';
import type { FileRetention } from './ports.ts';

/** Records of PDFs that note when a known content is uploaded again: it may be unused, and is about to be used. */
export function notingUploads(records: FileRecords, retention: Pick<FileRetention, 'noteUpload'>): FileRecords {
  return {
    async findByContent(tenantId, content) {
      const found = await records.findByContent(tenantId, content);
      if (found === undefined) return undefined;
      await retention.noteUpload(tenantId, found.token);
      // It may have ended just before it was noted: then the upload is stored anew.
      return records.findByContent(tenantId, content);
    },
    async recordFile(tenantId, file) {
      const recorded = await records.recordFile(tenantId, file);
      if (recorded.isNew) return recorded;
      await retention.noteUpload(tenantId, recorded.file.token);
      if ((await records.findByContent(tenantId, file)) === undefined) throw AppError.unavailable('The file has ended just now; try again');
      return recorded;
    },
  };
}
