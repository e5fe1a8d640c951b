import { AppError } from '@parcelway/kernel/app-error';
import { type GeneratedDocuments, withDocuments } from './domain/forecast.ts';
import type { ForecastChanger } from './ports.ts';

/**
 * Records the documents that the platform made of a forecast, when they are newer than those it has.
 * @throws AppError 40403 when the tenant has no such forecast: no retry will change that
 */
export type RecordDocuments = (tenantId: string, forecastNo: string, documents: GeneratedDocuments) => Promise<void>;

/** The use case behind `documents.generated`. `update_time` stays: nothing happened to the forecast. */
export function createRecordDocuments({ store }: { readonly store: ForecastChanger }): RecordDocuments {
  return async (tenantId, forecastNo, documents) => {
    const outcome = await store.change(tenantId, forecastNo, null, ({ status, progress, updatedAt }) => ({
      status,
      progress: withDocuments(progress, documents),
      updatedAt,
      messages: [],
    }));
    if (outcome === 'unknown') throw new AppError('40403', `There is no forecast ${forecastNo} of this tenant`);
  };
}
