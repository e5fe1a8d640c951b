import type { ForecastCorrection } from '@parcelway/contracts/forecast-correction-api';
import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import type { CanonicalForecast } from '../store/domain/canonical.ts';
import { correct } from '../store/domain/correction.ts';

/** The content of a forecast. */
export const content: CanonicalForecast = {
  po_number: 'PO-1',
  forecast_type: 2,
  warehouse_code: 'WH1',
  due_date: '2026-12-24',
  shipping_label: 'https://a/1',
  shipping_note: 'https://a/2',
  carton_count: 2,
  items: [
    { sku_code: 'S1', product_name_en: 'Lamp', forecast_quantity: 1, tracking_number: 'AB12' },
    { sku_code: 'S2', product_name_en: 'Mug', forecast_quantity: 2 },
  ],
};

/** When the forecast was corrected. */
export const at = (status: ForecastStatus, forecastType: 1 | 2 = 2) => ({ status, forecastType });

/** The fields that a correction changes. */
export const fieldsOf = (correction: ForecastCorrection, status: ForecastStatus = 1) =>
  correct(at(status), content, correction).changes.map(({ field }) => field);
