import { isDeepStrictEqual } from 'node:util';
import { IMAGE_USABLE_DAYS } from '@parcelway/contracts/file-receipt';
import type { Stored, Write } from '@parcelway/store/store';
import { type Content, digestOf, ENDED } from '../contents/contents-collection.ts';
import { type ForecastFiles, forecastFiles, unknownForecast } from './forecast-files-collection.ts';

/*
 * What becomes of the files of a forecast by what is heard of it. Undefined: nothing.
 */

/** PDFs that one decision takes from a forecast. */
const AT_ONCE = 100;

/** What a forecast has after a decision, and the contents that this may change. */
export interface Decision {
  readonly after: ForecastFiles;
  /** Tokens of PDFs. */
  readonly files?: readonly string[];
  /** Tokens of own images. */
  readonly images?: readonly string[];
  /** The change of an own image after its last forecast drops it. */
  readonly leftImage?: Partial<Content>;
}

/** A version is noted. The PDFs of an older one than is known are used, but not named. */
export function decideVersion(before: ForecastFiles, { poNumber, version, files }: NamedFiles): Decision | undefined {
  const tokens = files.map(({ token }) => token);
  const used = [...new Set([...before.used, ...tokens])];
  if (before.deletedAt !== undefined) return undefined;
  if (version < before.version) return used.length === before.used.length ? undefined : { after: { ...before, used }, files: tokens };
  const named = files.map(({ token, fields }) => ({ token, fields: [...fields] }));
  return { after: { ...before, version, poNumber, files: named, named: tokens, used }, files: [...tokens, ...before.named] };
}

/** It names no PDF any more. */
export function decideCancellation(before: ForecastFiles): Decision | undefined {
  if (before.deletedAt !== undefined) return undefined;
  return { after: { ...before, version: CANCELLED_VERSION, files: [], named: [] }, files: before.named };
}

/** The list of its own images is noted. Of one that was deleted they end. */
export function decideImages(before: ForecastFiles, { revision, images }: OwnImages, now: number): Decision | undefined {
  if (before.deletedAt !== undefined) return { after: before, images, leftImage: ENDED };
  if (revision <= before.imageRevision) return undefined;
  const changed = [
    ...before.images.filter((token) => !images.includes(token)),
    ...images.filter((token) => !before.images.includes(token)),
  ];
  const after = { ...before, imageRevision: revision, images: [...images] };
  return { after, images: changed, leftImage: { unusedSince: imageUnusedSince(now) } };
}

/** It is over. Of many PDFs, some are left to another decision. */
export function decideEnd(before: ForecastFiles, { tenantId, forecastNo, files, photos, forecast }: EndedFiles, now: number): Decision {
  const { deletedAt = forecast === 'deleted' ? now : undefined, imageRevision } = before;
  const isKept = forecast === 'kept';
  const images = isKept ? before.images.filter((token) => photos.includes(token)) : before.images;
  const after = {
    ...unknownForecast(tenantId, forecastNo),
    used: before.used.slice(AT_ONCE),
    ...(isKept && { imageRevision, images: before.images.filter((token) => !images.includes(token)) }),
    ...(deletedAt !== undefined && { deletedAt }),
  };
  return { after, files: [...files, ...before.used.slice(0, AT_ONCE)], images, leftImage: ENDED };
}

/** What a PDF becomes. One that was deleted is shown again by a forecast that names it. */
export function pdfAfter({ pdf, shownAt }: Content, isNamed: boolean, unusedSince: number | undefined): Partial<Content> {
  if (pdf === undefined || (shownAt === undefined && !isNamed)) return {};
  const after = { useRank: isNamed ? 1 : 0, unusedSince };
  return shownAt === undefined ? { ...after, shownAt: pdf.uploadedAt, stored: 'pdf', digestOf: digestOf(pdf) } : after;
}

/** The write of a forecast; none when nothing changes. Nothing is kept of one of which nothing is to be known. */
export function forecastWrites(known: Stored<ForecastFiles> | undefined, before: ForecastFiles, after: ForecastFiles): readonly Write[] {
  const { tenantId, forecastNo, ...set } = after;
  if (isDeepStrictEqual(after, before)) return [];
  if (known === undefined) return [{ in: forecastFiles, insert: after }];
  const isOver = isDeepStrictEqual(after, unknownForecast(tenantId, forecastNo));
  return [isOver ? { in: forecastFiles, delete: known } : { in: forecastFiles, patch: known, set }];
}

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

export interface PhotoReport {
  readonly warehouseCode: string;
  /** The warehouse's id of it. */
  readonly eventId: string;
}

export interface PhotoLinks {
  readonly tenantId: string;
  readonly forecastNo: string;
  /** Tokens. */
  readonly photos: readonly string[];
  readonly report: PhotoReport;
}

/** The version of a cancelled forecast: behind every other. */
export const CANCELLED_VERSION = Number.MAX_SAFE_INTEGER;

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
