import type { ReportDraft } from './report.ts';

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

/** The editable fields of a report with their values, in the order of the form. */
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
