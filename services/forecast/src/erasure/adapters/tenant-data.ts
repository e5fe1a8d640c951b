import { photoTokensIn } from '@parcelway/contracts/photo-tokens';
import type { TenantData } from '@parcelway/kernel/tenant-data';
import type { OpenStore } from '@parcelway/platform/open-store';
import { tenantKind } from '@parcelway/store/shared/tenant-kind';
import type { Store } from '@parcelway/store/store';
import type { ImportFiles } from '../../imports/ports.ts';
import { type ForecastDocument, forecasts } from '../../store/forecast-collection.ts';
import { importKind } from './imports-kind.ts';

/** Forecasts that are read at once: their contents may be megabytes. */
const READ_AT_ONCE = 10;

/** A forecast as its tenant receives it, without what only indexes need. */
function recordOf(forecast: ForecastDocument): Readonly<Record<string, unknown>> {
  return {
    forecast_no: forecast.forecastNo,
    po_number: forecast.poNumber,
    forecast_type: forecast.forecastType,
    warehouse_code: forecast.warehouseCode,
    due_date: forecast.dueDate,
    content_version: forecast.contentVersion,
    status: forecast.status,
    created_at: forecast.createdAt,
    updated_at: forecast.updatedAt,
    content: forecast.content,
    corrections: forecast.corrections ?? [],
    progress: forecast.progress,
    received_items: forecast.receivedItems ?? [],
    scanned: forecast.scanned ?? [],
    applied_events: forecast.applied ?? [],
  };
}

/** What the service stores about tenants. @param files those of imports @param kept what its collections keep */
export function createTenantData(store: Store, files: Pick<ImportFiles, 'delete'>, kept: OpenStore['tenantData']): TenantData {
  return kept({
    imports: [importKind(store, files)],
    forecasts: [
      tenantKind(store, {
        name: 'photos',
        by: forecasts.by.newest,
        with: ['progress'],
        record: ({ forecastNo: forecast_no, progress }) => ({ forecast_no, tokens: photoTokensIn(progress) }),
        isCopy: true,
      }),
      tenantKind(store, {
        by: forecasts.by.newest,
        with: ['content', 'progress', 'corrections', 'receivedItems', 'applied'],
        record: recordOf,
        batch: READ_AT_ONCE,
      }),
    ],
  });
}
