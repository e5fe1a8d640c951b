import { IMAGE_USABLE_DAYS } from '@parcelway/contracts/image-receipt';

/** A forecast whose files are over. */
export interface EndedFiles {
  readonly tenantId: string;
  readonly forecastNo: string;
  /** Tokens of the uploaded PDFs that it names. */
  readonly files: readonly string[];
  /** Tokens of its photos. */
  readonly photos: readonly string[];
  /**
   * `kept`: the files alone are over. `deleted`: the forecast is gone too, and a photo that is linked to it later ends at once. `erased`: the same, and its
   * tenant is remembered elsewhere.
   */
  readonly forecast: 'kept' | 'deleted' | 'erased';
}

/** A report of a warehouse. */
export interface PhotoReport {
  readonly warehouseCode: string;
  /** The warehouse's id of it. */
  readonly eventId: string;
}

/** Photos that a warehouse has reported of a forecast. */
export interface PhotoLinks {
  readonly tenantId: string;
  readonly forecastNo: string;
  /** Tokens. */
  readonly photos: readonly string[];
  readonly report: PhotoReport;
}

/** The version of a cancelled forecast: behind every other. */
export const CANCELLED_VERSION = Number.MAX_SAFE_INTEGER;

/** The PDFs that a version of a forecast names. */
export interface NamedFiles {
  readonly tenantId: string;
  readonly forecastNo: string;
  readonly poNumber: string;
  /** From 1. */
  readonly version: number;
  readonly files: readonly {
    readonly token: string;
    /** Names of the fields. */
    readonly fields: readonly string[];
  }[];
}

/** A tenant's own images on a forecast, all of them. */
export interface OwnImages {
  readonly tenantId: string;
  readonly forecastNo: string;
  /** From 1; rises with each change. */
  readonly revision: number;
  /** Tokens. */
  readonly images: readonly string[];
}

/**
 * Which forecasts use which uploaded PDFs, and the end of files. A PDF may be used by several forecasts: it is unused once the last of them has ended, and
 * its content goes some time after that, unless it was used or uploaded again by then. A PDF that no forecast has ever used stays.
 * A photo belongs to the forecasts that it was reported of, and ends with the last of them.
 */
export interface FileRetention {
  /**
   * Notes which PDFs a forecast names. It uses them until its end: also those that a correction replaces, because the forecast goes on to show what
   * they were. Those of the latest version are named now, and a PDF that was deleted a moment ago is there again. Of a forecast that was deleted already
   * nothing is noted. A repeat, and an older version, have no further effect.
   * @throws AppError 50301; then some of it may have been done
   */
  noteUses(named: NamedFiles, now: number): Promise<void>;
  /** Notes that a forecast was cancelled: it names no PDF any more, and uses those that it named until its end. @throws AppError 50301 */
  noteCancelled(tenantId: string, forecastNo: string, now: number): Promise<void>;
  /**
   * Notes which of its own images a tenant has put on a forecast. One that no forecast has any more can be put on another for some time, and is deleted
   * after that. When the forecast was deleted already, those that no other forecast has end at once. A repeat, and an older revision, have no effect.
   * @throws AppError 50301; then some of it may have been done
   */
  noteImages(images: OwnImages, now: number): Promise<void>;
  /**
   * Notes that photos belong to a forecast. When the forecast was deleted already, those that no other forecast has end at once; when it refused the report
   * already, nothing happens. A repeat has no effect.
   * @throws AppError 50301
   */
  notePhotos(links: PhotoLinks): Promise<void>;
  /**
   * Takes photos from a forecast that has refused their report, and remembers that, because the news of the report itself may still be on its way. They
   * stay, also when no forecast has them: the report is matched again. A repeat has no effect.
   * @throws AppError 50301
   */
  noteRefused(refused: PhotoLinks, now: number): Promise<void>;
  /**
   * Ends the files of a forecast: its documents and its photos can no longer be opened, and the sweep of abandoned
   * uploads removes their contents; PDFs of the forecast, named or noted, that no other forecast uses are unused from now on. A photo that another forecast has as well stays until that one
   * ends. Of a forecast that is deleted or erased, all photos end that were ever noted. A repeat has no effect.
   * @throws AppError 50301; then some of it may have been done
   */
  endFiles(ended: EndedFiles, now: number): Promise<void>;
  /**
   * Notes that a PDF was uploaded again: it is not unused any more. One that was deleted stays so.
   * @returns whether the tenant has it
   * @throws AppError 50301
   */
  noteUpload(tenantId: string, token: string): Promise<boolean>;
  /**
   * Ends PDFs and own images that have been unused since before an instant, and PDFs that were deleted before it, at most `limit`; the sweep of abandoned
   * uploads removes their contents.
   * @returns how many
   * @throws AppError 50301
   */
  retireUnused(before: number, limit: number): Promise<number>;
}

/**
 * Under which a refused report is remembered among the deleted forecasts of its tenant, in place of the number of one: both are forgotten, and erased, at the same
 * time. No forecast has such a number.
 */
export function refusedReport({ forecastNo, report: { warehouseCode, eventId } }: Pick<PhotoLinks, 'forecastNo' | 'report'>): string {
  return JSON.stringify([forecastNo, warehouseCode, eventId]);
}

const DAY_MS = 86_400_000;

/**
 * From when on an image counts as unused that no forecast has: it can be put on a forecast until then. What is unused is deleted a day later, as a
 * forecast that has it may be on its way.
 * @param now when it was uploaded, or taken from its last forecast; epoch milliseconds
 */
export function imageUnusedSince(now: number): number {
  return now + IMAGE_USABLE_DAYS * DAY_MS;
}
