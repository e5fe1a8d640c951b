import type { CanonicalForecast, ContentSummary } from '../store/domain/canonical.ts';
import { type ForecastRecord, initialProgress } from '../store/domain/forecast.ts';

/** What a list shows of a content with one item. No value is null, so that tests notice a store that forgets one. */
export const summary: ContentSummary = { warehouseCode: 'WH1', dueDate: '2026-12-24', itemCount: 1 };

/** An accepted forecast of type 2 of the tenant `tnt_a`, accepted at 1000, unless stated otherwise. */
export function record(forecastNo: string, over: Partial<ForecastRecord> = {}): ForecastRecord {
  return {
    tenantId: 'tnt_a',
    forecastId: 1,
    forecastNo,
    poNumber: `PO-${forecastNo}`,
    forecastType: 2,
    ...summary,
    contentVersion: 1,
    status: 1,
    contentHash: 'hash',
    createdAt: 1000,
    updatedAt: 1000,
    hasException: false,
    onHold: false,
    progress: initialProgress(1000),
    ...over,
  };
}

/** What {@link record} contains: one item under the number `LP1`, unless stated otherwise. */
export function contentOf(forecastNo: string, over: Partial<CanonicalForecast> = {}): CanonicalForecast {
  return {
    po_number: `PO-${forecastNo}`,
    forecast_type: 2,
    warehouse_code: 'WH1',
    items: [{ sku_code: 'SKU-1', product_name_en: 'Lamp', forecast_quantity: 1, tracking_number: 'LP1' }],
    ...over,
  };
}
