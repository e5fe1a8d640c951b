import type { EventPhoto } from '@parcelway/contracts/domain-events';
import type { Environment } from '@parcelway/contracts/environment';
import type { PhotoReceipt } from '@parcelway/contracts/file-receipt';
import type { ShipmentDetails } from '@parcelway/contracts/shipment-details';
import { normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';
import { compileValidator, type Validator } from '@parcelway/contracts/validator';
import {
  CommonEvent,
  type WarehouseEvent,
  type WarehouseEventType,
  warehouseEventSchemas,
  warehouseEventTypes,
} from '@parcelway/contracts/warehouse-api';
import type { FieldError } from '@parcelway/kernel/app-error';
import type { ErrorCode } from '@parcelway/kernel/error-codes';
import { isForecastNo } from '@parcelway/kernel/ids';
import { hintOf } from '@parcelway/kernel/near-miss';
import { type EventDetail, type IntakeEvent, type ReceivedItem, scannedNumberOf } from '../../expected/domain/event.ts';

/** Clocks of warehouses may be wrong by this much; a later time is an error that would upset the order of the history. */
export const MAX_AHEAD_MS = 24 * 3_600_000;

/** At most this many violated rules are named in one message. */
const MAX_NAMED_ERRORS = 5;

export interface JudgeOptions {
  /** The warehouse that reports; null when the channel is trusted to name it. */
  readonly warehouseCode: string | null;
  readonly environment: Environment;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The receipt in a photo_id; undefined when the platform did not issue it. */
  readonly readReceipt: (photoId: string) => PhotoReceipt | undefined;
  /** Seals the details of a shipment; see sealShipmentDetails of the contracts. */
  readonly sealDetails: (
    owner: { readonly carrierCode: string; readonly trackingNumber: string },
    report: ShipmentDetails,
  ) => string | undefined;
}

export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  /** Everything that is wrong with it, at least one. */
  readonly errors: readonly FieldError[];
}

export type Judgement = { readonly event: IntakeEvent } | { readonly refusal: Refusal };

const validators = Object.fromEntries(
  warehouseEventTypes.map((type) => [type, compileValidator(warehouseEventSchemas[type])]),
) as unknown as Readonly<Record<WarehouseEventType, Validator<WarehouseEvent>>>;

const common = compileValidator(CommonEvent);

function refusalOf(code: ErrorCode, errors: readonly FieldError[]): { readonly refusal: Refusal } {
  const more = errors.length > MAX_NAMED_ERRORS ? `; and ${errors.length - MAX_NAMED_ERRORS} more` : '';
  const named = errors.slice(0, MAX_NAMED_ERRORS).map((error) => error.message);
  return { refusal: { code, message: `${named.join('; ')}${more}`, errors } };
}

export const isType = (type: unknown): type is WarehouseEventType => (warehouseEventTypes as readonly unknown[]).includes(type);

export function fieldsOfType(type: WarehouseEventType): readonly string[] {
  return validators[type].fields;
}

function shapeErrors(raw: unknown): readonly FieldError[] {
  if (raw === null || typeof raw !== 'object' || Array.isArray(raw)) {
    return [{ field: '', rule: 'type', message: 'An event must be an object' }];
  }
  const { type } = raw as { readonly type?: unknown };
  if (isType(type)) return withoutNumbers(raw, validators[type].errors(raw));
  const hint = typeof type === 'string' ? hintOf(type, warehouseEventTypes) : '';
  const unknown = { field: 'type', rule: 'enum', message: `type must be one of ${warehouseEventTypes.join(', ')}${hint}` };
  return [unknown, ...withoutNumbers(raw, common.errors(raw))];
}

const NO_NUMBER: FieldError = { field: 'forecast_no', rule: 'required', message: 'forecast_no or express_no is required' };

/** Says once that neither number is given: the schema says it of each. */
function withoutNumbers(raw: object, errors: readonly FieldError[]): readonly FieldError[] {
  const { forecast_no, express_no } = raw as { readonly forecast_no?: unknown; readonly express_no?: unknown };
  if (forecast_no !== undefined || express_no !== undefined) return errors;
  const others = errors.filter(({ field, rule }) => rule !== 'required' || (field !== 'forecast_no' && field !== 'express_no'));
  return [...others, NO_NUMBER];
}

/** The photos named by a report, each once, and what is wrong with the others. */
class Photos {
  readonly errors: FieldError[] = [];
  readonly #report: WarehouseEvent;
  readonly #context: JudgeOptions;

  constructor(report: WarehouseEvent, context: JudgeOptions) {
    this.#report = report;
    this.#context = context;
  }

