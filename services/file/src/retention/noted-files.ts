import { IMAGE_USABLE_DAYS } from '@parcelway/contracts/file-receipt';

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
