import type { ForecastSnapshot } from '@parcelway/contracts/forecast-snapshot';
import { isoInstant } from '@parcelway/kernel/clock';
import { NOW } from './samples.ts';
import { viewItem } from './view-samples.ts';

/** A forecast as the forecast service has it. */
export function forecastSnapshot(
  forecastNo: string,
  { content, ...changes }: Partial<Omit<ForecastSnapshot, 'content'>> & { readonly content?: Partial<ForecastSnapshot['content']> } = {},
): ForecastSnapshot {
  return {
    tenant_id: 'tnt_a',
    as_of: isoInstant(NOW),
    status: 1,
    content: {
      forecast_no: forecastNo,
      po_number: `PO-${forecastNo}`,
      forecast_id: 1,
      forecast_type: 2,
      warehouse_code: 'WH1',
      tracking_numbers: ['SF12345678'],
      accepted_at: '2026-11-21T00:00:00.000+00:00',
      version: 1,
      due_date: '2026-12-01',
      shipping_label: null,
      shipping_note: null,
      carton_count: 1,
      item_count: 1,
      items: [viewItem()],
      ...content,
    },
    documents: null,
    dispatch: null,
    holding: null,
    ...changes,
  };
}
