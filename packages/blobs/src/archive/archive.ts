/** What a folder of the archive contains. */
export interface ArchiveEntry {
  /** Within the folder, without a slash. */
  readonly name: string;
  /** Bytes of an object; undefined for a folder. */
  readonly bytes?: number;
}

/**
 * Objects that are written once and read by operators, under paths that operators can read as well: see archive-path.ts. Unlike those of Blobs they can
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
