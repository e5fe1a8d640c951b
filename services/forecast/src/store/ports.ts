import type { BarcodeSummary } from '@parcelway/contracts/barcode-readings';
import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { FileReceipt } from '@parcelway/contracts/file-receipt';
import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import type { TrackingResult } from '@parcelway/contracts/tracking-api';
import type { CanonicalForecast } from './domain/canonical.ts';
import type { ForecastCondition, ForecastRecord, Progress } from './domain/forecast.ts';
import type { ForecastKey, ForecastWrite, KnownForecast, WholeForecast } from './domain/known-forecast.ts';
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

export interface ForecastInserter {
  /** The id of a forecast that is to be inserted: never given twice. @throws AppError 50301 */
  nextId(): Promise<number>;
  /**
   * Stores a forecast, its claims and its messages in one durable write. Uniqueness of (tenant, po_number) among
   * forecasts that are not cancelled, of (tenant, forecast_no) and of (tenant, claimed number) rests on constraints.
   * @throws AppError 50301 when the store is out
   */
  insert(forecast: NewForecast, messages: readonly EncodedMessage[]): Promise<InsertOutcome>;
}

/** Reads forecasts; each sees what was committed before. */
export interface ForecastReader {
  /** The forecast that holds the po_number; when all of them are cancelled, the newest. */
  findByPoNumber(tenantId: string, poNumber: string): Promise<ForecastRecord | undefined>;
  /** As {@link findByPoNumber}, of many at once. @param poNumbers each once @returns po_number → forecast, without those that no forecast has */
  findByPoNumbers(tenantId: string, poNumbers: readonly string[]): Promise<ReadonlyMap<string, ForecastRecord>>;
  /** Those of the numbers that live type 2 forecasts hold, in their order. @param except forecast_no of one that does not count */
  findHeldNumbers(tenantId: string, numbers: readonly string[], except: string | undefined): Promise<readonly string[]>;
  /** Those of the numbers under which a scan at a warehouse went to a forecast of another tenant that has changed since an instant. */
  findScannedElsewhere(tenantId: string, warehouseCode: string, numbers: readonly string[], since: number): Promise<readonly string[]>;
  /** As {@link findByPoNumber}, with its content. */
  readByPoNumber(tenantId: string, poNumber: string): Promise<WholeForecast | undefined>;
  /** As {@link readByPoNumber}, by the number that no other forecast ever has. */
  readByForecastNo(tenantId: string, forecastNo: string): Promise<WholeForecast | undefined>;
  /** What a forecast is to contain at this moment. */
  readContent(tenantId: string, forecastNo: string): Promise<CanonicalForecast | undefined>;
}

/** A part of a list: the next forecasts of one index. */
export interface ListQuery {
  readonly walk: Walk;
  /** Only what comes behind; what {@link ForecastLister.placeBehind} gave. A walk by forecast_no has one forecast at most and no place behind it. */
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

/** Lists forecasts. No part of a list costs more because of forecasts that it does not return. */
export interface ForecastLister {
  /**
   * The first `limit` forecasts of a walk, in its order (ListOrder).
   * @throws AppError 50301 when the store is out
   */
  list(tenantId: string, query: ListQuery): Promise<readonly ListedForecast[]>;
  /** The place behind a forecast of a walk. */
  placeBehind(walk: Walk, forecast: ListedForecast): string;
}

/** Counts the forecasts of a tenant, for an operator. */
export interface ForecastCounter {
  /** @returns how many forecasts are in a status, at most `most`: the rest is not looked at */
  countOf(tenantId: string, status: ForecastStatus, most: number): Promise<number>;
  /** When a forecast of the tenant last changed, epoch milliseconds; undefined when there is none. */
  lastChange(tenantId: string): Promise<number | undefined>;
}

export interface WantedForecast extends ForecastKey {
  /** See keyText. */
  readonly key: string;
  /** Ids of events: which of them were applied is to be known. */
  readonly eventIds: readonly string[];
  /** True when what was submitted is needed as well. */
  readonly withContent: boolean;
}

/**
 * What became of a write. `lost`: another writer came in between, and the forecast has to be read again. `taken`: other forecasts hold these of its claims,
 * in their order. Only `written` is.
 */
export type WriteOutcome = { readonly kind: 'written' | 'lost' } | { readonly kind: 'taken'; readonly takenNumbers: readonly string[] };

/** Changes forecasts, many in one round trip. */
export interface ForecastChanges {
  /**
   * The forecasts as they are now, without those that do not exist, in any order.
   * @param wanted each once
   * @throws AppError 50301 when the store is out
   */
  read(wanted: readonly WantedForecast[]): Promise<readonly KnownForecast[]>;
  /**
   * Writes each decision onto the version that it was made on: state, content, marks, messages, and the release of the po_number and of claims in
   * one durable write of the forecast. Claims that a correction releases are free afterwards; uniqueness of the others rests on the same constraint
   * as at an insert.
   * @param writes at most one of each forecast
   * @returns what became of them, in their order
   * @throws AppError 50301 when the store is out: then some may have been written
   */
  apply(writes: readonly ForecastWrite<EncodedMessage>[]): Promise<readonly WriteOutcome[]>;
}

export interface ForecastStore extends ForecastInserter, ForecastReader, ForecastLister, ForecastChanges, ForecastCounter {
  /** Resolves when the store responds. */
  check(): Promise<void>;
}

/** A warehouse as the events of the gateway describe it. */
export interface KnownWarehouse {
  readonly code: string;
  /** Rises with each change. */
  readonly version: number;
  /** True while forecasts may name it. */
  readonly isOpen: boolean;
}

/** Where this service keeps the warehouses that it has heard of. */
export interface WarehouseStore {
  find(code: string): Promise<KnownWarehouse | undefined>;
  /** True before the first warehouse has been recorded. */
  isEmpty(): Promise<boolean>;
  /** Keeps what is newer than what is known; does nothing otherwise. */
  record(warehouse: KnownWarehouse): Promise<void>;
}

export interface WarehouseSamples {
  /** The first known ones, in the order of their codes. */
  some(limit: number): Promise<readonly KnownWarehouse[]>;
}

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
