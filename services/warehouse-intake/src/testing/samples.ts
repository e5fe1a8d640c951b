import { createDomainEvent, type DomainEvent } from '@parcelway/contracts/cloud-event';
import type { DomainEventType } from '@parcelway/contracts/domain-events';
import { encodePhotoId } from '@parcelway/contracts/file-receipt';
import { eventContent } from '@parcelway/contracts/testing/event-content';
import type { Directory } from '../expected/directory-store.ts';
import type { DecideView } from '../expected/domain/decide-view.ts';
import { type AcceptedForecast, type EventDetail, type IntakeEvent, scannedNumberOf } from '../expected/domain/event.ts';
import type { ViewForecast, ViewItem } from '../expected/domain/forecast-copy.ts';
import type { Intake } from '../reports/intake-store.ts';

/** An instant that the tests take as now. */
export const NOW = Date.parse('2026-11-21T08:00:00Z');
/** Secret of the photo receipts in tests. */
export const FILE_SECRET = 'a-secret-of-the-file-service-in-tests';

/** A `traceparent`, another one for each number from 0 to 9. */
export function traceOf(digit: number): string {
  return `00-0af7651916cd43dd8448eb211c80319${digit}-b7ad6b716920333${digit}-01`;
}

let count = 0;

export function nextEventId(): string {
  count += 1;
  return `test-${count}`;
}

/** An event as the store takes it: an arrival at WH1 under a scanned number, unless said otherwise. */
export function intakeEvent(
  given: Partial<Omit<IntakeEvent, 'detail' | 'scannedNumber'>> & { readonly detail?: EventDetail } = {},
): IntakeEvent {
  const event = {
    eventId: nextEventId(),
    warehouseCode: 'WH1',
    occurredAt: '2026-11-21T09:00:00+08:00',
    forecastNo: null,
    expressNo: given.forecastNo ? null : 'SF 1234-5678',
    detail: { type: 'arrival' } as const,
    ...given,
  };
  return { ...event, scannedNumber: scannedNumberOf(event.expressNo) };
}

/** A forecast as the directory takes it: of tenant tnt_a at WH1, with one number and a po_number that no scan is like. */
export function acceptedForecast(given: Partial<AcceptedForecast> = {}): AcceptedForecast {
  return {
    forecastNo: 'FC1',
    tenantId: 'tnt_a',
    environment: 'sandbox',
    warehouseCode: 'WH1',
    forecastType: 2,
    trackingNumbers: ['SF12345678'],
    poNumber: '',
    ...given,
  };
}

/** A report as a warehouse sends it: an arrival at WH1 under a scanned number, unless said otherwise. */
export function report(given: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    event_id: nextEventId(),
    type: 'arrival',
    occurred_at: '2026-11-21T09:00:00+08:00',
    warehouse_code: 'WH1',
    express_no: 'SF 1234-5678',
    ...given,
  };
}

/** A weighing as a warehouse sends it. */
export function weighing(given: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return report({ type: 'weighing', length_cm: 30, width_cm: 20.5, height_cm: 10, weight_kg: 1.25, ...given });
}

/** What the platform knows of photo 7. */
export const PHOTO = {
  id: 7,
  image_path: 'photos/WH1/7.jpg',
  image_url: 'https://api.example.test/photos/abc.jpg',
  file_size: 2048,
  upload_time: '2026-11-21T07:59:00+00:00',
};

/** The photo_id of {@link PHOTO}, uploaded by WH1 in the sandbox unless said otherwise. */
export function photoId(
  given: { readonly id?: number; readonly warehouse_code?: string; readonly environment?: 'sandbox' | 'production' } = {},
): string {
  return encodePhotoId(FILE_SECRET, { ...PHOTO, warehouse_code: 'WH1', environment: 'sandbox', ...given });
}

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

export function viewItem(changes: Partial<ViewItem> = {}): ViewItem {
  return { sku_code: 'MUG', barcode: '6901234567892', product_name_en: 'Mug', forecast_quantity: 24, forecast_price: 3.5, ...changes };
}

type Outcome = ReturnType<Intake['follow']>;

export function accept(store: Intake, forecast: AcceptedForecast, traceparent?: string): Outcome {
  return store.follow([{ kind: 'accepted', forecast, traceparent }]);
}

/** Follows one cancellation. @param at epoch milliseconds */
export function cancel(store: Intake, forecastNo: string, at: number, traceparent?: string): Outcome {
  return store.follow([{ kind: 'cancelled', forecastNo, at, traceparent }]);
}

export const acceptance = {
  ...eventContent,
  forecast_id: 1,
  forecast_type: 2,
  warehouse_code: 'WH1',
  tracking_numbers: ['N1'],
  accepted_at: '2026-11-21T00:00:00.000+00:00',
  item_count: 1,
} as const;

/** An event of the forecast service; about FC1 unless stated otherwise. */
export function forecastEvent<T extends DomainEventType>(type: T, data: object, { time = NOW, forecastNo = 'FC1' } = {}): DomainEvent<T> {
  const envelope = { publisher: 'forecast', tenantId: 'tnt_a', environment: 'sandbox', subject: forecastNo, time, traceparent: traceOf(1) };
  const all = { forecast_no: forecastNo, po_number: 'PO-1', ...data };
  return createDomainEvent({ ...envelope, type, data: all } as unknown as Parameters<typeof createDomainEvent>[0]) as DomainEvent<T>;
}

/** Changes what warehouses are shown of one forecast. */
export async function changeForecast(directory: Directory, forecastNo: string, view: DecideView): Promise<void> {
  await directory.change(new Map([[forecastNo, { view }]]));
}
