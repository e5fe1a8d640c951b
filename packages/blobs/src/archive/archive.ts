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

/** What a folder of the archive contains. */
export interface ArchiveEntry {
  /** Within the folder, without a slash. */
  readonly name: string;
  /** Bytes of an object; undefined for a folder. */
  readonly bytes?: number;
}

/**
 * Objects that are written once and read by operators, under paths that operators can read as well: see {@link archivePath}. Unlike those of Blobs they can
 * be listed. Each is a few megabytes at most, so it is passed on as a whole.
 */
export interface Archive {
  /** Stores an object durably, or nothing; an existing one of that path is replaced. @throws AppError 50301 */
  put(path: string, content: Uint8Array): Promise<void>;
  /** The content of an object; undefined when there is none. @throws AppError 50301 */
  get(path: string): Promise<Buffer | undefined>;
  /** What is directly in a folder, by name; empty when it does not exist. `''` is the whole archive. @throws AppError 50301 */
  list(folder: string): Promise<readonly ArchiveEntry[]>;
  /** Deletes an object; a missing one is no error. @throws AppError 50301 */
  delete(path: string): Promise<void>;
  close(): Promise<void>;
}

const SEGMENT = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** True of what may be a folder in a path. */
export const isArchiveSegment = (text: string): boolean => SEGMENT.test(text);

/** Checks that a path names something in the archive. @throws RangeError otherwise: paths are never made from input */
export function assertArchivePath(path: string): void {
  const segments = path.split('/');
  if (segments.length > 8 || !segments.every((segment) => SEGMENT.test(segment))) throw new RangeError('Not a path of the archive');
}

/** What an archive holds records of: the first word of what they are. */
export const archiveKinds = ['forecasts', 'shipments'] as const;
export type ArchiveKind = (typeof archiveKinds)[number];

/** Names an object of the archive. One object has records of one tenant and kind alone, so that whatever concerns a tenant concerns whole objects. */
export interface ArchiveObject {
  readonly tenantId: string;
  readonly kind: ArchiveKind;
  /** UTC day on which the records were archived, `yyyy-mm-dd`. */
  readonly day: string;
  /** Without the ending. */
  readonly name: string;
}

const ENDING = '.ndjson.gz';
const PATH = /^([A-Za-z0-9][A-Za-z0-9_.-]*)\/([a-z]+)\/(\d{4})\/(\d{2})\/(\d{2})\/([A-Za-z0-9_-]+)\.ndjson\.gz$/;

/** `<tenant>/<kind>/<yyyy>/<mm>/<dd>/<name>.ndjson.gz` */
export function archivePath({ tenantId, kind, day, name }: ArchiveObject): string {
  return `${tenantId}/${kind}/${day.replaceAll('-', '/')}/${name}${ENDING}`;
}

/** What a path names; undefined for another path. */
export function readArchivePath(path: string): ArchiveObject | undefined {
  const [, tenantId, kind, year, month, date, name] = PATH.exec(path) ?? [];
  const known = archiveKinds.find((one) => one === kind);
  if (tenantId === undefined || known === undefined || name === undefined) return undefined;
  return { tenantId, kind: known, day: `${year}-${month}-${date}`, name };
}

/** The UTC day of an instant in epoch milliseconds, as {@link ArchiveObject} has it. */
export function archiveDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
