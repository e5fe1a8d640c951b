import { TenantMemory } from '../../session/tenant-memory.ts';

/** A file that was checked, and the import that checked it. */
interface CheckedFile {
  readonly importId: string;
  readonly file: File;
}

/** The latest one: a reload, signing out and another tenant forget it. */
const latest = new TenantMemory<CheckedFile>();

/** Keeps a file of a tenant, so that it can be imported once it was checked without being chosen again. The one before is forgotten. */
export function keepChecked(tenantId: string, importId: string, file: File): void {
  latest.keep(tenantId, { importId, file });
}

/** The file that an import of a tenant has checked; undefined when it is not kept any more. */
export function checkedFile(tenantId: string, importId: string | undefined): File | undefined {
  const kept = latest.of(tenantId);
  return kept !== undefined && kept.importId === importId ? kept.file : undefined;
}
