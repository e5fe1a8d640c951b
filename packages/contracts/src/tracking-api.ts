import Type, { type Static } from 'typebox';
import { adminStatuses } from './admin-status.ts';
import { object, titled } from './object.ts';
import { instant, LOCAL_TIME_PATTERN, oneOf, TIME_ZONE_PATTERN } from './text.ts';
import { queryWarnings } from './warnings.ts';

/** A carrier's node as the tracking query shows it. */
export const TrackingNode = object('TrackingNode', {
  order_no: Type.String({ description: 'Order number' }),
  address: Type.String({ description: 'Location' }),
  content: Type.String({ description: 'Description of the event' }),
  status: Type.String({ description: "The carrier's own status" }),
  create_time: Type.String({
    pattern: LOCAL_TIME_PATTERN,
    description: 'Local time, yyyy-MM-dd HH:mm:ss',
  }),
  times: Type.String({ pattern: TIME_ZONE_PATTERN, description: 'Time zone of create_time, such as (GMT+08:00)' }),
  admin_status: oneOf(adminStatuses, 'Management status'),
  time_assumed: Type.Optional(
    Type.Literal(true, {
      description: 'The source names no zone for create_time, so that times is assumed; absent when the zone is known',
    }),
  ),
});
export type TrackingNode = Static<typeof TrackingNode>;

const asOf = (meaning: string) => Type.Optional(instant(meaning));

/** A parcel of a forecast in the tracking query. */
export const TrackingShipment = object('TrackingShipment', {
  carrier_code: Type.String({ description: 'Carrier of the dispatch' }),
  tracking_number: Type.String({ description: 'Of the carrier, normalised' }),
  dispatched_at: instant('When the warehouse gave it to the carrier'),
  is_terminal: Type.Boolean({ description: 'true when its latest status is a final one' }),
  latest_status: Type.String({ description: 'admin_status of its newest node; empty when there is none' }),
  nodes: Type.Array(TrackingNode, { description: 'Its own nodes, newest first' }),
  as_of: asOf('When the source last reported this parcel; absent when it responded to this query'),
});
export type TrackingShipment = Static<typeof TrackingShipment>;

/** `data` of the tracking query. */
export const TrackingResult = titled('TrackingResult', 'Tracking result', {
  po_number: Type.String(),
  is_shipped: Type.Boolean({ description: 'true once the warehouse has reported dispatch' }),
  is_terminal: Type.Boolean({ description: 'true when every parcel has a final status' }),
  latest_status: Type.String({ description: 'admin_status of the newest node of all parcels; empty when there is none' }),
  nodes: Type.Array(TrackingNode, { description: 'Of all parcels, newest first' }),
  as_of: asOf(
    'When the source last reported the parcel, where it was not asked for this query: it did so within the last minute, or its limits allow no further call now. Of several parcels, the oldest; then also where the source of one is out. Absent when all responded.',
  ),
  shipments: Type.Array(TrackingShipment, {
    description: 'Each parcel that the warehouse has dispatched, in the order of the dispatches; empty before the first',
  }),
  warnings: queryWarnings,
});
export type TrackingResult = Static<typeof TrackingResult>;
