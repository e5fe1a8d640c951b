import { isoInstant } from '@parcelway/kernel/clock';
import type { TenantDataKind } from '@parcelway/kernel/tenant-data';
import { tenantKind } from '@parcelway/store/shared/tenant-kind';
import type { Store } from '@parcelway/store/store';
import { type ImportRecord, importRows, importStops } from '../../imports/import-collections.ts';
import { createImportStore } from '../../imports/import-store.ts';
import type { ImportFiles } from '../../imports/ports.ts';
import { tenantRetentions } from '../../retention/adapters/tenant-retention-store.ts';

const BATCH = 100;

function recordOf({ fileKey: _key, kind: _kind, tenantId: _tenant, attempt: _attempt, createdAt, finishedAt, ...rest }: ImportRecord) {
  return { ...rest, createdAt: isoInstant(createdAt), finishedAt: finishedAt === null ? null : isoInstant(finishedAt) };
}

/** Imports of a tenant, their rows, and what has stopped them. An erasure deletes the file of an import before the import itself. */
export function importKinds(store: Store, files: Pick<ImportFiles, 'delete'>): readonly TenantDataKind[] {
  const imports = createImportStore(store);
  return [
    {
      name: 'imports',
      async list(tenantId, after) {
        const found = await imports.list(tenantId, after ?? undefined, BATCH);
        return found.map((record) => ({ cursor: record.importId, record: recordOf(record) }));
      },
      async erase(tenantId) {
        const oldest = await imports.oldest(tenantId);
        if (oldest === undefined) return 0;
        await files.delete(oldest.fileKey);
        await imports.remove(oldest);
        return 1;
      },
    },
    tenantKind(store, {
      by: importRows.by.all,
      record: ({ tenantId: _tenant, importId: import_id, pendingOf: _pending, ...row }) => ({ import_id, ...row }),
    }),
    tenantKind(store, { by: importStops.by.tenant, record: null }),
  ];
}

/** What a tenant has chosen: it is listed with its account. */
export function retentionKind(store: Store): TenantDataKind {
  return tenantKind(store, { by: tenantRetentions.by.tenant, record: null });
}
