import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import type { CarrierNode } from './domain/node.ts';
import type { Shipment } from './domain/shipment.ts';
import { createRefreshShipment, type RefreshShipment } from './refresh-shipment.ts';
import { NOW, node, shipmentOf, traceOf } from './testing/samples.ts';

/** A refresh over a carrier that responds on demand. */
function setUp() {
  const asked: Shipment[] = [];
  const traces: (string | undefined)[] = [];
  const recorded: (readonly CarrierNode[])[] = [];
  const waiting: { resolve: (nodes: CarrierNode[]) => void; reject: (error: Error) => void }[] = [];
  const refresh: RefreshShipment = createRefreshShipment({
    carriers: {
      track(shipment, traceparent) {
        asked.push(shipment);
        traces.push(traceparent);
        return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
      },
    },
    async record(facts) {
      for (const fact of facts) {
        if (fact.type !== 'response') throw new Error(`A refresh recorded ${fact.type}`);
        traces.push(fact.traceparent);
        recorded.push(fact.nodes.map((given) => given.node));
      }
      return facts.map(() => ({ change: undefined, latestStatus: 'In Transit' }));
    },
    clock: new ManualClock(NOW),
  });
  return { refresh, asked, traces, recorded, waiting };
}

describe('refreshing a shipment', () => {
  test('a hundred who ask at once cost one call of the carrier and one write', async () => {
    const { refresh, asked, recorded, waiting } = setUp();
    const all = Promise.all(Array.from({ length: 100 }, () => refresh(shipmentOf())));
    waiting[0]?.resolve([node(2), node(1)]);
    expect(new Set(await all)).toEqual(new Set(['In Transit']));
    expect(asked).toHaveLength(1);
    expect(recorded).toEqual([[node(1), node(2)]]);
  });

  test('the carrier is asked, and its response is recorded, in the trace of who asked first', async () => {
    const { refresh, traces, waiting } = setUp();
    const both = [refresh(shipmentOf(), traceOf(1)), refresh(shipmentOf(), traceOf(2))];
    waiting[0]?.resolve([node(1)]);
    await Promise.all(both);
    expect(traces).toEqual([traceOf(1), traceOf(1)]);
  });

  test('who asks later, for another parcel, or after news, has the carrier asked again', async () => {
    const { refresh, asked, waiting } = setUp();
    const first = refresh(shipmentOf());
    const others = [
      refresh(shipmentOf({ forecastNo: 'FC2' })),
      refresh(shipmentOf({ wakes: 1 })),
      refresh(shipmentOf({ tenantId: 'tnt_b' })),
    ];
    for (const { resolve } of waiting) resolve([]);
    await Promise.all([first, ...others]);
    const later = refresh(shipmentOf());
    waiting.at(-1)?.resolve([]);
    await later;
    expect(asked).toHaveLength(5);
  });

  test('a failure reaches all who wait, and is not remembered', async () => {
    const { refresh, asked, waiting } = setUp();
    const both = [refresh(shipmentOf()), refresh(shipmentOf())];
    waiting[0]?.reject(new Error('the carrier is out'));
    for (const outcome of await Promise.allSettled(both)) expect(outcome.status).toBe('rejected');
    const again = refresh(shipmentOf());
    waiting[1]?.resolve([node(1)]);
    await expect(again).resolves.toBe('In Transit');
    expect(asked).toHaveLength(2);
  });
});
