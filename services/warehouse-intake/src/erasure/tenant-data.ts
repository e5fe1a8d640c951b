import { photoTokensIn } from '@parcelway/contracts/file-receipt';
import { openShipmentDetails } from '@parcelway/contracts/shipment-details';
import type { TextSealer } from '@parcelway/kernel/sealed-text';
import type { TenantData } from '@parcelway/kernel/tenant-data';
import type { OpenStore } from '@parcelway/platform/open-store';
import { tenantKind } from '@parcelway/store/shared/tenant-kind';
import { storedEvent } from '../expected/domain/event.ts';
import { type Expected, expected } from '../expected/expected-collection.ts';
import { type EventDocument, events, resolutions } from '../reports/report-collections.ts';
import { eraseReports } from './expired-forecasts.ts';

export interface TenantDataOptions extends Pick<OpenStore, 'store' | 'tenantData'> {
  /** Opens details of dispatches. */
  readonly sealer: TextSealer;
  /** Takes back what systems outside know of forecasts. @throws AppError 50301 */
  readonly retract: (forecastNos: readonly string[]) => Promise<void>;
}

/** Forecasts that one step reads or deletes, with all that was reported of them. */
const FORECASTS_AT_ONCE = 20;
/** More than is reported of a forecast. */
const MAX_REPORTS = 5000;

/** What a warehouse reported, with the details of a dispatch opened. */
function eventRecord(sealer: TextSealer, { event: text, receivedAt }: EventDocument): Readonly<Record<string, unknown>> {
  const event = storedEvent(text);
  const { detail } = event;
  if (detail.type !== 'dispatch' || detail.sealedDetails === undefined) return { ...event, received_at: receivedAt };
  const { sealedDetails, ...dispatch } = detail;
  return { ...event, detail: { ...dispatch, details: openShipmentDetails(sealer, detail, sealedDetails) }, received_at: receivedAt };
}

function parcelRecord(value: Expected): Readonly<Record<string, unknown>> {
  const { forecastNo, warehouseCode, forecastType, version, leads, claimed, cancelledAt, finishedAt } = value;
  const shown = { forecast_no: forecastNo, warehouse_code: warehouseCode, forecast_type: forecastType, version };
  return { ...shown, numbers: leads ?? [], claimed: claimed ?? [], cancelled_at: cancelledAt ?? null, finished_at: finishedAt ?? null };
}

function viewRecord({ forecastNo, shownAt, status, dueDate, shown, items }: Expected): Readonly<Record<string, unknown>> {
  const row = { forecast_no: forecastNo, warehouse_code: shownAt ?? null, status: status ?? null, due_date: dueDate ?? null };
  return { ...row, forecast: shown ?? null, items: items?.['items'] ?? [] };
}

export function createTenantData({ store, tenantData, sealer, retract }: TenantDataOptions): TenantData {
  const by = expected.by.tenant;
  /** What was applied to a forecast, and what names it and waits, because it came from another warehouse. */
  const eventsOf = async (forecastNo: string): Promise<readonly EventDocument[]> => {
    const found = [events.by.forecast, events.by.named].map((list) => store.find(list, { eq: [forecastNo], limit: MAX_REPORTS }));
    return (await Promise.all(found)).flatMap(({ items }) => items.map(({ value }) => value));
  };
  const claimsOf = async (forecastNo: string) => {
    const { items } = await store.find(resolutions.by.forecast, { eq: [forecastNo], limit: MAX_REPORTS });
    return items.map(({ value: { eventId, number, action, resolvedAt } }) => ({
      event_id: eventId,
      number,
      action,
      resolved_at: resolvedAt,
    }));
  };
  /** Forecasts of a tenant, each with what was reported of it. */
  const listOf =
    (recordOf: (value: Expected, reported: readonly EventDocument[]) => Promise<Readonly<Record<string, unknown>>>) =>
    async (tenantId: string, after: string | null) => {
      const { items } = await store.find(by, { eq: [tenantId, ''], limit: FORECASTS_AT_ONCE, ...(after !== null && { after }) });
      return Promise.all(
        items.map(async (stored) => {
          const record = await recordOf(stored.value, await eventsOf(stored.value.forecastNo));
          return { cursor: store.placeIn(by, 2, stored), record };
        }),
      );
    };
  const numbersOf = (found: readonly Expected[]): readonly string[] => [...new Set(found.map(({ forecastNo }) => forecastNo))];
  return tenantData({
    expected: [
      {
        name: 'photos',
        list: listOf(async ({ forecastNo }, reported) => {
          return { forecast_no: forecastNo, tokens: photoTokensIn(reported.map(({ event }) => JSON.parse(event) as unknown)) };
        }),
      },
      {
        ...tenantKind(store, {
          name: 'parcels',
          by,
          within: [''],
          record: null,
          batch: FORECASTS_AT_ONCE,
          // Before the forecasts, which lead to them: what is not deleted is retracted once more.
          async before(_tenantId, found) {
            await retract(numbersOf(found));
            await eraseReports(store, numbersOf(found));
          },
        }),
        list: listOf(async (value, reported) => ({
          ...parcelRecord(value),
          events: reported.map((event) => eventRecord(sealer, event)),
          claims: await claimsOf(value.forecastNo),
        })),
      },
      // With what former warehouses are shown.
      tenantKind(store, {
        name: 'view_forecasts',
        by,
        record: viewRecord,
        with: ['shown', 'items'],
        batch: FORECASTS_AT_ONCE,
        before: (_tenantId, found) => retract(numbersOf(found)),
      }),
    ],
  });
}
