import { AppError } from '@parcelway/kernel/app-error';
import type { FileRecords, PhotoRecords } from '../contents/content-records.ts';
import type { FileRetention } from '../retention/ports.ts';

/** True of a tenant that was erased. */
export type IsErased = (tenantId: string) => boolean;

/** Records of PDFs that refuse an upload which began before its tenant was erased: its content is removed like that of any refused upload. */
export function refusingErased(records: FileRecords, isErased: IsErased): FileRecords {
  return {
    findByContent: (tenantId, content) => records.findByContent(tenantId, content),
    async recordFile(tenantId, file) {
      if (isErased(tenantId)) throw new AppError('40302', 'The data of the tenant was erased');
      return records.recordFile(tenantId, file);
    },
  };
}

/** Records of photos that refuse an image as {@link refusingErased} refuses a PDF. */
export function refusingErasedImages(records: PhotoRecords, isErased: IsErased): PhotoRecords {
  return {
    recordPhoto: (warehouseCode, photo) => records.recordPhoto(warehouseCode, photo),
    async recordImage(tenantId, image, unusedSince) {
      if (isErased(tenantId)) throw new AppError('40302', 'The data of the tenant was erased');
      return records.recordImage(tenantId, image, unusedSince);
    },
  };
}

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
