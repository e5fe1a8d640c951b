import type { Store } from '@parcelway/store/store';
import { recordContent } from '../contents/content-records.ts';
import { contents } from '../contents/contents-collection.ts';
import { endDocuments } from '../contents/end-contents.ts';
import type { DocumentRecords } from '../ports.ts';
import { forecastFiles } from '../retention/forecast-files-collection.ts';
import { KEPT_VERSIONS, type StoredDocuments } from './domain/forecast-documents.ts';

/** Keeps the documents of forecasts among the contents. */
export function createDocumentRecords(store: Store): DocumentRecords {
  return {
    async findDocuments(tenantId, forecastNo, version): Promise<StoredDocuments | undefined> {
      const { items } = await store.find(contents.by.documents, { eq: [tenantId, forecastNo, version], limit: 1 });
      const [found] = items;
      return found?.value.sections && { forecastNo, version, storageKey: found.value.storageKey, ...found.value.sections };
    },
    async recordDocuments(tenantId, { forecastNo, version, storageKey, ...sections }) {
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
