import type { StoredFile } from '../domain/stored-file.ts';

/** A forecast that names a file. */
export interface ForecastUse {
  readonly forecastNo: string;
  /** Null, and no fields, for a forecast that was accepted before these were noted. */
  readonly poNumber: string | null;
  /** Names of the fields that name the file. */
  readonly fields: readonly string[];
}

/** The forecasts that name a file now. */
export interface FileUses {
  /** The newest first, at most MAX_SHOWN_USES. */
  readonly uses: readonly ForecastUse[];
  /** How many they are, counted up to MAX_COUNTED_USES. */
  readonly count: number;
}

/** A place in the list of files, newest first: behind the file with these values. */
export interface FilePosition {
  /** Epoch milliseconds. */
  readonly uploadedAt: number;
  readonly token: string;
}

/** Filters and page of a list. Instants are epoch milliseconds. */
export interface FileQuery {
  /** Only files that a forecast names, or only the others. */
  readonly isUsed?: boolean;
  /** Uploaded at or after. */
  readonly uploadedFrom?: number;
  /** Uploaded before. */
  readonly uploadedTo?: number;
  /** Only what comes behind. */
  readonly after?: FilePosition;
  readonly limit: number;
}

/**
 * What became of a deletion. `used`: a forecast names the file. `unknown`: it was uploaded before uses were noted, so nobody knows. Only `hidden` is
 * deleted.
 */
export type HideOutcome = 'hidden' | 'used' | 'missing';

/** A tenant's own view of its uploaded PDFs. A file that was deleted is not among them. */
export interface OwnFiles {
  /** Newest first by upload, then by token. @throws AppError 50301 */
  list(tenantId: string, query: FileQuery): Promise<readonly StoredFile[]>;
  /** @param attachmentId as tenants see it @throws AppError 50301 */
  find(tenantId: string, attachmentId: number): Promise<StoredFile | undefined>;
  /** @throws AppError 50301 */
  usesOf(tenantId: string, token: string): Promise<FileUses>;
  /**
   * Hides a file that no forecast names: it can be neither opened nor found, and its content is unused from now on. A forecast that is noted to name it
   * shows it again, at the same moment or later. A repeat has no effect.
   * @param now epoch milliseconds
   * @throws AppError 50301
   */
  hide(tenantId: string, attachmentId: number, now: number): Promise<HideOutcome>;
}

/** A position as a text of digits, dots and a token. */
export function textOfPosition({ uploadedAt, token }: FilePosition): string {
  return `1.${uploadedAt}.${token}`;
}

/** The position in a text; undefined when {@link textOfPosition} did not make it. */
export function positionInText(text: string): FilePosition | undefined {
  const [, uploadedAt, token] = /^1\.(\d{1,15})\.([A-Za-z0-9_-]{22})$/.exec(text) ?? [];
  return token === undefined ? undefined : { uploadedAt: Number(uploadedAt), token };
}
