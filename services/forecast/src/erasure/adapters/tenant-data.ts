import { type Archive, deleteArchived } from '@parcelway/blobs/archive/archive';
import { photoTokensIn } from '@parcelway/contracts/file-receipt';
import { isoInstant } from '@parcelway/kernel/clock';
import type { TenantData, TenantDataKind } from '@parcelway/kernel/tenant-data';
import type { OpenStore } from '@parcelway/platform/open-store';
import { tenantKind } from '@parcelway/store/shared/tenant-kind';
import type { Store } from '@parcelway/store/store';
import { type Import, imports } from '../../imports/import-collections.ts';
import type { ImportFiles } from '../../imports/ports.ts';
import { type ForecastDocument, forecasts } from '../../store/forecast-collection.ts';

/** Forecasts that are read at once: their contents may be megabytes. */
const READ_AT_ONCE = 10;

/** Objects of the archive that one step deletes. */
const BATCH = 100;

/** What the archive has of a tenant, of every service: an object belongs to one tenant. The operator lists and copies it with `parcelctl archive`. */
export function archiveKind(archive: Archive): TenantDataKind {
  return { name: 'archive', erase: (tenantId) => deleteArchived(archive, { tenantId }, BATCH) };
}

/** An import as its tenant receives it, without what only the platform needs. */
function importRecord({ tenantId: _tenant, fileKey: _key, kind: _kind, seed: _seed, createdAt, finishedAt, ...own }: Import) {
  const { attempt: _attempt, starts: _starts, slot: _slot, running: _running, shown: _shown, removeAt: _removeAt, ...rest } = own;
  return { ...rest, createdAt: isoInstant(createdAt), finishedAt: finishedAt === null ? null : isoInstant(finishedAt) };
}

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
    imports: [
      {
        ...tenantKind(store, {
          by: imports.by.all,
          record: null,
          before: async (_tenantId, values) => {
            for (const { fileKey } of values) await files.delete(fileKey);
          },
        }),
        // Imports whose file is still arriving are left out.
        ...tenantKind(store, { by: imports.by.shown, within: [1], record: importRecord, isCopy: true }),
      },
    ],
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
