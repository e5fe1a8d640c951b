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
