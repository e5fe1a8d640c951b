import { beforeEach, describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import type { CarrierNode } from './domain/node.ts';
import type { Shipment } from './domain/shipment.ts';
import type { FoundForecast, LookedUpForecast } from './ports.ts';
import { queryTracking, type Tracking } from './query-tracking.ts';
import { node, shipmentOf, TENANT, traceOf } from './testing/samples.ts';

const out = new AppError('50001');

/** The traces that what is asked elsewhere belongs to. */
let traces: (string | undefined)[];
beforeEach(() => {
  traces = [];
});

function ask(given: {
  found?: FoundForecast;
  elsewhere?: LookedUpForecast;
  outage?: Error;
  history?: CarrierNode[];
  failure?: Error;
}): Promise<Tracking> {
  const deps = {
    shipments: {
      findByPoNumber: async () => given.found,
      findShipment: async () => given.found?.shipment ?? undefined,
      history: async () => given.history ?? [],
    },
    lookup: {
      lookUp: async (_tenantId: string, _poNumber: string, traceparent?: string) => {
        traces.push(traceparent);
        if (given.outage) throw given.outage;
        return given.elsewhere;
      },
    },
    refresh: async (_shipment: Shipment, traceparent?: string) => {
      traces.push(traceparent);
      if (given.failure) throw given.failure;
      return '' as const;
    },
  };
  return queryTracking(deps, TENANT, 'PO-1', traceOf(1));
}
const shipped = { forecastNo: 'FC1', isCancelled: false, shipment: shipmentOf() };
const accepted = { forecastNo: 'FC1', isCancelled: false, shipment: null };
const cancelled = { forecastNo: 'FC1', isCancelled: true, shipment: null };

describe('the tracking query', () => {
  test('answers the history after asking the carrier', async () => {
    expect(await ask({ found: shipped, history: [node(1)] })).toEqual({ poNumber: 'PO-1', isShipped: true, nodes: [node(1)] });
  });

  test('asks the carrier, and the forecast service, in the trace of the request', async () => {
    await ask({ found: shipped });
    await ask({ elsewhere: { forecastNo: 'FC2', isShipped: false } });
    expect(traces).toEqual([traceOf(1), traceOf(1)]);
  });

  test('says that the carrier is out, even though there is a history', async () => {
    await expect(ask({ found: shipped, history: [node(1)], failure: out })).rejects.toBe(out);
  });

  test('answers the history of a way that has ended when the carrier is out', async () => {
    const history = [node(2, 'Delivery Success'), node(1)];
    expect(await ask({ found: shipped, history, failure: out })).toMatchObject({ nodes: history });
  });

  test('does not hide another failure behind a history', async () => {
    const failure = AppError.unavailable('the store is out');
    await expect(ask({ found: shipped, history: [node(2, 'Delivery Success')], failure })).rejects.toBe(failure);
  });

  test('asks elsewhere for what is unknown or cancelled here', async () => {
    const elsewhere = { forecastNo: 'FC2', isShipped: false };
    expect(await ask({ elsewhere })).toMatchObject({ isShipped: false, nodes: [] });
    expect(await ask({ found: cancelled, elsewhere })).toMatchObject({ isShipped: false });
    expect(await ask({ elsewhere: { ...elsewhere, isShipped: true } })).toMatchObject({ isShipped: true, nodes: [] });
    await expect(ask({})).rejects.toMatchObject({ code: '40401' });
  });

  test('is not behind the owner of the forecast: a dispatch counts before its event arrives here', async () => {
    const elsewhere = { forecastNo: 'FC1', isShipped: true };
    expect(await ask({ found: accepted, elsewhere })).toEqual({ poNumber: 'PO-1', isShipped: true, nodes: [] });
    expect(await ask({ found: accepted, elsewhere: { ...elsewhere, isShipped: false } })).toMatchObject({ isShipped: false });
    expect(traces).toEqual([traceOf(1), traceOf(1)]);
  });

  test('does not call a forecast unshipped while its owner cannot be asked', async () => {
    const outage = AppError.unavailable('the forecast service is out');
    await expect(ask({ found: accepted, outage })).rejects.toBe(outage);
  });

  test('still answers for a cancelled forecast that its owner has deleted', async () => {
    expect(await ask({ found: cancelled })).toEqual({ poNumber: 'PO-1', isShipped: false, nodes: [] });
  });
});
