import type { EventPhoto } from '@parcelway/contracts/domain-events';
import type { Environment } from '@parcelway/contracts/environment';
import type { PhotoReceipt } from '@parcelway/contracts/file-receipt';
import { normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';
import { compileValidator, type Validator } from '@parcelway/contracts/validator';
import {
  type WarehouseEvent,
  type WarehouseEventType,
  warehouseEventSchemas,
  warehouseEventTypes,
} from '@parcelway/contracts/warehouse-api';
import { AppError } from '@parcelway/kernel/app-error';
import type { ErrorCode } from '@parcelway/kernel/error-codes';
import type { EventDetail, IntakeEvent } from './event.ts';

/** Clocks of warehouses may be wrong by this much; a later time is an error that would upset the order of the history. */
export const MAX_AHEAD_MS = 24 * 3_600_000;

/** At most this many violated rules are named in one message. */
const MAX_NAMED_ERRORS = 5;

/** What a report is judged by. */
export interface JudgeContext {
  /** The warehouse that reports; null when the channel is trusted to name it. */
  readonly warehouseCode: string | null;
  readonly environment: Environment;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The receipt in a photo_id; undefined when the platform did not issue it. */
  readonly readReceipt: (photoId: string) => PhotoReceipt | undefined;
}

/** Why a report is not taken. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
}

/** A report taken or refused. */
export type Judgement = { readonly event: IntakeEvent } | { readonly refusal: Refusal };

const validators = Object.fromEntries(
  warehouseEventTypes.map((type) => [type, compileValidator(warehouseEventSchemas[type])]),
) as unknown as Readonly<Record<WarehouseEventType, Validator<WarehouseEvent>>>;

function shapeOf(raw: unknown): WarehouseEvent {
  if (raw === null || typeof raw !== 'object' || Array.isArray(raw)) throw new AppError('42201', 'An event must be an object');
  const { type } = raw as { readonly type?: unknown };
  const known = warehouseEventTypes.find((candidate) => candidate === type);
  if (!known) throw new AppError('42201', `type must be one of ${warehouseEventTypes.join(', ')}`);
  const errors = validators[known].errors(raw);
  if (errors.length > 0) {
    const more = errors.length > MAX_NAMED_ERRORS ? `; and ${errors.length - MAX_NAMED_ERRORS} more` : '';
    throw new AppError(
      '42201',
      `${errors
        .slice(0, MAX_NAMED_ERRORS)
        .map((error) => error.message)
        .join('; ')}${more}`,
    );
  }
  return raw as WarehouseEvent;
}

function photoOf(field: string, photoId: string, warehouseCode: string, context: JudgeContext): EventPhoto {
  const receipt = context.readReceipt(photoId);
  // One answer for all: another warehouse's photo must look like one that does not exist.
  if (!receipt || receipt.warehouse_code !== warehouseCode || receipt.environment !== context.environment) {
    throw new AppError('40403', `${field} is not the photo_id of a photo that this warehouse uploaded`);
  }
  const { id, image_path, image_url, file_size, upload_time } = receipt;
  return { id, image_path, image_url, file_size, upload_time };
}

function detailOf(report: WarehouseEvent, context: JudgeContext): EventDetail {
  switch (report.type) {
    case 'weighing': {
      const photoIds = report.photo_ids ?? [];
      const photos = photoIds.map((photoId, index) => photoOf(`photo_ids[${index}]`, photoId, report.warehouse_code, context));
      return {
        type: 'weighing',
        lengthCm: report.length_cm,
        widthCm: report.width_cm,
        heightCm: report.height_cm,
        weightKg: report.weight_kg,
        photos: [...new Map(photos.map((photo) => [photo.id, photo])).values()],
      };
    }
    case 'photo':
      return {
        type: 'photo',
        photo: photoOf('photo_id', report.photo_id, report.warehouse_code, context),
        imageType: report.image_type,
        imageOrder: report.image_order ?? 0,
      };
    case 'dispatch':
      return { type: 'dispatch', carrierCode: report.carrier_code, trackingNumber: normaliseTrackingNumber(report.tracking_number) };
    default:
      return { type: report.type };
  }
}

function judged(raw: unknown, context: JudgeContext): IntakeEvent {
  const report = shapeOf(raw);
  if (context.warehouseCode !== null && report.warehouse_code !== context.warehouseCode) {
    throw new AppError('40301', 'warehouse_code is not the warehouse of this key');
  }
  if (Date.parse(report.occurred_at) > context.now + MAX_AHEAD_MS) {
    throw new AppError('42201', 'occurred_at must not be more than 24 hours in the future');
  }
  return {
    eventId: report.event_id,
    warehouseCode: report.warehouse_code,
    occurredAt: report.occurred_at,
    forecastNo: report.forecast_no ?? null,
    expressNo: report.express_no ?? null,
    detail: detailOf(report, context),
  };
}

/**
 * Takes or refuses one report: its shape by its `type` (42201), its warehouse (40301), its time (42201) and its photos
 * (40403), in this order.
 * @param raw as parsed from JSON
 */
export function judge(raw: unknown, context: JudgeContext): Judgement {
  try {
    return { event: judged(raw, context) };
  } catch (error) {
    if (error instanceof AppError) return { refusal: { code: error.code, message: error.message } };
    throw error;
  }
}
