import type { BarcodeSummary } from '@parcelway/contracts/barcode-readings';
import { checkDigitWarning } from '@parcelway/contracts/carrier-detection/detect';
import type { FileReceipt } from '@parcelway/contracts/file-receipt';
import { ForecastCorrection } from '@parcelway/contracts/forecast-correction-api';
import { ForecastItem, ForecastSubmission } from '@parcelway/contracts/forecast-submission-api';
import { findingMessages } from '@parcelway/contracts/pdf-warnings';
import { normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';
import type { Warning } from '@parcelway/contracts/warnings';
import { hintOf } from '@parcelway/kernel/near-miss';
import { type CanonicalForecast, trackingNumbersOf } from '../../store/domain/canonical.ts';

/** The fields that name a file. */
export const fileFields = ['shipping_label', 'shipping_note'] as const;

export type ContentFiles = Readonly<Partial<Record<(typeof fileFields)[number], FileReceipt>>>;

export interface WarnedContent {
  readonly content: CanonicalForecast;
  readonly files: ContentFiles;
  /** True when one of the barcodes names one of the logistics numbers. */
  readonly namesAny: (barcodes: BarcodeSummary, numbers: readonly string[]) => boolean;
  /** Logistics numbers under which a scan went to a forecast of another tenant. */
  readonly scannedElsewhere: ReadonlySet<string>;
}

/** What is unusual about the files, by field. A label of type 2 has a barcode of the parcel that it is for. */
export function fileWarnings(warned: WarnedContent): Warning[] {
  const warnings: Warning[] = [];
  for (const field of fileFields) {
    const findings = warned.files[field]?.findings;
    if (findings === undefined) continue;
    const isLabel = field === 'shipping_label';
    for (const { kind, message } of findingMessages(findings)) {
      if (isLabel || kind !== 'mixed_sizes') warnings.push({ field, message });
    }
    if (isLabel && namesOthers(findings.barcodes, warned)) {
      warnings.push({
        field,
        message: 'No barcode of the shipping label names a declared tracking_number; check that it is the label of this forecast',
      });
    }
  }
  return warnings;
}

/** True when the barcodes of a label look like logistics numbers and none is a declared one. */
function namesOthers(barcodes: BarcodeSummary, { content, namesAny }: WarnedContent): boolean {
  if (content.forecast_type !== 2 || !barcodes.hasNumber) return false;
  const numbers = trackingNumbersOf(content);
  return numbers.length > 0 && !namesAny(barcodes, numbers);
}

/**
 * Warns of logistics numbers that look mistyped, or whose parcel may have gone to somebody else, each number once, at the first item that has it.
 * @param items valid, as received
 * @param scannedElsewhere numbers under which a scan went to a forecast of another tenant
 */
export function numberWarnings(items: readonly ForecastItem[], scannedElsewhere: ReadonlySet<string>): Warning[] {
  const warnings: Warning[] = [];
  const seen = new Set<string>();
  for (const [index, { tracking_number }] of items.entries()) {
    if (tracking_number === undefined) continue;
    const number = normaliseTrackingNumber(tracking_number);
    if (seen.has(number)) continue;
    seen.add(number);
    const field = `items[${index}].tracking_number`;
    if (scannedElsewhere.has(number)) {
      const message =
        'The warehouse has scanned a parcel with this number, and the scan went elsewhere. Ask the warehouse if the parcel is yours';
      warnings.push({ field, message });
    }
    const warning = checkDigitWarning(field, number);
    if (warning !== undefined) warnings.push(warning);
  }
  return warnings;
}

/** At most so many warnings come with an acceptance. */
export const MAX_WARNINGS = 100;
/** A field name in a warning is cut here: it is the caller's text and may be megabytes long. */
const MAX_NAME = 100;
/** The last place on earth to begin a day is twelve hours behind UTC. */
const LAST_OFFSET_MS = 12 * 3_600_000;

/** A forecast of such a po_number has no path of its own: `/open/v1/forecasts/tracking` is another route, and clients resolve dots. */
export const WORDS_OF_PATHS: readonly string[] = ['.', '..', 'batch', 'import', 'query', 'tracking', 'validate', 'weighing'];

const submissionFields = Object.keys(ForecastSubmission.properties);
const correctionFields = Object.keys(ForecastCorrection.properties);
const itemFields = Object.keys(ForecastItem.properties);

/**
 * Warns of what is unusual in an accepted submission: a po_number that is a word of a path, its files, logistics numbers that look mistyped, unknown fields and a due date in the
 * past. No warning is stored.
 * @param submission valid, as received
 * @param now epoch milliseconds
 * @returns at most {@link MAX_WARNINGS}
 */
export function submissionWarnings(submission: ForecastSubmission, warned: WarnedContent, now: number): Warning[] {
  return [...pathWarnings(submission), ...allWarnings(submission, submissionFields, warned, now)].slice(0, MAX_WARNINGS);
}

function pathWarnings({ po_number }: ForecastSubmission): Warning[] {
  if (!WORDS_OF_PATHS.includes(po_number)) return [];
  const message = `/open/v1/forecasts/${po_number} is another route, so this forecast cannot be corrected. Read it with POST /open/v1/forecasts/query`;
  return [{ field: 'po_number', message }];
}

/** As {@link submissionWarnings}, of a correction. @param warned the content after it */
export function correctionWarnings(correction: ForecastCorrection, warned: WarnedContent, now: number): Warning[] {
  return allWarnings(correction, correctionFields, warned, now);
}

/** Warns of a po_number that only cancelled forecasts have. It comes first among the warnings of a validation. */
export const submittedAgain: Warning = {
  field: 'po_number',
  message: 'A forecast with this po_number was cancelled; this submits it again',
};

/** What may lose a parcel comes before ignored fields: a list that is full leaves out its end. */
function allWarnings(
  body: ForecastSubmission | ForecastCorrection,
  known: readonly string[],
  warned: WarnedContent,
  now: number,
): Warning[] {
  return [...fileWarnings(warned), ...numberWarnings(body.items ?? [], warned.scannedElsewhere), ...bodyWarnings(body, known, now)].slice(
    0,
    MAX_WARNINGS,
  );
}

/** Warns of unknown fields in the body of a submission, whatever its shape: a field that is missing is often one with a typo. @returns at most {@link MAX_WARNINGS} */
export function bodyFieldWarnings(body: unknown, now: number): Warning[] {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return [];
  const { items } = body as { readonly items?: unknown };
  const readable = Array.isArray(items) ? items.map((item) => (item !== null && typeof item === 'object' ? item : {})) : [];
  return bodyWarnings({ ...body, items: readable } as ForecastSubmission, submissionFields, now);
}

/**
 * True when a date is in the past in every time zone.
 * @param date YYYY-MM-DD
 * @param now epoch milliseconds
 */
export function isPast(date: string, now: number): boolean {
  return date < new Date(now - LAST_OFFSET_MS).toISOString().slice(0, 10);
}

/** Warns of the body as received. Unknown fields end the list early: a body has room for hundreds of thousands of them. */
function bodyWarnings(body: ForecastSubmission | ForecastCorrection, known: readonly string[], now: number): Warning[] {
  const warnings: Warning[] = [];
  const addUnknown = (object: object, fields: readonly string[], prefix: string): void => {
    for (const name of Object.keys(object)) {
      if (warnings.length >= MAX_WARNINGS) return;
      if (!fields.includes(name)) warnings.push(unknownField(name, fields, prefix));
    }
  };
  addUnknown(body, known, '');
  if (typeof body.due_date === 'string' && isPast(body.due_date, now)) {
    warnings.push({ field: 'due_date', message: 'due_date is in the past' });
  }
  const { items = [] } = body;
  for (let index = 0; index < items.length && warnings.length < MAX_WARNINGS; index += 1) {
    addUnknown(items[index] as ForecastItem, itemFields, `items[${index}].`);
  }
  return warnings;
}

function unknownField(name: string, known: readonly string[], prefix: string): Warning {
  const field = `${prefix}${name.slice(0, MAX_NAME)}`;
  const message =
    name === 'marketplace_label'
      ? 'The product label is generated and maintained by the platform; the value was ignored'
      : `${field} is not a field of a forecast and was ignored${hintOf(name, known)}`;
  return { field, message };
}
