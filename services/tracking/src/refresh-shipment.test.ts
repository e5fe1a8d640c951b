import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import type { CarrierNode } from './domain/node.ts';
import type { Shipment } from './domain/shipment.ts';
import type { SourceResponse } from './ports.ts';
import { createRefreshShipment, type RefreshShipment } from './refresh-shipment.ts';
import { NOW, node, shipmentOf, traceOf } from './testing/samples.ts';

/** A refresh over a carrier that responds on demand. */
function setUp() {
  const asked: Shipment[] = [];
  const traces: (string | undefined)[] = [];
  const recorded: (readonly CarrierNode[])[] = [];
  const waiting: { resolve: (response: SourceResponse) => void; reject: (error: Error) => void }[] = [];
  const refresh: RefreshShipment = createRefreshShipment({
    sources: {
      ask(shipment, { traceparent }) {
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
      return facts.map(() => ({ change: undefined, latestStatus: 'In Transit', isChanged: true }));
    },
    clock: new ManualClock(NOW),
  });
  return { refresh, asked, traces, recorded, waiting };
}

describe('refreshing a shipment', () => {
  test('a hundred who ask at once cost one call of the carrier and one write', async () => {
    const { refresh, asked, recorded, waiting } = setUp();
    const all = Promise.all(Array.from({ length: 100 }, () => refresh(shipmentOf(), 'query')));
    waiting[0]?.resolve({ nodes: [node(2), node(1)] });
    expect(new Set(await all)).toEqual(new Set(['In Transit']));
    expect(asked).toHaveLength(1);
    expect(recorded).toEqual([[node(1), node(2)]]);
  });

  test('the carrier is asked, and its response is recorded, in the trace of who asked first', async () => {
    const { refresh, traces, waiting } = setUp();
    const both = [refresh(shipmentOf(), 'query', traceOf(1)), refresh(shipmentOf(), 'query', traceOf(2))];
    waiting[0]?.resolve({ nodes: [node(1)] });
    await Promise.all(both);
    expect(traces).toEqual([traceOf(1), traceOf(1)]);
  });

  test('who asks later, for another parcel, or after news, has the carrier asked again', async () => {
    const { refresh, asked, waiting } = setUp();
    const first = refresh(shipmentOf(), 'query');
    const others = [
      refresh(shipmentOf({ forecastNo: 'FC2' }), 'query'),
      refresh(shipmentOf({ wakes: 1 }), 'query'),
      refresh(shipmentOf({ tenantId: 'tnt_b' }), 'query'),
    ];
    for (const { resolve } of waiting) resolve({ nodes: [] });
    await Promise.all([first, ...others]);
    const later = refresh(shipmentOf(), 'query');
    waiting.at(-1)?.resolve({ nodes: [] });
    await later;
    expect(asked).toHaveLength(5);
  });

  test('a failure reaches all who wait, and is not remembered', async () => {
    const { refresh, asked, waiting } = setUp();
    const both = [refresh(shipmentOf(), 'query'), refresh(shipmentOf(), 'query')];
    waiting[0]?.reject(new Error('the carrier is out'));
    for (const outcome of await Promise.allSettled(both)) expect(outcome.status).toBe('rejected');
    const again = refresh(shipmentOf(), 'query');
    waiting[1]?.resolve({ nodes: [node(1)] });
    await expect(again).resolves.toBe('In Transit');
    expect(asked).toHaveLength(2);
  });
});
