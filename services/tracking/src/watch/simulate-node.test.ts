import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { NOW, node, shipmentOf, TENANT } from '../testing/samples.ts';
import type { ParcelFact } from './domain/facts.ts';
import type { Shipment } from './domain/shipment.ts';
import type { NodeWish } from './domain/simulated-node.ts';
import { type SimulateOptions, simulateTracking } from './simulate-node.ts';

/** Options whose shipment is there at the given look; they count wakes and note what is simulated. */
function setUp(thereAtLook: number, patienceMs?: number, parcels: readonly Partial<Shipment>[] = [{}]) {
  const seen = { looks: 0, wakes: 0, simulated: [] as [Shipment, NodeWish, number][], news: [] as ParcelFact[] };
  const options: SimulateOptions = {
    shipments: {
      async findShipments(tenantId, forecastNo) {
        seen.looks += 1;
        return seen.looks >= thereAtLook ? parcels.map((given) => shipmentOf({ tenantId, forecastNo, ...given })) : [];
      },
    },
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
const PARCEL = { tenantId: TENANT, forecastNo: 'FC1', trackingNumber: undefined };

describe('a simulated node', () => {
  test('is added to the parcel of the forecast, and the carrier is asked at once', async () => {
    const { options, seen } = setUp(1, 0);
    expect(await simulateTracking(options, PARCEL, wish)).toEqual(node(1));
    const news = [{ type: 'news', tenantId: TENANT, forecastNo: 'FC1', furtherNumber: '', now: NOW }];
    expect(seen).toEqual({ looks: 1, wakes: 1, simulated: [[shipmentOf(), wish, NOW]], news });
  });

  test('waits for a dispatch that is still on its way', async () => {
    const { options, seen } = setUp(3);
    await simulateTracking(options, PARCEL, wish);
    expect(seen).toMatchObject({ looks: 3, wakes: 1 });
  });

  test('is added to the parcel that was dispatched last, or to the one that is named', async () => {
    const several = [{}, { trackingNumber: 'SIM2', furtherNumber: 'SIM2' }];
    const { options, seen } = setUp(1, 0, several);
    await simulateTracking(options, { ...PARCEL, trackingNumber: 'sim1' }, wish);
    expect(seen).toMatchObject({ simulated: [[{ trackingNumber: 'SIM1' }, wish, NOW]], news: [{ furtherNumber: '' }] });
    const last = setUp(1, 0, several);
    await simulateTracking(last.options, PARCEL, wish);
    expect(last.seen).toMatchObject({ simulated: [[{ trackingNumber: 'SIM2' }, wish, NOW]], news: [{ furtherNumber: 'SIM2' }] });
    await expect(simulateTracking(last.options, { ...PARCEL, trackingNumber: 'SIM9' }, wish)).rejects.toMatchObject({
      code: '40902',
      message: 'No parcel of the forecast was dispatched under the number "SIM9": simulate the step dispatch with it first',
    });
  });

  test('is refused when none comes, with what to do', async () => {
    const { options, seen } = setUp(Number.POSITIVE_INFINITY, 0);
    await expect(simulateTracking(options, PARCEL, wish)).rejects.toMatchObject({
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
    await expect(simulateTracking(options, PARCEL, { ...wish, ...given })).rejects.toMatchObject({
      code: '42201',
      data: { errors: [{ field, rule: 'format', message }] },
    });
    expect(seen.looks).toBe(0);
  });
});
