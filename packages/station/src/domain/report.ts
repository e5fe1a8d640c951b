import type { exceptionReasons } from '@parcelway/contracts/parcel-reports';
import type { WarehouseEvent } from '@parcelway/contracts/warehouse-api';
import { membersOf } from '@parcelway/page/members-of';
import type { Size } from './entry.ts';

/** Why a parcel cannot go its way. */
export type ExceptionReason = (typeof exceptionReasons)[number];

export const reasonsInOrder = membersOf<ExceptionReason>({
  damaged: true,
  wrong_content: true,
  missing_items: true,
  unreadable_label: true,
  prohibited: true,
  other: true,
});

type Stamped = 'event_id' | 'occurred_at' | 'warehouse_code';
/** `Omit` for each member of a union by itself. */
type Without<Union, Names extends PropertyKey> = Union extends unknown ? Omit<Union, Names> : never;
/** What is reported, without the id, the time and the warehouse that the queue adds, and without its photos. */
export type ReportDraft = Without<WarehouseEvent, Stamped | 'photo_ids' | 'photo_id'>;

/** A photo that was taken at the bench and is on this device only. */
export interface BenchPhoto {
  readonly id: string;
  readonly url: string;
}

/** Most photos of one parcel at the bench. */
export const MAX_PHOTOS = 20;

/** What a weighing says; undefined for any other report. */
export function measuredOf(draft: ReportDraft): { readonly weightKg: number; readonly size: Size } | undefined {
  if (draft.type !== 'weighing') return undefined;
  const { weight_kg, length_cm, width_cm, height_cm } = draft;
  return { weightKg: weight_kg, size: { lengthCm: length_cm, widthCm: width_cm, heightCm: height_cm } };
}

/** What a report is called: its type, or `count` for one that is made to bring a count. */
export const nameOf = (draft: ReportDraft): ReportDraft['type'] | 'count' =>
  draft.type === 'processing' && draft.received_items !== undefined ? 'count' : draft.type;

/** Fields of a rejected report that the bench may change before it sends the report again. */
const EDITABLE = [
  'express_no',
  'forecast_no',
  'weight_kg',
  'length_cm',
  'width_cm',
  'height_cm',
  'carrier_code',
  'tracking_number',
  'text',
] as const;
export type EditableField = (typeof EDITABLE)[number];

export function editableFields(draft: ReportDraft): Array<readonly [field: EditableField, value: string]> {
  return EDITABLE.flatMap((field) => {
    const value = (draft as Readonly<Partial<Record<EditableField, string | number>>>)[field];
    return value === undefined ? [] : [[field, String(value)] as const];
  });
}

const isNumber = (field: EditableField): boolean => field === 'weight_kg' || field.endsWith('_cm');

/** The report with other values, without the fields whose value is empty. The values are not checked: the platform validates them. */
export function fixedReport(draft: ReportDraft, values: Readonly<Partial<Record<EditableField, string>>>): ReportDraft {
  const changed: Record<string, unknown> = { ...draft };
  for (const field of EDITABLE) {
    const value = values[field]?.trim();
    if (value === undefined) continue;
    if (value === '') delete changed[field];
    else changed[field] = isNumber(field) ? Number(value.replace(',', '.')) : value;
  }
  return changed as ReportDraft;
}
