import { createDomainEvent, type DomainEvent, type NewDomainEvent } from '@parcelway/contracts/cloud-event';
import type { DomainEventType } from '@parcelway/contracts/domain-events';
import { isoInstant } from '@parcelway/kernel/clock';
import {
  documented,
  progressed,
  type ViewForecast,
  type ViewItem,
  withContent,
  withItems,
} from '@parcelway/service-warehouse-intake/view/domain/forecast-copy';
import { gtin14Of } from '@parcelway/service-warehouse-intake/view/domain/gtin';
import { changeForecast, type DecideForecast, type ViewWriter } from '@parcelway/service-warehouse-intake/view/ports';

/*
 * Forecasts of a warehouse's view, by their index from 1. Every number is its own but for one SKU that all forecasts have.
 */

const TENANTS = 10;
const DAYS = 30;
/** Acceptance of the first one. */
const EPOCH = Date.parse('2026-11-01T00:00:00Z');

/** The SKU that every forecast has. */
export const COMMON_SKU = 'LOAD-COMMON';

const padded = (index: number): string => String(index).padStart(9, '0');

/** What a scanner may read of the parcel with this index. */
export const scansOf = (index: number) =>
  ({
    forecastNo: `LOADFC${padded(index)}`,
    poNumber: `LOAD-PO-${padded(index)}`,
    trackingNumber: `LOADTN${padded(index)}`,
    sku: `LOAD-SKU-${padded(index)}`,
    barcode: barcodeOf(index),
  }) as const;

/** An EAN-13 with its check digit. */
function barcodeOf(index: number): string {
  const digits = `690${padded(index)}`;
  for (let check = 0; ; check += 1) if (gtin14Of(`${digits}${check}`) !== undefined) return `${digits}${check}`;
}

function itemsOf(index: number): ViewItem[] {
  const { sku, barcode, trackingNumber } = scansOf(index);
  return [
    {
      sku_code: sku,
      barcode,
      product_name_en: `Cotton T-shirt number ${index}, short sleeves`,
      product_name_cn: `纯棉短袖衬衫 第${index}号`,
      forecast_quantity: 12,
      forecast_price: 3.5,
      tracking_number: trackingNumber,
      declared_weight_kg: 0.25,
    },
    { sku_code: COMMON_SKU, product_name_en: 'Gift bag', forecast_quantity: 12 },
  ];
}

/** Three of ten parcels have arrived; of two of them more is known. */
function statusOf(index: number): 1 | 2 | 3 | 4 {
  return ([2, 3, 4] as const)[index % 10] ?? 1;
}

/** The events of a forecast, in the order in which they happen. */
export function viewEventsOf(index: number, warehouseCode: string) {
  const { forecastNo, poNumber, trackingNumber } = scansOf(index);
  const names = { forecast_no: forecastNo, po_number: poNumber };
  const at = EPOCH + index * 1000;
  const items = itemsOf(index);
  const event = <T extends DomainEventType>(type: T, data: NewDomainEvent<T>['data'], after: number): DomainEvent<T> =>
    createDomainEvent<T>({
      type,
      publisher: 'forecast',
      tenantId: `tnt_load${index % TENANTS}`,
      environment: 'sandbox',
      subject: forecastNo,
      time: at + after,
      id: `evt_${forecastNo}_${after}`,
      data,
    });
  const accepted = event(
    'forecast.accepted',
    {
      ...names,
      forecast_id: index,
      forecast_type: 2,
      warehouse_code: warehouseCode,
      tracking_numbers: [trackingNumber],
      accepted_at: isoInstant(at),
      version: 1,
      due_date: isoInstant(EPOCH + (index % DAYS) * 86_400_000).slice(0, 10),
      shipping_label: `https://api.example.test/files/label-${padded(index)}-${'s'.repeat(43)}.pdf`,
      shipping_note: `https://api.example.test/files/note-${padded(index)}-${'s'.repeat(43)}.pdf`,
      carton_count: 1,
      item_count: items.length,
      items,
    },
    0,
  );
  const documents = event(
    'documents.generated',
    {
      ...names,
      version: 1,
      marketplace_label: `https://api.example.test/files/${'l'.repeat(43)}-${'s'.repeat(43)}.pdf`,
      packing_slip: `https://api.example.test/files/${'p'.repeat(43)}-${'s'.repeat(43)}.pdf`,
      generated_at: isoInstant(at + 1),
    },
    1,
  );
  const report = { ...names, status: statusOf(index), warehouse_code: warehouseCode, occurred_at: isoInstant(at + 2) };
  const arrived = event('parcel.arrived', report, 2);
  return { accepted, documents, arrived, items } as const;
}

/** All events of a forecast as one change: what they leave in the store, written once. */
function decisionOf(index: number, warehouseCode: string): DecideForecast {
  const { accepted, documents, arrived, items } = viewEventsOf(index, warehouseCode);
  return (before) => {
    const known = withContent(before, accepted);
    const complete: ViewForecast = withItems(known, 1) ?? known;
    return { forecast: progressed(documented(complete, documents), arrived), items };
  };
}

/**
 * Writes the forecasts from the one index to the other, both included, with the service's own writer.
 * @param atOnce changes that are under way at the same time
 */
export async function fillView(writer: ViewWriter, warehouseCode: string, from: number, to: number, atOnce: number): Promise<void> {
  let next = from;
  const write = async (): Promise<void> => {
    while (next <= to) {
      const index = next;
      next += 1;
      await changeForecast(writer, scansOf(index).forecastNo, decisionOf(index, warehouseCode));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, write));
}
