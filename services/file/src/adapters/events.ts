import type { EventHandlers } from '@parcelway/bus/bus';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { DocumentOrder } from '../domain/forecast-documents.ts';
import { namedFiles } from '../retention/adapters/retention-events.ts';
import type { NamedFiles } from '../retention/ports.ts';

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
 * @param secret by which the URLs of files are signed
 * @param put keeps an order, and which uploaded PDFs the forecast names
 */
export function createEventHandlers(
  secrets: readonly string[],
  put: (order: DocumentOrder, named: NamedFiles) => Promise<void>,
): EventHandlers {
  return {
    'forecast.accepted': (event) => put(orderOf(event, event.data.accepted_at), namedFiles(secrets, event.tenantid, event.data)),
    'forecast.corrected': (event) =>
      put(
        orderOf(event as unknown as DomainEvent<'forecast.accepted'>, event.data.corrected_at),
        namedFiles(secrets, event.tenantid, event.data),
      ),
  };
}
