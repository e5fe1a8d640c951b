import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import type { ForecastType } from '../domain/canonical.ts';
import type { Correction } from '../domain/correction.ts';
import type { ForecastRecord } from '../domain/forecast.ts';
import type { KnownForecast, StoredForecast } from '../domain/known-forecast.ts';
import type { ListedForecast, NewForecast, WantedForecast } from '../ports.ts';
import { documentId, type ForecastDocument, STILL_HELD } from './mongo-schema.ts';
import { fromStoredSummary, type StoredSummary, summaryNames, toStoredSummary } from './stored-summary.ts';

const summaryFields = Object.fromEntries(summaryNames.map((name) => [name, 1])) as { readonly [F in keyof StoredSummary]: 1 };

/** Projection of a listed forecast. */
export const LISTED_FIELDS = {
  tenant_id: 1,
  forecast_id: 1,
  forecast_no: 1,
  po_number: 1,
  forecast_type: 1,
  ...summaryFields,
  content_version: 1,
  status: 1,
  created_at: 1,
  updated_at: 1,
} as const;

/** Projection of a whole record: never the content, which may be megabytes. */
export const RECORD_FIELDS = { ...LISTED_FIELDS, shown_id: 1, content_hash: 1, progress: 1 } as const;

/** Projection of a record with all that was submitted and corrected. */
export const WHOLE_FIELDS = { ...RECORD_FIELDS, content: 1, corrections: 1 } as const;

/** Projection of what decisions need, without the content. */
export const KNOWN_FIELDS = { ...RECORD_FIELDS, version: 1, held_until: 1 } as const;

/** As {@link KNOWN_FIELDS}, with what was submitted, and the bytes of the messages in the document. */
export const WITH_SUBMISSION = {
  ...KNOWN_FIELDS,
  content: 1,
  corrections: 1,
  pending_bytes: { $bsonSize: { entries: '$outbox' } },
} as const;

/** A document of {@link LISTED_FIELDS}. */
export type ListedDocument = Pick<ForecastDocument, '_id' | keyof typeof LISTED_FIELDS>;

/** A document of {@link RECORD_FIELDS}. */
export type RecordDocument = Pick<ForecastDocument, '_id' | keyof typeof RECORD_FIELDS>;

/** A document of {@link WHOLE_FIELDS}. */
export type WholeDocument = Pick<ForecastDocument, '_id' | keyof typeof WHOLE_FIELDS>;

/** A document of {@link KNOWN_FIELDS}, perhaps of {@link WITH_SUBMISSION}. */
export interface KnownDocument extends Pick<ForecastDocument, '_id' | keyof typeof KNOWN_FIELDS> {
  readonly content?: string;
  readonly corrections?: readonly Correction[];
  readonly pending_bytes?: number;
  /** Ids of applied events among some that were asked for. */
  readonly applied_among: readonly string[];
}

export function toListed(document: ListedDocument): ListedForecast {
  return {
    tenantId: document.tenant_id,
    forecastId: document.forecast_id,
    forecastNo: document.forecast_no,
    poNumber: document.po_number,
    forecastType: document.forecast_type as ForecastType,
    ...fromStoredSummary(document),
    contentVersion: document.content_version ?? 1,
    status: document.status as ForecastStatus,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}

export function toRecord(document: RecordDocument): ForecastRecord {
  const { shown_id: shownId, content_hash: contentHash, progress } = document;
  return { ...toListed(document), shownId, contentHash, progress };
}

export function toStored(document: WholeDocument): StoredForecast {
  return { record: toRecord(document), content: document.content, corrections: document.corrections ?? [] };
}

/**
 * What is known of a forecast from its document.
 * @param wanted what was asked for: its key, and the events that may have been applied to it
 * @returns `isShown` is false when the document alone does not show it: the forecast released its po_number
 */
export function toKnown(document: KnownDocument, { key, eventIds }: Pick<WantedForecast, 'key' | 'eventIds'>): KnownForecast {
  const { version, held_until, content, corrections = [], pending_bytes: pendingBytes = 0, applied_among } = document;
  const applied = new Set(applied_among);
  return {
    key,
    record: toRecord(document),
    version,
    isShown: held_until.getTime() === STILL_HELD.getTime(),
    applied: new Set(eventIds.filter((eventId) => applied.has(eventId))),
    ...(content !== undefined && { submission: { content, corrections } }),
    pendingBytes,
  };
}

/** The document of a new forecast, without its messages. */
export function toDocument(forecast: NewForecast, forecastId: number, shownId: number): ForecastDocument {
  return {
    _id: documentId(forecast.tenantId, forecast.forecastNo),
    tenant_id: forecast.tenantId,
    forecast_id: forecastId,
    shown_id: shownId,
    forecast_no: forecast.forecastNo,
    po_number: forecast.poNumber,
    held_until: STILL_HELD,
    forecast_type: forecast.forecastType,
    ...toStoredSummary(forecast),
    status: forecast.status,
    content_hash: forecast.contentHash,
    created_at: forecast.createdAt,
    updated_at: forecast.updatedAt,
    progress: forecast.progress,
    content: forecast.content,
    ...(forecast.claims.length > 0 && { claims: forecast.claims }),
    terms: forecast.terms,
    applied: [],
    version: 1,
  };
}
