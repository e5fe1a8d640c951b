import { createHash } from 'node:crypto';
import { isCarriersForm } from '@parcelway/contracts/carrier-detection/detect';
import { ForecastItem, ForecastSubmission } from '@parcelway/contracts/forecast-submission-api';
import { normaliseHsCode } from '@parcelway/contracts/hs-code';
import { normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';

/** 1 = stock replenishment, 2 = direct-mail labelling. */
export type ForecastType = 1 | 2;

/** Fields that every canonical form has. */
const always = ['po_number', 'forecast_type', 'warehouse_code', 'items'] as const;

type OptionalField = Exclude<keyof ForecastSubmission, (typeof always)[number]>;

/**
 * The optional fields of a submission, in the order in which the canonical form has them. A new one comes last: the content of older forecasts
 * keeps its text and its hash.
 */
export const optionalFields = Object.keys(ForecastSubmission.properties).filter(
  (name): name is OptionalField => !always.some((other) => other === name),
);

/**
 * A submission as it is stored and compared: defaults applied, unknown fields dropped, logistics numbers and HS codes
 * normalised, fields in one order. Two submissions with equal canonical forms have the same content. Written in the
 * terms of the API, because merchants read it back and differences are named by their JSON paths.
 */
export interface CanonicalForecast extends Readonly<Pick<ForecastSubmission, 'po_number' | 'warehouse_code' | OptionalField>> {
  readonly forecast_type: ForecastType;
  readonly items: readonly ForecastItem[];
}

/** What a list shows of a content. The stores keep it beside the content, in columns or fields of its own. */
export interface ContentSummary {
  readonly warehouseCode: string;
  readonly dueDate: string | null;
  readonly itemCount: number;
}

export function summaryOf(content: CanonicalForecast): ContentSummary {
  return { warehouseCode: content.warehouse_code, dueDate: content.due_date ?? null, itemCount: content.items.length };
}

/** The optional fields of a content, null for those that are absent: so events and responses show them. */
export const optionalData = (content: CanonicalForecast) =>
  Object.fromEntries(optionalFields.map((name) => [name, content[name] ?? null])) as {
    readonly [F in OptionalField]: NonNullable<CanonicalForecast[F]> | null;
  };

/** Those of the fields that are defined. */
export function defined<T extends object, F extends keyof T>(from: T, fields: readonly F[]): Pick<T, F> {
  return Object.fromEntries(fields.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]]))) as Pick<T, F>;
}

/** In the order of the contract. What later releases add there comes last, and only when given: the content of older forecasts keeps its text and its hash. */
const itemFields = Object.keys(ForecastItem.properties) as (keyof ForecastItem)[];

function canonicalItem(item: ForecastItem): ForecastItem {
  const { forecast_price, hs_code, tracking_number } = item;
  return {
    ...defined(item, itemFields),
    // Adding zero turns -0, which JSON can express, into 0.
    ...(forecast_price !== undefined && { forecast_price: forecast_price + 0 }),
    ...(hs_code !== undefined && { hs_code: normaliseHsCode(hs_code) }),
    ...(tracking_number !== undefined && { tracking_number: normaliseTrackingNumber(tracking_number) }),
  };
}

/** The canonical form of a valid submission. Idempotent; the order of the items is part of the content. */
export function canonicalForecast(submission: ForecastSubmission): CanonicalForecast {
  return {
    po_number: submission.po_number,
    forecast_type: submission.forecast_type === 1 ? 1 : 2,
    warehouse_code: submission.warehouse_code,
    ...defined(submission, optionalFields),
    items: submission.items.map(canonicalItem),
  };
}

/** Fingerprint of a canonical form's JSON text: SHA-256 as base64url. */
export function contentHash(canonicalJson: string): string {
  return createHash('sha256').update(canonicalJson).digest('base64url');
}

/** The logistics numbers of a forecast, normalised, each once, in the order of the items. */
export function trackingNumbersOf(forecast: CanonicalForecast): string[] {
  const numbers = new Set<string>();
  for (const { tracking_number } of forecast.items) if (tracking_number !== undefined) numbers.add(tracking_number);
  return [...numbers];
}

/**
 * What counts towards the limit of a tenant: its logistics numbers, or without any a po_number in the form of a carrier's number. The intake counts the
 * same (declared-numbers).
 */
export function countedNumbersOf(forecast: CanonicalForecast): readonly string[] {
  const numbers = trackingNumbersOf(forecast);
  return numbers.length === 0 && isCarriersForm(forecast.po_number) ? [forecast.po_number] : numbers;
}

/** A field in which two canonical forms differ, with its values as text; null where a form does not have it. */
export interface FieldDifference {
  /** JSON path, such as `items[2].forecast_quantity`. */
  readonly field: string;
  readonly from: string | null;
  readonly to: string | null;
}

const asText = (value: unknown): string | null => (value === undefined ? null : String(value));

/**
 * The fields in which two canonical forms differ. An item that only one of them has counts as one field, with its sku_code for a value.
 * @param limit at most so many are returned
 */
export function differences(a: CanonicalForecast, b: CanonicalForecast, limit: number): FieldDifference[] {
  const found: FieldDifference[] = [];
  const compare = (left: object, right: object, prefix: string): void => {
    const [l, r] = [left as Record<string, unknown>, right as Record<string, unknown>];
    for (const name of new Set([...Object.keys(l), ...Object.keys(r)])) {
      if (name !== 'items' && l[name] !== r[name]) found.push({ field: `${prefix}${name}`, from: asText(l[name]), to: asText(r[name]) });
    }
  };
  compare(a, b, '');
  for (let index = 0; index < Math.max(a.items.length, b.items.length) && found.length < limit; index += 1) {
    const [left, right] = [a.items[index], b.items[index]];
    if (left !== undefined && right !== undefined) compare(left, right, `items[${index}].`);
    else found.push({ field: `items[${index}]`, from: asText(left?.sku_code), to: asText(right?.sku_code) });
  }
  return found.slice(0, limit);
}