  take(field: string, photoId: string): readonly EventPhoto[] {
    const receipt = this.#context.readReceipt(photoId);
    // One response for all: another warehouse's photo must look like one that does not exist.
    if (!receipt || receipt.warehouse_code !== this.#report.warehouse_code || receipt.environment !== this.#context.environment) {
      const message = `${field} is not the photo_id of a photo that this warehouse uploaded`;
      this.errors.push({ field, rule: 'unknown_photo', message });
      return [];
    }
    const { id, image_path, image_url, file_size, upload_time } = receipt;
    return [{ id, image_path, image_url, file_size, upload_time }];
  }
}

function photosOf(photoIds: readonly string[] | undefined, photos: Photos): readonly EventPhoto[] {
  const taken = (photoIds ?? []).flatMap((photoId, index) => photos.take(`photo_ids[${index}]`, photoId));
  return [...new Map(taken.map((photo) => [photo.id, photo])).values()];
}

/** The count that a report brings, entries of one SKU added. */
function countOf(received: readonly { readonly sku_code: string; readonly quantity: number }[] | undefined): {
  readonly receivedItems?: readonly ReceivedItem[];
} {
  if (received === undefined || received.length === 0) return {};
  const quantities = new Map<string, number>();
  for (const { sku_code, quantity } of received) quantities.set(sku_code, (quantities.get(sku_code) ?? 0) + quantity);
  return { receivedItems: [...quantities].map(([skuCode, quantity]) => ({ skuCode, quantity })) };
}

function detailOf(report: WarehouseEvent, photos: Photos, { sealDetails }: JudgeOptions): EventDetail | undefined {
  switch (report.type) {
    case 'weighing':
      return {
        type: 'weighing',
        lengthCm: report.length_cm,
        widthCm: report.width_cm,
        heightCm: report.height_cm,
        weightKg: report.weight_kg,
        photos: photosOf(report.photo_ids, photos),
      };
    case 'photo': {
      const [photo] = photos.take('photo_id', report.photo_id);
      return photo && { type: 'photo', photo, imageType: report.image_type, imageOrder: report.image_order ?? 0 };
    }
    case 'dispatch': {
      const shipment = { carrierCode: report.carrier_code, trackingNumber: normaliseTrackingNumber(report.tracking_number) };
      const sealedDetails = sealDetails(shipment, report);
      return { type: 'dispatch', ...shipment, ...(sealedDetails !== undefined && { sealedDetails }) };
    }
    case 'exception': {
      const { reason, text, photo_ids } = report;
      return { type: 'exception', reason, text: text || null, photos: photosOf(photo_ids, photos) };
    }
    case 'hold':
      return { type: 'hold', reason: report.reason || null };
    case 'release':
      return { type: 'release' };
    default:
      return { type: report.type, ...countOf(report.received_items) };
  }
}

/** What is wrong with the warehouse that a report names, whatever else is wrong with the report. */
function warehouseErrors(raw: unknown, context: JudgeOptions): readonly FieldError[] {
  const code = raw === null || typeof raw !== 'object' ? undefined : (raw as { readonly warehouse_code?: unknown }).warehouse_code;
  if (context.warehouseCode === null || typeof code !== 'string' || code === context.warehouseCode) return [];
  return [{ field: 'warehouse_code', rule: 'foreign_warehouse', message: 'warehouse_code is not the warehouse of this key' }];
}

/**
 * Takes or refuses one report: its shape by its `type` (42201) and its warehouse (40301) together, then its time (42201) and photos
 * (40403) together; the code is that of the first fault.
 * @param raw as parsed from JSON
 */
export function judge(raw: unknown, context: JudgeOptions): Judgement {
  const misshapen = shapeErrors(raw);
  const foreign = warehouseErrors(raw, context);
  if (misshapen.length > 0)
    return refusalOf('42201', [...misshapen, ...(misshapen.some(({ field }) => field === 'warehouse_code') ? [] : foreign)]);
  if (foreign.length > 0) return refusalOf('40301', foreign);
  const report = raw as WarehouseEvent;
  const isAhead = Date.parse(report.occurred_at) > context.now + MAX_AHEAD_MS;
  const ahead: FieldError[] = isAhead
    ? [{ field: 'occurred_at', rule: 'maximum', message: 'occurred_at must not be more than 24 hours in the future' }]
    : [];
  const photos = new Photos(report, context);
  const detail = detailOf(report, photos, context);
  const errors = [...ahead, ...photos.errors];
  if (errors.length > 0 || !detail) return refusalOf(isAhead ? '42201' : '40403', errors);
  const expressNo = report.express_no ?? null;
  const scannedNumber = scannedNumberOf(expressNo);
  const event = {
    eventId: report.event_id,
    warehouseCode: report.warehouse_code,
    occurredAt: report.occurred_at,
    // No logistics number has the form of a forecast's: what was scanned is the label of the carton.
    forecastNo: report.forecast_no ?? (scannedNumber !== null && isForecastNo(scannedNumber) ? scannedNumber : null),
    expressNo,
    scannedNumber,
    detail,
  };
  return { event };
}
