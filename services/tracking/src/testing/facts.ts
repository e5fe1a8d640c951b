import { type Decision, decide } from '../watch/domain/decide.ts';
import type { ParcelFact } from '../watch/domain/facts.ts';
import { digestNodes } from '../watch/domain/history.ts';
import type { Parcel } from '../watch/domain/shipment.ts';
import { dispatchOf, NOW, shipmentOf, TENANT, traceOf } from './samples.ts';

/** The dispatch of a forecast. */
export const dispatched: ParcelFact = { type: 'dispatched', ...dispatchOf() };

/** A later dispatch that names another carrier for the parcel. */
export const redispatched: ParcelFact = { type: 'dispatched', ...dispatchOf({ carrierCode: 'other', sequence: '2027', at: NOW + 2 }) };

/** A later dispatch of a further parcel. */
export const furtherDispatched: ParcelFact = {
  type: 'dispatched',
  ...dispatchOf({ trackingNumber: 'SIM2', sequence: '2027', at: NOW + 2 }),
};

/** The report that something happened to the parcel. */
export const news: ParcelFact = { type: 'news', tenantId: TENANT, forecastNo: 'FC1', furtherNumber: '', now: NOW + 3 };

/** A response of the carrier with these nodes. */
export const response = (
  nodes: Parameters<typeof digestNodes>[0],
  given: Parameters<typeof shipmentOf>[0] = {},
  now = NOW + 10,
): ParcelFact => ({
  type: 'response',
  shipment: shipmentOf(given),
  nodes: digestNodes(nodes),
  now,
  traceparent: traceOf(1),
});

/** The end of a poll: when the next one is due, null for never. */
export const rescheduled = (nextPollAt: number | null, given: Parameters<typeof shipmentOf>[0] = {}, failures = 0): ParcelFact => ({
  type: 'rescheduled',
  shipment: shipmentOf(given),
  nextPollAt,
  failures,
  now: NOW,
});

/** What is decided about facts, on the parcel as it is known. */
export const decideOn = (parcel: Parcel | undefined, ...facts: ParcelFact[]): Decision =>
  decide(facts, ({ furtherNumber }) => (furtherNumber === '' ? parcel : undefined), 'sandbox');

/** The parcel after facts. */
export const after = (...facts: ParcelFact[]): Parcel => decideOn(undefined, ...facts).writes[0]?.after as Parcel;
