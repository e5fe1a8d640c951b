import type { Store } from '@parcelway/store/store';
import { endDocuments, recordContent } from '../contents/content-records.ts';
import { contents } from '../contents/contents-collection.ts';
import { forecastFiles } from '../retention/forecast-files-collection.ts';
import { KEPT_VERSIONS, type StoredDocuments } from './domain/forecast-documents.ts';

export type DocumentRecords = ReturnType<typeof createDocumentRecords>;

/** Keeps the documents of forecasts among the contents. Each method throws AppError 50301. */
export function createDocumentRecords(store: Store) {
  return {
    /** The documents of a version, once they were rendered. */
    async findDocuments(tenantId: string, forecastNo: string, version: number): Promise<StoredDocuments | undefined> {
      const { items } = await store.find(contents.by.documents, { eq: [tenantId, forecastNo, version], limit: 1 });
      const [found] = items;
      return found?.value.sections && { forecastNo, version, storageKey: found.value.storageKey, ...found.value.sections };
    },
    /**
     * Records documents whose content is stored, and ends the pending upload in the same write. Those of versions more than KEPT_VERSIONS back end.
     * @returns false when the version has documents already, or the forecast was deleted meanwhile; then the content is the caller's to remove
     */
    async recordDocuments(tenantId: string, { forecastNo, version, storageKey, ...sections }: StoredDocuments): Promise<boolean> {
      if (await recordContent(store, tenantId, storageKey, { forecastNo, version, sections })) return false;
      // After the write, as a deletion notes the forecast before it looks for documents: one sees the other.
      const forecast = await store.get(forecastFiles, [tenantId, forecastNo]);
      const isDeleted = forecast?.value.deletedAt !== undefined;
      if (isDeleted) await endDocuments(store, tenantId, forecastNo);
      else if (version > KEPT_VERSIONS) await endDocuments(store, tenantId, forecastNo, version - KEPT_VERSIONS + 1);
      return !isDeleted;
    },
  };
}
