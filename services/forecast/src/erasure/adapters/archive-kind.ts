import type { Archive } from '@parcelway/blobs/archive/archive';
import { deleteArchived } from '@parcelway/blobs/archive/archive-walk';
import type { TenantDataKind } from '@parcelway/kernel/tenant-data';

/** Objects that one step deletes. */
const BATCH = 100;

/** What the archive has of a tenant, of every service: an object belongs to one tenant. The operator lists and copies it with `parcelctl archive`. */
export function archiveKind(archive: Archive): TenantDataKind {
  return { name: 'archive', erase: (tenantId) => deleteArchived(archive, { tenantId }, BATCH) };
}
