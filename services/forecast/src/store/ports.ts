import type { BarcodeSummary } from '@parcelway/contracts/barcode-readings';
import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { FileReceipt } from '@parcelway/contracts/file-receipt';
import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import type { TrackingResult } from '@parcelway/contracts/tracking-api';
import type { Dispatch, ForecastRecord, Measurement, ReceivedItem } from './domain/forecast.ts';
import type { ForecastKey, ForecastWrite, KnownForecast, StoredForecast } from './domain/known-forecast.ts';
import type { ListPosition } from './domain/list-cursor.ts';
import type { Walk } from './domain/list-plan.ts';

export interface NewForecast extends Omit<ForecastRecord, 'forecastId' | 'shownId' | 'contentVersion'> {
  /** JSON of the canonical form; stored as it is. */
  readonly content: string;
  /** Numbers that no other live type 2 forecast of the tenant may have; empty for type 1. */
  readonly claims: readonly string[];
  /** What it is found by: see search-terms. */
  readonly terms: readonly string[];
}

/** What a forecast is to contain, as it is stored. */
export interface StoredContent {
  /** JSON of the canonical form. */
  readonly content: string;
  /** See {@link ForecastRecord.contentVersion}. */
  readonly version: number;
}

/** What became of an insert. Nothing is stored unless it is `inserted`. */
export type InsertOutcome =
  | { readonly kind: 'inserted'; readonly forecastId: number }
  /** The generated forecast_no exists: try again with another. */
  | { readonly kind: 'forecast-no-taken' }
  /** At least one of the two is set: who holds the po_number, and which claims others than that one hold. */
  | { readonly kind: 'taken'; readonly holder: ForecastRecord | undefined; readonly takenNumbers: readonly string[] };

export interface ForecastInserter {
  /**
   * Stores a forecast, its claims and its messages in one durable write. Uniqueness of (tenant, po_number) among
   * forecasts that are not cancelled, of (tenant, forecast_no) and of (tenant, claimed number) rests on constraints.
   * @param messagesOf messages to publish, given the id of the forecast
   * @throws AppError 50301 when the store is out
   */
  insert(forecast: NewForecast, messagesOf: (forecastId: number) => readonly EncodedMessage[]): Promise<InsertOutcome>;
}

/** Reads forecasts; each sees what was committed before. */
export interface ForecastReader {
  /** The forecast that holds the po_number; when all of them are cancelled, the newest. */
  findByPoNumber(tenantId: string, poNumber: string): Promise<ForecastRecord | undefined>;
  /** As {@link findByPoNumber}, of many at once. @param poNumbers each once @returns po_number → forecast, without those that no forecast has */
  findByPoNumbers(tenantId: string, poNumbers: readonly string[]): Promise<ReadonlyMap<string, ForecastRecord>>;
  /** Those of the numbers that live type 2 forecasts hold, in their order. @param except a forecast that does not count */
  findHeldNumbers(tenantId: string, numbers: readonly string[], except: number | undefined): Promise<readonly string[]>;
  /** Those of the numbers under which a scan at a warehouse went to a forecast of another tenant that has changed since an instant. */
  findScannedElsewhere(tenantId: string, warehouseCode: string, numbers: readonly string[], since: number): Promise<readonly string[]>;
  /** As {@link findByPoNumber}, with its content. */
  readByPoNumber(tenantId: string, poNumber: string): Promise<StoredForecast | undefined>;
  /** As {@link readByPoNumber}, by the number that no other forecast ever has. */
  readByForecastNo(tenantId: string, forecastNo: string): Promise<StoredForecast | undefined>;
  /** What a forecast is to contain at this moment. */
  readContent(tenantId: string, forecastNo: string): Promise<StoredContent | undefined>;
  /** Pieces that the warehouse last counted; none when it has not. */
  readReceivedItems(tenantId: string, forecastNo: string): Promise<readonly ReceivedItem[]>;
}

/** A part of a list: the next forecasts of one index. */
export interface ListQuery {
  readonly walk: Walk;
  /** Terms of which the result says whether a forecast has them. */
  readonly terms: readonly string[];
  /** Only what comes behind. A walk by forecast_no has one forecast at most and no place behind it. */
  readonly after?: ListPosition | undefined;
  readonly limit: number;
}

/** A forecast in a list: what a page shows, without its progress. */
export type ListedForecast = Omit<ForecastRecord, 'progress' | 'contentHash' | 'shownId'>;

export interface WalkedForecast extends ListedForecast {
  /** Those of its terms that were asked for. */
  readonly terms: readonly string[];
}

/** As {@link WalkedForecast}, with what an export shows besides. */
export interface ReportedForecast extends WalkedForecast {
  /** The current one; null until the parcel is weighed. */
  readonly measurement: Pick<Measurement, 'lengthCm' | 'widthCm' | 'heightCm' | 'weightKg'> | null;
  /** The latest one; null until the parcel is dispatched. */
  readonly dispatch: Pick<Dispatch, 'carrierCode' | 'trackingNumber'> | null;
}

/** Lists forecasts. No part of a list costs more because of forecasts that it does not return. */
export interface ForecastLister {
  /**
   * The first `limit` forecasts of a walk, in its order (ListOrder).
   * @throws AppError 50301 when the store is out
   */
  list(tenantId: string, query: ListQuery): Promise<WalkedForecast[]>;
  /** As {@link list}, with more of each. */
  report(tenantId: string, query: ListQuery): Promise<ReportedForecast[]>;
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
 * What became of a write. `lost`: another writer came in between, and the forecast has to be read again. A store that writes several forecasts at
 * once may call all of them lost when one was; what was written is known by the marks of its events. `full`: the store cannot take more messages
 * of this forecast before some of them are published. `taken`: other forecasts hold these of its claims, in their order. Only `written` is.
 */
export type WriteOutcome =
  | { readonly kind: 'written' | 'lost' | 'full' }
  | { readonly kind: 'taken'; readonly takenNumbers: readonly string[] };

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
