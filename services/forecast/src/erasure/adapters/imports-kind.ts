import { isoInstant } from '@parcelway/kernel/clock';
import type { TenantDataKind } from '@parcelway/kernel/tenant-data';
import { type StoredImportRow, toRow } from '../../imports/adapters/stored-import.ts';
import type { ImportFiles, ImportName, ImportRecord, ImportStore } from '../../imports/ports.ts';

const BATCH = 100;

function recordOf({ fileKey: _key, kind: _kind, tenantId: _tenant, attempt: _attempt, createdAt, finishedAt, ...rest }: ImportRecord) {
  return { ...rest, createdAt: isoInstant(createdAt), finishedAt: finishedAt === null ? null : isoInstant(finishedAt) };
}

/** Imports of a tenant. An erasure deletes the file of one before the import itself. @param remove deletes an import, overwriting it where the store does so */
export function importsKind(
  store: Pick<ImportStore, 'list' | 'oldest'>,
  files: Pick<ImportFiles, 'delete'>,
  remove: (name: ImportName) => Promise<void>,
): TenantDataKind {
  return {
    name: 'imports',
    async list(tenantId, after) {
      const found = await store.list(tenantId, after ?? undefined, BATCH);
      return found.map((record) => ({ cursor: record.importId, record: recordOf(record) }));
    },
    async erase(tenantId) {
      const oldest = await store.oldest(tenantId);
      if (oldest === undefined) return 0;
      await files.delete(oldest.fileKey);
      await remove(oldest);
      return 1;
    },
  };
}

/** A row of an import as the tenant gets it. */
export function importRowRecord(stored: StoredImportRow & { readonly import_id: string }): Readonly<Record<string, unknown>> {
  return { import_id: stored.import_id, ...toRow(stored) };
}
