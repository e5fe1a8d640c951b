import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import type { ParcelFact } from './domain/facts.ts';
import type { Shipment } from './domain/shipment.ts';
import type { NodeWish } from './domain/simulated-node.ts';
import { type SimulateOptions, simulateTracking } from './simulate-node.ts';
import { NOW, node, shipmentOf, TENANT } from './testing/samples.ts';

/** Options whose shipment is there at the given look; they count wakes and note what is simulated. */
function setUp(thereAtLook: number, patienceMs?: number) {
  const seen = { looks: 0, wakes: 0, simulated: [] as [Shipment, NodeWish, number][], news: [] as ParcelFact[] };
  const options: SimulateOptions = {
    shipments: {
      async findShipment(tenantId, forecastNo) {
        seen.looks += 1;
        return seen.looks >= thereAtLook ? shipmentOf({ tenantId, forecastNo }) : undefined;
      },
    } as SimulateOptions['shipments'],
    parcels: {
      async addSimulatedNode(shipment, wish, now) {
        seen.simulated.push([shipment as Shipment, wish, now]);
        return node(1);
      },
    } as SimulateOptions['parcels'],
    async record(facts) {
      expect(seen.simulated).toHaveLength(1);
      seen.news.push(...facts);
      return [];
    },
    clock: new ManualClock(NOW),
    wake: () => {
      seen.wakes += 1;
    },
    ...(patienceMs !== undefined && { patienceMs }),
  };
  return { options, seen };
}

const wish = { adminStatus: 'In Transit' } as const;

describe('a simulated node', () => {
  test('is added to the parcel of the forecast, and the carrier is asked at once', async () => {
    const { options, seen } = setUp(1, 0);
    expect(await simulateTracking(options, TENANT, 'FC1', wish)).toEqual(node(1));
    const news = [{ type: 'news', tenantId: TENANT, forecastNo: 'FC1', now: NOW }];
    expect(seen).toEqual({ looks: 1, wakes: 1, simulated: [[shipmentOf(), wish, NOW]], news });
  });

  test('waits for a dispatch that is still on its way', async () => {
    const { options, seen } = setUp(3);
    await simulateTracking(options, TENANT, 'FC1', wish);
    expect(seen).toMatchObject({ looks: 3, wakes: 1 });
  });

  test('is refused when none comes, with what to do', async () => {
    const { options, seen } = setUp(Number.POSITIVE_INFINITY, 0);
    await expect(simulateTracking(options, TENANT, 'FC1', wish)).rejects.toMatchObject({
      code: '40902',
      message: 'The forecast has not been dispatched: simulate the step dispatch first',
    });
    expect(seen).toMatchObject({ looks: 1, wakes: 0, simulated: [], news: [] });
  });

  test.each<[string, Partial<NodeWish>, string]>([
    ['times', { times: '(GMT+15:00)' }, 'times must be a zone from (GMT-12:00) to (GMT+14:00)'],
    ['times', { times: 'UTC', createTime: 'never' }, 'times must be a zone from (GMT-12:00) to (GMT+14:00)'],
    ['create_time', { createTime: '2026-02-30 10:00:00' }, 'create_time must be a real date and time before the year 9999'],
    [
      'create_time',
      { createTime: '9999-01-01 00:00:00', times: '(GMT+00:00)' },
      'create_time must be a real date and time before the year 9999',
    ],
  ])('is refused for a wrong %s before anything is looked up', async (field, given, message) => {
    const { options, seen } = setUp(1, 0);
    await expect(simulateTracking(options, TENANT, 'FC1', { ...wish, ...given })).rejects.toMatchObject({
      code: '42201',
      data: { errors: [{ field, rule: 'format', message }] },
    });
    expect(seen.looks).toBe(0);
  });

  test('may happen in the last second of the year 9998', async () => {
    const { options, seen } = setUp(1, 0);
    await simulateTracking(options, TENANT, 'FC1', { ...wish, createTime: '9998-12-31 23:59:59', times: '(GMT+00:00)' });
    expect(seen.simulated).toHaveLength(1);
  });
});
