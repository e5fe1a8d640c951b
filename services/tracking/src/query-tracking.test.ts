import { beforeEach, describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import type { CarrierNode } from './domain/node.ts';
import { NotNow } from './domain/not-now.ts';
import type { Shipment } from './domain/shipment.ts';
import type { FoundForecast } from './ports.ts';
import { queryTracking, type Tracking } from './query-tracking.ts';
import { NOW, node, shipmentOf, TENANT, traceOf } from './testing/samples.ts';

const out = new AppError('50001');

/** The traces that what is asked elsewhere belongs to. */
let traces: (string | undefined)[];
beforeEach(() => {
  traces = [];
});

function ask(given: { found?: FoundForecast; history?: CarrierNode[]; failure?: Error }): Promise<Tracking | undefined> {
  const deps = {
    shipments: {
      findByPoNumber: async () => given.found,
      findShipment: async () => given.found?.shipment ?? undefined,
      history: async () => given.history ?? [],
    },
    refresh: async (_shipment: Shipment, _purpose: string, traceparent?: string) => {
      traces.push(traceparent);
      if (given.failure) throw given.failure;
      return false;
    },
  };
  return queryTracking(deps, TENANT, 'PO-1', traceOf(1));
}
const shipped = { forecastNo: 'FC1', isCancelled: false, shipment: shipmentOf() };
const accepted = { forecastNo: 'FC1', isCancelled: false, shipment: null };
const cancelled = { forecastNo: 'FC1', isCancelled: true, shipment: null };

describe('the tracking query', () => {
  test('responds with the history after asking the carrier', async () => {
    expect(await ask({ found: shipped, history: [node(1)] })).toEqual({ poNumber: 'PO-1', isShipped: true, nodes: [node(1)], asOf: null });
  });

  test('asks the carrier in the trace of the request', async () => {
    await ask({ found: shipped });
    expect(traces).toEqual([traceOf(1)]);
  });

  test('says that the carrier is out, even though there is a history', async () => {
    await expect(ask({ found: shipped, history: [node(1)], failure: out })).rejects.toBe(out);
  });

  test('returns the history of a shipment that has ended while the carrier is unavailable', async () => {
    const history = [node(2, 'Delivery Success'), node(1)];
    expect(await ask({ found: shipped, history, failure: out })).toMatchObject({ nodes: history });
  });

  test('has its age where the source is not asked because of a limit that we keep', async () => {
    const failure = new NotNow(NOW + 1000, 'the rate');
    const asked = { ...shipped, shipment: shipmentOf({ askedAt: NOW + 500, watchedSince: NOW }) };
    expect(await ask({ found: asked, history: [node(1)], failure })).toEqual({
      poNumber: 'PO-1',
      isShipped: true,
      nodes: [node(1)],
      asOf: NOW + 500,
    });
    // A parcel that no source has reported yet is as old as its watch.
    expect(await ask({ found: shipped, failure })).toMatchObject({ nodes: [], asOf: NOW });
  });

  test('is what is stored, with its age, where no source serves the carrier any more', async () => {
    const failure = new AppError('50001', 'No tracking source serves the carrier x', { data: { carrier_code: 'x' } });
    expect(await ask({ found: shipped, history: [node(1)], failure })).toMatchObject({ nodes: [node(1)], asOf: NOW });
    await expect(ask({ found: shipped, failure })).rejects.toBe(failure);
  });

  test('does not hide another failure behind a history', async () => {
    const failure = AppError.unavailable('the store is out');
    await expect(ask({ found: shipped, history: [node(2, 'Delivery Success')], failure })).rejects.toBe(failure);
  });

  test.each([
    ['unknown', undefined],
    ['accepted', accepted],
    ['cancelled', cancelled],
  ])('leaves an %s forecast to its owner', async (_state, found) => {
    expect(await ask(found === undefined ? {} : { found })).toBeUndefined();
    expect(traces).toEqual([]);
  });
});
