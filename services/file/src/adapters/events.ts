import type { EventHandlers } from '@parcelway/bus/bus';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { DocumentOrder } from '../domain/forecast-documents.ts';
import { filesOf } from '../retention/adapters/retention-events.ts';

/** Consumer group of the service. */
export const GROUP = 'file';

/** Items whose JSON is larger are not kept with the order: they are read from the forecast service when it is their turn. */
export const MAX_KEPT_ITEMS_BYTES = 16 * 1024;

/** Both events carry the same content; those of former releases carry less of it. */
function orderOf({ tenantid, traceparent, data }: DomainEvent<'forecast.accepted'>, at: string): DocumentOrder {
  const isKept = data.items !== undefined && data.items !== null && Buffer.byteLength(JSON.stringify(data.items)) <= MAX_KEPT_ITEMS_BYTES;
  return {
    tenantId: tenantid,
    traceparent,
    forecastId: data.forecast_id,
    forecastNo: data.forecast_no,
    poNumber: data.po_number,
    warehouseCode: data.warehouse_code,
    version: data.version ?? 1,
    dueDate: data.due_date ?? null,
    cartonCount: data.carton_count ?? null,
    items: isKept ? (data.items ?? undefined) : undefined,
    at: Date.parse(at),
  };
}

/**
 * Accepted and corrected forecasts get their documents; cancelled ones keep theirs. Events may come late: `domain/forecast-documents.ts` says which
 * documents count. The events are finished once the order is kept: no partition waits for a rendering.
 * @param put keeps an order, and which uploaded PDFs the forecast uses, by their tokens
 */
export function createEventHandlers(put: (order: DocumentOrder, files: readonly string[]) => Promise<void>): EventHandlers {
  return {
    'forecast.accepted': (event) => put(orderOf(event, event.data.accepted_at), filesOf(event.data)),
    'forecast.corrected': (event) =>
      put(orderOf(event as unknown as DomainEvent<'forecast.accepted'>, event.data.corrected_at), filesOf(event.data)),
  };
}
