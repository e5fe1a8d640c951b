import type { BarcodeSummary } from '@parcelway/contracts/barcode-readings';
import type { FileReceipt } from '@parcelway/contracts/file-receipt';
import type { TrackingResult } from '@parcelway/contracts/tracking-api';
import type { CanonicalForecast } from './domain/canonical.ts';
import type { ForecastCondition, ForecastRecord, Progress } from './domain/forecast.ts';
import type { ForecastKey } from './domain/known-forecast.ts';
import type { Walk } from './domain/list-plan.ts';

export interface NewForecast extends Omit<ForecastRecord, 'contentVersion' | keyof ForecastCondition> {
  readonly content: CanonicalForecast;
  /** Numbers that no other live type 2 forecast of the tenant may have; empty for type 1. */
  readonly claims: readonly string[];
  /** What it is found by: see search-terms. */
  readonly terms: readonly string[];
}

/** What became of an insert. Nothing is stored unless it is `inserted`. */
export type InsertOutcome =
  | { readonly kind: 'inserted' }
  /** The generated forecast_no exists: try again with another. */
  | { readonly kind: 'forecast-no-taken' }
  /** At least one of the two is set: who holds the po_number, and which claims others than that one hold. */
  | { readonly kind: 'taken'; readonly holder: ForecastRecord | undefined; readonly takenNumbers: readonly string[] };

/** A part of a list: the next forecasts of one index. */
export interface ListQuery {
  readonly walk: Walk;
  /** Only what comes behind; what `placeBehind` gave. A walk by forecast_no has one forecast at most and no place behind it. */
  readonly after?: string | undefined;
  readonly limit: number;
  /** Read as well. */
  readonly with?: readonly ('terms' | 'progress')[];
}

/** A forecast in a list: what a page shows. */
export interface ListedForecast extends Omit<ForecastRecord, 'progress' | 'contentHash'> {
  /** When they were asked for, as the next. */
  readonly terms?: readonly string[];
  readonly progress?: Progress;
}

export interface WantedForecast extends ForecastKey {
  /** Which events were applied is to be known. Default false. */
  readonly withMarks?: boolean;
  /** What was submitted is needed as well. Default false. */
  readonly withContent?: boolean;
}

/**
 * What became of a write. `lost`: another writer came in between, and the forecast has to be read again. `taken`: other forecasts hold these of its claims,
 * in their order. Only `written` is.
 */
export type WriteOutcome = { readonly kind: 'written' | 'lost' } | { readonly kind: 'taken'; readonly takenNumbers: readonly string[] };

export interface WarehouseDirectory {
  /** @throws AppError 50301 when that cannot be known now */
  exists(code: string): Promise<boolean>;
}

/** Uploaded files, as their URLs describe them. */
export interface UploadedFiles {
  /** The file of a URL; undefined unless the upload endpoint returned exactly this URL to this tenant in this environment. */
  read(tenantId: string, url: string): FileReceipt | undefined;
  /** True when one of the barcodes names one of the logistics numbers. */
  namesAny(barcodes: BarcodeSummary, numbers: readonly string[]): boolean;
}

/** The tracking of forecasts, as it is stored. */
export interface StoredTracking {
  /**
   * @param forecastNos at most 100
   * @returns forecast_no → tracking, without those of which no parcel is under watch
   * @throws AppError 50301 when it cannot be read now
   */
  read(tenantId: string, forecastNos: readonly string[], traceparent?: string): Promise<ReadonlyMap<string, TrackingResult>>;
}

/** Reports that messages were written and can be published. */
export type Notify = () => void;

export interface RequestOrigin {
  /** Id of the API key; null when none was used, as for what the platform does by itself. */
  readonly keyId: string | null;
  /** Of the request, for the events that follow. */
  readonly traceparent?: string | undefined;
}

/** The origin of what no key asked for. */
export const BY_NO_KEY: RequestOrigin = { keyId: null };
