import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import type { Correction } from './domain/correction.ts';
import type { InspectedFile } from './domain/file-warnings.ts';
import type { ForecastRecord, Progress, ReceivedItem } from './domain/forecast.ts';
import type { ListPosition } from './domain/list-cursor.ts';

/** A forecast about to be stored. */
export interface NewForecast extends Omit<ForecastRecord, 'forecastId' | 'shownId' | 'contentVersion'> {
  /** JSON of the canonical form; stored as it is. */
  readonly content: string;
  /** Numbers that no other live type 2 forecast of the tenant may have; empty for type 1. */
  readonly claims: readonly string[];
}

/** What a forecast is to contain, as it is stored. */
export interface StoredContent {
  /** JSON of the canonical form. */
  readonly content: string;
  /** See {@link ForecastRecord.contentVersion}. */
  readonly version: number;
}

/** A forecast with everything that its tenant submitted and corrected, all of one moment. */
export interface StoredForecast {
  readonly record: ForecastRecord;
  /** JSON of the canonical form. */
  readonly content: string;
  /** Oldest first. */
  readonly corrections: readonly Correction[];
}

/** What became of an insert. Nothing is stored unless it is `inserted`. */
export type InsertOutcome =
  | { readonly kind: 'inserted'; readonly forecastId: number }
  /** The generated forecast_no exists: try again with another. */
  | { readonly kind: 'forecast-no-taken' }
  /** At least one of the two is set: who holds the po_number, and which claims others than that one hold. */
  | { readonly kind: 'taken'; readonly holder: ForecastRecord | undefined; readonly takenNumbers: readonly string[] };

/** Accepts forecasts. */
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
  /** As {@link findByPoNumber}, with its content. */
  readByPoNumber(tenantId: string, poNumber: string): Promise<StoredForecast | undefined>;
  /** As {@link readByPoNumber}, by the number that no other forecast ever has. */
  readByForecastNo(tenantId: string, forecastNo: string): Promise<StoredForecast | undefined>;
  /** What a forecast is to contain at this moment. */
  readContent(tenantId: string, forecastNo: string): Promise<StoredContent | undefined>;
  /** Pieces that the warehouse last counted; none when it has not. */
  readReceivedItems(tenantId: string, forecastNo: string): Promise<readonly ReceivedItem[]>;
}

/** Filters and page of a list. Instants are epoch milliseconds. */
export interface ListQuery {
  readonly status?: ForecastStatus;
  readonly poNumber?: string;
  /** Accepted at or after. */
  readonly createdFrom?: number;
  /** Accepted before. */
  readonly createdTo?: number;
  /** Only what comes behind. */
  readonly after?: ListPosition;
  readonly limit: number;
}

/** A forecast in a list: what a page shows, without its progress. */
export type ListedForecast = Omit<ForecastRecord, 'progress' | 'contentHash' | 'shownId'>;

/** Lists forecasts. */
export interface ForecastLister {
  /** Newest first by acceptance, then by id. */
  list(tenantId: string, query: ListQuery): Promise<ListedForecast[]>;
}

/** A forecast on the way through all of them. */
export interface ScannedForecast extends ListedForecast {
  /** Where the way goes on behind it. */
  readonly place: string;
}

/** Goes through the forecasts of all tenants. */
export interface ForecastScanner {
  /**
   * The first `limit` forecasts behind a place, in an order that never changes.
   * @param after null begins; a text that is no place begins somewhere
   */
  scan(after: string | null, limit: number): Promise<readonly ScannedForecast[]>;
}

/** What an event or a command makes of a forecast. */
export interface Decision {
  readonly status: ForecastStatus;
  readonly progress: Progress;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  /** Messages to publish, written together with the change. */
  readonly messages: readonly EncodedMessage[];
  /** Pieces that the warehouse counted, in place of the count before. Absent: that one stays. */
  readonly receivedItems?: readonly ReceivedItem[];
}

/**
 * Decides what becomes of a forecast.
 * @param isShown true when a query by its po_number finds this forecast: always, until it is cancelled and the po_number
 * is used again (see {@link ForecastReader.findByPoNumber})
 */
export type Decide = (forecast: ForecastRecord, isShown: boolean) => Decision;

/** The event behind a change. */
export interface Cause {
  /** Names the event among all events of the forecast; applied once. */
  readonly eventId: string;
  /** Type of the event, kept beside the id. */
  readonly type: string;
}

/** `repeated`: the event had been applied before. `unknown`: the tenant has no such forecast. */
export type ChangeOutcome = 'changed' | 'repeated' | 'unknown';

/** Changes forecasts. */
export interface ForecastChanger {
  /**
   * Applies a decision in one durable write: status, progress, messages, the release of the po_number and of the claims
   * when the new status gives them up, and the mark that the event was applied.
   * @param cause the event; null for a command, which needs no dedupe
   * @param decide pure: may run again when another writer came in between. What it throws reaches the caller and nothing is written
   */
  change(tenantId: string, forecastNo: string, cause: Cause | null, decide: Decide): Promise<ChangeOutcome>;
}

/** What a correction makes of a forecast. Status and progress stay as they are. */
export interface CorrectionDecision {
  readonly content: string;
  readonly contentHash: string;
  readonly contentVersion: number;
  readonly corrections: readonly Correction[];
  readonly warehouseCode: string;
  readonly dueDate: string | null;
  readonly itemCount: number;
  /** The numbers that it claims from now on; null when they are the same as before. */
  readonly claims: readonly string[] | null;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  /** Messages to publish, written together with the correction. */
  readonly messages: readonly EncodedMessage[];
}

/** Decides what becomes of a forecast's content; undefined when nothing does. */
export type DecideCorrection = (forecast: StoredForecast) => CorrectionDecision | undefined;

/** `taken`: other forecasts hold these of its claims, in their order, and nothing was written. `unknown`: the tenant has no such forecast. */
export type CorrectionOutcome =
  | { readonly kind: 'corrected' | 'unchanged' | 'unknown' }
  | { readonly kind: 'taken'; readonly takenNumbers: readonly string[] };

/** Corrects forecasts. */
export interface ForecastCorrector {
  /**
   * Writes a correction, its claims and its messages in one durable write. Claims that it gives up are free afterwards; uniqueness of the
   * others rests on the same constraint as at an insert.
   * @param decide pure: may run again when another writer came in between. What it throws reaches the caller and nothing is written
   * @throws AppError 50301 when the store is out, or cannot take more messages of this forecast before some of them are published
   */
  correct(tenantId: string, forecastNo: string, decide: DecideCorrection): Promise<CorrectionOutcome>;
}

/** The whole store of the service. */
export interface ForecastStore
  extends ForecastInserter,
    ForecastReader,
    ForecastLister,
    ForecastScanner,
    ForecastChanger,
    ForecastCorrector {
  /** Resolves when the store answers. */
  check(): Promise<void>;
}

/** The warehouses in use. */
export interface WarehouseDirectory {
  /** @throws AppError 50301 when that cannot be known now */
  exists(code: string): Promise<boolean>;
}

/** True when the upload endpoint gave this URL to this tenant in this environment. */
export type FileUrlCheck = (tenantId: string, url: string) => boolean;

/** What a URL that the upload endpoint gave to this tenant says of its file; undefined when the file was not inspected. */
export type InspectedFiles = (tenantId: string, url: string) => InspectedFile | undefined;

/** Says that messages were written and can be published. */
export type Notify = () => void;
