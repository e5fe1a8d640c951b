import type { Logger } from '@parcelway/kernel/logger';
import { type GeneratedDocuments, withDocuments } from './domain/forecast.ts';
import type { ForecastChanger } from './ports.ts';

/**
 * Records the documents that the platform made of a forecast, when they are newer than those it has. Documents of a forecast that the tenant does
 * not have are left alone: after a restore the log may tell of one that was accepted too late to be in the backup (docs/backup.md).
 */
export type RecordDocuments = (tenantId: string, forecastNo: string, documents: GeneratedDocuments) => Promise<void>;

/** What recording documents needs. */
export interface RecordDocumentsDeps {
  readonly store: ForecastChanger;
  readonly logger: Logger;
}

/** The use case behind `documents.generated`. `update_time` stays: nothing happened to the forecast. */
export function createRecordDocuments({ store, logger }: RecordDocumentsDeps): RecordDocuments {
  return async (tenantId, forecastNo, documents) => {
    const outcome = await store.change(tenantId, forecastNo, null, ({ status, progress, updatedAt }) => ({
      status,
      progress: withDocuments(progress, documents),
      updatedAt,
      messages: [],
    }));
    if (outcome !== 'unknown') return;
    logger.warn(
      { tenant_id: tenantId, forecast_no: forecastNo, version: documents.version },
      'Documents of a forecast that does not exist are ignored',
    );
  };
}
