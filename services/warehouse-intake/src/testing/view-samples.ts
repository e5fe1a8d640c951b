import type { ViewForecast, ViewItem } from '../expected/domain/forecast-copy.ts';

/** An accepted forecast as WH1 sees it. */
export function viewForecast(changes: Partial<ViewForecast> = {}): ViewForecast {
  return {
    forecastNo: 'FC1',
    tenantId: 'tnt_a',
    poNumber: 'PO-1',
    warehouseCode: 'WH1',
    status: 1,
    content: {
      forecastType: 2,
      version: 1,
      acceptedAt: '2026-11-21T00:00:00.000+00:00',
      dueDate: '2026-12-01',
      shippingLabel: 'https://api.example.test/files/label.pdf',
      shippingNote: 'https://api.example.test/files/note.pdf',
      cartonCount: 1,
      itemCount: 1,
      trackingNumbers: ['SF12345678'],
    },
    itemsVersion: 1,
    dispatch: null,
    holding: null,
    ...changes,
  };
}

/** An item with a barcode. */
export function viewItem(changes: Partial<ViewItem> = {}): ViewItem {
  return { sku_code: 'MUG', barcode: '6901234567892', product_name_en: 'Mug', forecast_quantity: 24, forecast_price: 3.5, ...changes };
}
