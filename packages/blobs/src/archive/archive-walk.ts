import { type Archive, type ArchiveObject, archiveKinds, isArchiveSegment, readArchivePath } from './archive.ts';

/** An object of the archive, and its size. */
export interface FoundObject extends ArchiveObject {
  readonly path: string;
  readonly bytes: number;
}

/** Which objects are wanted; what is absent is not restricted. Days are UTC, `yyyy-mm-dd`. */
export interface ArchiveFilter {
  readonly tenantId?: string | undefined;
  readonly kind?: string | undefined;
  /** From this day on. */
  readonly from?: string | undefined;
  /** To the end of this day. */
  readonly to?: string | undefined;
}

const DEPTH = 5;

/** True when a folder, named by its parts, may contain wanted objects: year, month and day are compared as far as they are known. */
function mayContain([tenant, kind, ...date]: readonly string[], filter: ArchiveFilter): boolean {
  if (tenant !== undefined && filter.tenantId !== undefined && tenant !== filter.tenantId) return false;
  if (kind !== undefined && (filter.kind === undefined ? !archiveKinds.some((one) => one === kind) : kind !== filter.kind)) return false;
  const known = date.join('-');
  const { from, to } = filter;
  return (from === undefined || known >= from.slice(0, known.length)) && (to === undefined || known <= to.slice(0, known.length));
}

/** The wanted objects, by tenant, kind, day and name. Reads only folders that may contain some, and none of other tenants. @throws AppError 50301 */
export async function* archivedObjects(archive: Archive, filter: ArchiveFilter): AsyncGenerator<FoundObject> {
  const { tenantId } = filter;
  if (tenantId === undefined) yield* objectsIn(archive, filter, []);
  else if (isArchiveSegment(tenantId)) yield* objectsIn(archive, filter, [tenantId]);
}

async function* objectsIn(archive: Archive, filter: ArchiveFilter, parts: readonly string[]): AsyncGenerator<FoundObject> {
  for (const { name, bytes } of await archive.list(parts.join('/'))) {
    const found = [...parts, name];
    if (bytes === undefined) {
      if (parts.length < DEPTH && mayContain(found, filter)) yield* objectsIn(archive, filter, found);
      continue;
    }
    const path = found.join('/');
    const object = readArchivePath(path);
    if (object !== undefined) yield { ...object, path, bytes };
  }
}

/**
 * Deletes the wanted objects, one after the other. Repeat it after a failure.
 * @param limit at most so many
 * @returns how many
 * @throws AppError 50301
 */
export async function deleteArchived(archive: Archive, filter: ArchiveFilter, limit: number): Promise<number> {
  let deleted = 0;
  for await (const { path } of archivedObjects(archive, filter)) {
    if (deleted >= limit) break;
    await archive.delete(path);
    deleted += 1;
  }
  return deleted;
}
