import { isoInstant } from '@parcelway/kernel/clock';
import type { TenantDataKind } from '@parcelway/kernel/tenant-data';
import type { Store } from '@parcelway/store/store';
import type { ImportRecord } from '../../imports/import-collections.ts';
import { createImportStore } from '../../imports/import-store.ts';
import type { ImportFiles } from '../../imports/ports.ts';

const BATCH = 100;

function recordOf({ fileKey: _key, kind: _kind, tenantId: _tenant, attempt: _attempt, createdAt, finishedAt, ...rest }: ImportRecord) {
  return { ...rest, createdAt: isoInstant(createdAt), finishedAt: finishedAt === null ? null : isoInstant(finishedAt) };
}

/** Imports of a tenant. An erasure deletes the file of an import before the import itself. */
export function importKind(store: Store, files: Pick<ImportFiles, 'delete'>): TenantDataKind {
  const imports = createImportStore(store);
  return {
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
  };
}
