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

/** A page of files. */
export interface FileList {
  readonly files: readonly StoredFile[];
  /** Where the next page begins, whichever of the files it is to have; null on the last page. */
  readonly next: string | null;
}

/** Filters and page of a list. Instants are epoch milliseconds. */
export interface FileQuery {
  /** Only files that a forecast names, or only the others. */
  readonly isUsed?: boolean;
  /** Uploaded at or after. */
  readonly uploadedFrom?: number;
  /** Uploaded before. */
  readonly uploadedTo?: number;
  /** `next` of the page before. */
  readonly after?: string;
  readonly limit: number;
}

/** What became of a deletion. `used`: a forecast names the file. Only `hidden` is deleted. */
export type HideOutcome = 'hidden' | 'used' | 'missing';

/** A tenant's own view of its uploaded PDFs. A file that was deleted is not among them. */
export interface OwnFiles {
  /** Newest first. @throws AppError 50301 */
  list(tenantId: string, query: FileQuery): Promise<FileList>;
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
