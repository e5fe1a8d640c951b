import { ForecastSubmission } from '../forecast-submission-api.ts';
import { compileValidator } from '../validator.ts';

/** The validator of the submission of a forecast. */
export const submission = compileValidator(ForecastSubmission);

/** A valid line item. */
export const item = { sku_code: 'SKU-1', product_name_en: 'Lamp', forecast_quantity: 3 };

const urls = { shipping_label: 'https://h/files/a.pdf', shipping_note: 'https://h/files/b.pdf' };

/** A valid submission. */
export const valid = { po_number: 'PO-1', warehouse_code: 'LAX1', items: [item], ...urls };

/** The fields and rules that a submission violates, each as one text, sorted. */
export const violated = (value: unknown): string[] =>
  submission
    .errors(value)
    .map(({ field, rule }) => `${field} ${rule}`)
    .sort();
