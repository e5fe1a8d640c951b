import { isoInstant } from '@parcelway/kernel/clock';
import { domainEventExamples } from './domain-event-examples.ts';
import type { DomainEventType } from './domain-events.ts';
import { exampleParcel } from './example-parcel.ts';
import type { WarehouseEventType } from './warehouse-api.ts';
import { warehouseEventExamples } from './warehouse-event-examples.ts';
import type { WebhookBodies } from './webhook-bodies.ts';
import type { OptInEventType } from './webhook-event-types.ts';

const { environment, poNumber, forecastNo, warehouseCode } = exampleParcel;
const thin = { environment, forecast_no: forecastNo, po_number: poNumber };

/** What the body of a webhook contains of a report of the warehouse. */
function recordedIn(type: WarehouseEventType, status: number) {
  const { warehouse_code, occurred_at } = warehouseEventExamples[type];
  return { status, warehouse_code, occurred_at };
}

/** The body that follows from the example of a domain event. */
function optInExample<T extends OptInEventType, D extends object>(type: T, from: DomainEventType, event_seq: number, details: D) {
  const { id, time } = domainEventExamples[from];
  return { type, timestamp: isoInstant(Date.parse(time)), data: { event_id: id, event_seq, ...thin, ...details } };
}

/** One body of each webhook, as a merchant receives it. */
export const webhookExamples: WebhookBodies = {
  'parcel.weighed': {
    type: 'parcel.weighed',
    timestamp: '2025-11-24T01:15:03.000+00:00',
    data: {
      event_id: domainEventExamples['parcel.weighed'].id,
      event_seq: 1,
      ...thin,
      status: 3,
      weighed_at: '2025-11-24T09:15:02+08:00',
    },
  },
  'tracking.changed': {
    type: 'tracking.changed',
    timestamp: '2025-11-26T04:10:00.000+00:00',
    data: {
      event_id: domainEventExamples['tracking.changed'].id,
      event_seq: 2,
      ...thin,
      previous_admin_status: 'Picked Up',
      admin_status: 'In Transit',
      is_terminal: false,
      tracking_number: exampleParcel.carrierNumber,
    },
  },
  'forecast.accepted': optInExample('forecast.accepted', 'forecast.accepted', 1, {
    status: 1,
    version: 1,
    warehouse_code: warehouseCode,
    accepted_at: '2025-11-21T08:00:00.120+00:00',
  }),
  'forecast.corrected': optInExample('forecast.corrected', 'forecast.corrected', 2, {
    status: 1,
    version: 2,
    warehouse_code: warehouseCode,
    changed: ['due_date'],
    corrected_at: '2025-11-21T09:05:00.000+00:00',
  }),
  'forecast.cancelled': optInExample('forecast.cancelled', 'forecast.cancelled', 3, {
    status: 7,
    cancelled_at: '2025-11-21T09:30:00.000+00:00',
  }),
  'parcel.arrived': optInExample('parcel.arrived', 'parcel.arrived', 3, recordedIn('arrival', 2)),
  'parcel.photographed': optInExample('parcel.photographed', 'parcel.photographed', 4, {
    ...recordedIn('photo', 3),
    image_type: 'package',
    image_order: 1,
  }),
  'parcel.put_away': optInExample('parcel.put_away', 'parcel.put_away', 6, recordedIn('put_away', 6)),
  'parcel.dispatched': optInExample('parcel.dispatched', 'forecast.dispatched', 6, {
    status: 5,
    carrier_code: exampleParcel.carrierCode,
    tracking_number: exampleParcel.carrierNumber,
    dispatched_at: '2025-11-25T18:30:00+08:00',
  }),
  'parcel.completed': optInExample('parcel.completed', 'parcel.completed', 7, {
    status: 6,
    reason: 'put_away',
    completed_at: '2025-11-24T03:05:34.000+00:00',
  }),
  'parcel.exception': optInExample('parcel.exception', 'parcel.exception', 5, {
    ...recordedIn('arrival', 3),
    reason: 'damaged',
    text: 'One corner of the carton is crushed',
  }),
  'endpoint.test': {
    type: 'endpoint.test',
    timestamp: '2025-11-21T08:05:00.000+00:00',
    data: {
      event_id: 'evt_0193a5b4d0007a1b8c2d9e3f4a5b6c7d',
      environment,
      endpoint_id: 'ep_0193a5b3e1f07a1b8c2d9e3f4a5b6c7d',
    },
  },
  'endpoint.disabled': {
    type: 'endpoint.disabled',
    timestamp: '2025-11-30T08:05:00.000+00:00',
    data: {
      event_id: 'evt_0193d42c1b807a1b8c2d9e3f4a5b6c7d',
      environment,
      endpoint_id: 'ep_0193a5b3e1f07a1b8c2d9e3f4a5b6c7d',
      url: 'https://shop.example.com/hooks/parcels',
      reason: 'failing',
    },
  },
};
