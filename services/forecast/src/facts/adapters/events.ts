import { isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { DomainEventType } from '@parcelway/contracts/domain-events';
import type { Fact, ForecastFact } from '../../store/domain/fact.ts';
import type { WarehouseReport } from '../../store/domain/forecast.ts';
import type { ApplyFacts } from '../apply-facts.ts';

type WarehouseEventType = Extract<Fact['step'], `warehouse.${string}`>;

type ForecastEventType = WarehouseEventType | 'tracking.changed';

const reportOf = ({ data: { warehouse_code, event_id, express_no, occurred_at } }: DomainEvent<WarehouseEventType>): WarehouseReport => ({
  warehouse_code,
  event_id,
  express_no,
  occurred_at,
});

function weighing(event: DomainEvent<'warehouse.weighed'>): Fact {
  const { photos, length_cm, width_cm, height_cm, weight_kg } = event.data;
  const report = reportOf(event);
  const { occurred_at: weighed_at, ...reported_by } = report;
  const photo_ids = photos.map(({ id }) => id);
  return {
    report,
    step: 'warehouse.weighed',
    measurement: { length_cm, width_cm, height_cm, weight_kg, weighed_at, ...(photo_ids.length > 0 && { photo_ids }), reported_by },
    photos: photos.map((photo) => ({ ...photo, express_no: report.express_no ?? '' })),
  };
}

function dispatching(event: DomainEvent<'warehouse.dispatched'>): Fact {
  const { carrier_code, tracking_number, occurred_at: dispatched_at, sealed_details: sealedDetails } = event.data;
  return {
    step: 'warehouse.dispatched',
    report: reportOf(event),
    dispatch: { carrier_code, tracking_number, dispatched_at },
    sealedDetails,
  };
}

/** What an event of the warehouse reports about a forecast. */
function reported(event: DomainEvent<WarehouseEventType>, fact: Fact): ForecastFact {
  return {
    tenantId: event.tenantid,
    forecastNo: event.data.forecast_no,
    // The warehouse's own id, not the envelope's: a report that is published again is still the same report. Event ids contain
    // no blank, so the two parts cannot run into each other.
    eventId: `${event.data.event_id} ${event.data.warehouse_code}`,
    fact,
    traceparent: event.traceparent,
    ...(event.data.matched && { isMatched: true }),
  };
}

type FactOf<T extends DomainEventType> = (event: DomainEvent<T>) => ForecastFact | undefined;

/** The consumed events and the fact that each reports; undefined when it concerns no forecast. */
const factsByType: { readonly [T in ForecastEventType]: FactOf<T> } = {
  'warehouse.arrived': (event) =>
    reported(event, { step: 'warehouse.arrived', report: reportOf(event), receivedItems: event.data.received_items }),
  'warehouse.weighed': (event) => reported(event, weighing(event)),
  'warehouse.photographed': (event) => {
    const { photo, image_type, image_order } = event.data;
    return reported(event, { step: 'warehouse.photographed', report: reportOf(event), photo: { ...photo, image_type, image_order } });
  },
  'warehouse.processed': (event) =>
    reported(event, { step: 'warehouse.processed', report: reportOf(event), receivedItems: event.data.received_items }),
  'warehouse.put-away': (event) =>
    reported(event, { step: 'warehouse.put-away', report: reportOf(event), receivedItems: event.data.received_items }),
  'warehouse.dispatched': (event) => reported(event, dispatching(event)),
  'warehouse.exception': (event) => {
    const { reason, text, photos, occurred_at } = event.data;
    return reported(event, { step: 'warehouse.exception', report: reportOf(event), exception: { reason, text, photos, occurred_at } });
  },
  'warehouse.held': (event) => reported(event, { step: 'warehouse.held', report: reportOf(event), reason: event.data.reason }),
  'warehouse.released': (event) => reported(event, { step: 'warehouse.released', report: reportOf(event) }),
  'tracking.changed': ({ id: eventId, tenantid: tenantId, data, traceparent }) => {
    // Only the final status concerns a forecast, and its correction; a change under way is between tracking and the tenant.
    if (!data.is_terminal && !isTerminalAdminStatus(data.previous_admin_status)) return undefined;
    const step = data.is_terminal ? 'tracking.ended' : 'tracking.resumed';
    return { tenantId, forecastNo: data.forecast_no, eventId, fact: { step, trackingNumber: data.tracking_number }, traceparent };
  },
};

/** The types of the consumed events. */
export const forecastEventTypes = Object.keys(factsByType) as ForecastEventType[];

/** The handler of the consumed events, any number at once. */
export function createEventHandler(apply: ApplyFacts): (events: readonly DomainEvent<ForecastEventType>[]) => Promise<void> {
  return (events) => apply(events.flatMap((event) => (factsByType[event.type] as FactOf<ForecastEventType>)(event) ?? []));
}
