import type { AdminStatus } from '@parcelway/contracts/admin-status';
import { isoInstant } from '@parcelway/kernel/clock';
import type { Connection } from '../accounts/domain/connection.ts';
import type { Dispatch } from '../watch/domain/facts.ts';
import { type CarrierNode, localTime } from '../watch/domain/node.ts';
import type { Shipment } from '../watch/domain/shipment.ts';

/** Data of `forecast.dispatched`, now. */
export const dispatched = (forecastNo: string, poNumber: string, trackingNumber: string, carrierCode = 'dhl') => ({
  forecast_no: forecastNo,
  po_number: poNumber,
  status: 5,
  carrier_code: carrierCode,
  tracking_number: trackingNumber,
  dispatched_at: isoInstant(Date.now()),
});

/** An instant that the tests take as now. */
export const NOW = Date.parse('2026-11-21T08:00:00Z');
/** A tenant. */
export const TENANT = 'tnt_a';

/** A dispatch of FC1 of {@link TENANT} under PO-1, with the carrier sim under SIM1, now, unless said otherwise. */
export function dispatchOf(given: Partial<Dispatch> = {}): Dispatch {
  return {
    tenantId: TENANT,
    forecastNo: 'FC1',
    poNumber: 'PO-1',
    isCancelled: false,
    carrierCode: 'sim',
    trackingNumber: 'SIM1',
    sequence: '2026-11-21T08:00:00.000Z/evt_1',
    at: NOW,
    ...given,
  };
}

/** A node of SIM1, `seconds` after {@link NOW}. */
export function node(seconds: number, adminStatus: AdminStatus = 'In Transit', given: Partial<CarrierNode> = {}): CarrierNode {
  return {
    orderNo: 'SIM1',
    address: 'Shenzhen',
    content: `seen after ${seconds} s`,
    status: adminStatus,
    createTime: localTime(NOW + seconds * 1000, 8 * 3_600_000),
    times: '(GMT+08:00)',
    adminStatus,
    ...given,
  };
}

/** The shipment of {@link dispatchOf}. */
export function shipmentOf(given: Partial<Shipment> = {}): Shipment {
  return {
    tenantId: TENANT,
    forecastNo: 'FC1',
    poNumber: 'PO-1',
    carrierCode: 'sim',
    trackingNumber: 'SIM1',
    furtherNumber: '',
    watch: 1,
    sequence: dispatchOf().sequence,
    watchedSince: NOW,
    dispatchedAt: NOW,
    publishedStatus: '',
    lastChangeAt: NOW,
    nextPollAt: NOW,
    wakes: 0,
    failures: 0,
    askedAt: 0,
    reportedAt: 0,
    registration: null,
    sealedDetails: null,
    ...given,
  };
}

/** A `traceparent`, another one for each number from 0 to 9. */
export function traceOf(digit: number): string {
  return `00-0af7651916cd43dd8448eb211c80319${digit}-b7ad6b716920333${digit}-01`;
}

/** The operator's connection `main` to 17TRACK for all carriers. */
export function connectionOf(given: Partial<Connection> = {}): Connection {
  const standard = {
    connectionId: 'main',
    tenantId: null,
    source: '17track',
    baseUrl: null,
    carriers: ['*'],
    limits: null,
    credentials: {},
  };
  return { ...standard, ...given };
}
