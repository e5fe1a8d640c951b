import { beforeEach, describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { isoInstant } from '@parcelway/kernel/clock';
import { NOW, node, shipmentOf, TENANT, traceOf } from '../testing/samples.ts';
import type { CarrierNode } from './domain/node.ts';
import type { Shipment } from './domain/shipment.ts';
import { NotNow } from './domain/sources.ts';
import { mergedResponse, nodeResponse, queryTracking, storedTracking, storedTrackings } from './query-tracking.ts';

const three = node(3, 'Delivery Success');

describe('the parcels of a forecast', () => {
  test('without nodes are under way', () => {
    expect(mergedResponse([[], []])).toEqual({ nodes: [], latest_status: '', is_terminal: false });
    expect(mergedResponse([])).toEqual({ nodes: [], latest_status: '', is_terminal: false });
  });

  test('of one instant: the parcel that was dispatched later comes first, and each keeps its order', () => {
    const [first, second, other] = [node(1, 'Picked Up'), node(1, 'In Transit'), node(1, 'Exception')];
    expect(mergedResponse([[second, first], [other]]).nodes).toEqual([other, second, first].map(nodeResponse));
  });

  test('have a final status when each of them has one', () => {
    expect(mergedResponse([[three], [node(2, 'Delivery Failure')]]).is_terminal).toBe(true);
    expect(mergedResponse([[three], []]).is_terminal).toBe(false);
  });
});

const out = new AppError('50001');

/** The traces that what is asked elsewhere belongs to. */
let traces: (string | undefined)[];
beforeEach(() => {
  traces = [];
});

function ask(given: {
  found?: readonly Shipment[];
  history?: CarrierNode[];
  /** Those of several parcels, by number. */
  histories?: Readonly<Record<string, CarrierNode[]>>;
  failure?: Error;
  /** Numbers of the parcels whose source fails; default all. */
  failing?: readonly string[];
}): ReturnType<typeof queryTracking> {
  const deps = {
    shipments: {
      findByPoNumber: async () => given.found ?? [],
      findShipments: async () => given.found ?? [],
      history: async ({ trackingNumber }: Shipment) => given.histories?.[trackingNumber] ?? given.history ?? [],
    },
    refresh: async ({ trackingNumber }: Shipment, _purpose: string, traceparent?: string) => {
      traces.push(traceparent);
      if (given.failure && (given.failing ?? [trackingNumber]).includes(trackingNumber)) throw given.failure;
      return false;
    },
  };
  return queryTracking(deps, TENANT, 'PO-1', traceOf(1));
}
const shipped = [shipmentOf()];

describe('the tracking query', () => {
  test('responds with the history after asking the carrier', async () => {
    const shown = { is_terminal: false, latest_status: 'In Transit', nodes: [nodeResponse(node(1))] };
    const parcel = { carrier_code: 'sim', tracking_number: 'SIM1', dispatched_at: isoInstant(NOW), ...shown };
    const response = { po_number: 'PO-1', is_shipped: true, ...shown, shipments: [parcel] };
    expect(await ask({ found: shipped, history: [node(1)] })).toEqual(response);
  });

  test('says that the carrier is out, even though there is a history', async () => {
    await expect(ask({ found: shipped, history: [node(1)], failure: out })).rejects.toBe(out);
  });

  test('returns the history of a shipment that has ended while the carrier is unavailable', async () => {
    const history = [node(2, 'Delivery Success'), node(1)];
    const ended = [shipmentOf({ publishedStatus: 'Delivery Success' })];
    const response = await ask({ found: ended, history, failure: out });
    expect([response?.nodes, response?.as_of]).toEqual([history.map(nodeResponse), undefined]);
  });

  test('has its age where the source is not asked because of a limit that we keep', async () => {
    const failure = new NotNow(NOW + 1000, 'the rate');
    const asked = [shipmentOf({ askedAt: NOW + 600, reportedAt: NOW + 500, watchedSince: NOW })];
    expect(await ask({ found: asked, history: [node(1)], failure })).toMatchObject({
      nodes: [nodeResponse(node(1))],
      as_of: isoInstant(NOW + 500),
      shipments: [{ as_of: isoInstant(NOW + 500) }],
    });
    // A parcel that no source has reported yet is as old as its watch.
    expect(await ask({ found: shipped, failure })).toMatchObject({ nodes: [], as_of: isoInstant(NOW) });
  });

  test('is what is stored, with its age, where no source serves the carrier any more', async () => {
    const failure = new AppError('50001', 'No tracking source serves the carrier x', { data: { carrier_code: 'x' } });
    const known = [shipmentOf({ publishedStatus: 'In Transit' })];
    expect(await ask({ found: known, history: [node(1)], failure })).toMatchObject({
      nodes: [nodeResponse(node(1))],
      as_of: isoInstant(NOW),
    });
    await expect(ask({ found: shipped, failure })).rejects.toBe(failure);
  });

  test('does not hide another failure behind a history', async () => {
    const failure = AppError.unavailable('the store is out');
    await expect(ask({ found: shipped, history: [node(2, 'Delivery Success')], failure })).rejects.toBe(failure);
  });

  describe('of several parcels', () => {
    const second = shipmentOf({ trackingNumber: 'SIM2', furtherNumber: 'SIM2', watchedSince: NOW + 50 });
    const found = [shipmentOf({ reportedAt: NOW + 7 }), second];
    const histories = { SIM1: [node(3, 'Delivery Success'), node(1)], SIM2: [node(2, 'Picked Up')] };

    test('asks for each of them; the forecast has a final status when all have', async () => {
      const tracking = await ask({ found, histories });
      expect(traces).toHaveLength(2);
      expect(tracking).toMatchObject({ is_terminal: false, latest_status: 'Delivery Success' });
      expect(tracking?.as_of).toBeUndefined();
      expect(tracking?.nodes).toEqual([node(3, 'Delivery Success'), node(2, 'Picked Up'), node(1)].map(nodeResponse));
      expect(tracking?.shipments.map(({ tracking_number, nodes, as_of }) => [tracking_number, nodes, as_of])).toEqual([
        ['SIM1', histories.SIM1.map(nodeResponse), undefined],
        ['SIM2', histories.SIM2.map(nodeResponse), undefined],
      ]);
    });

    test('has what is stored of one whose source is out, with its age, and fails when all are out', async () => {
      const tracking = await ask({ found, histories: { SIM2: histories.SIM2 }, failure: out, failing: ['SIM1'] });
      expect(tracking).toMatchObject({ as_of: isoInstant(NOW + 7), shipments: [{ as_of: isoInstant(NOW + 7) }, {}] });
      expect(tracking?.shipments[1]?.as_of).toBeUndefined();
      await expect(ask({ found, histories: { SIM2: histories.SIM2 }, failure: out })).rejects.toBe(out);
    });
  });

  test('leaves a forecast without a parcel under watch to its owner', async () => {
    expect(await ask({})).toBeUndefined();
    expect(traces).toEqual([]);
  });
});

test('the stored tracking of forecasts has its age, and lacks those without a parcel under watch', async () => {
  const known: Readonly<Record<string, Shipment>> = {
    FC1: shipmentOf({ reportedAt: NOW + 7 }),
    FC2: shipmentOf({ forecastNo: 'FC2', poNumber: 'PO-2', watchedSince: NOW + 3 }),
  };
  const findShipments = async (_tenantId: string, forecastNo: string) => [known[forecastNo] ?? []].flat();
  const shipments = { findByPoNumber: async () => [], findShipments, history: async () => [node(1)] };
  const found = await storedTrackings({ shipments }, TENANT, ['FC0', 'FC1', 'FC2']);
  expect([...found].map(([forecastNo, { po_number, as_of }]) => [forecastNo, po_number, as_of])).toEqual([
    ['FC1', 'PO-1', isoInstant(NOW + 7)],
    ['FC2', 'PO-2', isoInstant(NOW + 3)],
  ]);
  expect(await storedTracking({ shipments }, TENANT, 'FC2')).toMatchObject({ po_number: 'PO-2', nodes: [nodeResponse(node(1))] });
  await expect(storedTracking({ shipments }, TENANT, 'FC0')).rejects.toMatchObject({
    code: '40403',
    message: 'No parcel of the forecast "FC0" is known',
  });
});
