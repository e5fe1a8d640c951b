import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { until } from '@parcelway/kernel/testing/until';
import { after, dispatched } from '../testing/facts.ts';
import { NOW, node, shipmentOf, traceOf } from '../testing/samples.ts';
import { decide } from './domain/decide.ts';
import type { CarrierNode } from './domain/node.ts';
import type { Shipment } from './domain/shipment.ts';
import { type AskOptions, NotNow, type SourceResponse } from './domain/sources.ts';
import { createRefreshShipment, type RefreshShipment } from './refresh-shipment.ts';
import type { RecordFacts } from './tracking-store.ts';

test('a source learns that its response had news, once for each response that had some', async () => {
  let parcel = after(dispatched);
  const record: RecordFacts = async (facts) => {
    const { writes, outcomes } = decide(facts, () => parcel, 'sandbox');
    parcel = writes[0]?.after ?? parcel;
    return outcomes;
  };
  let news = 0;
  let nodes = [node(1)];
  const onNews = (): void => {
    news += 1;
  };
  const refresh = createRefreshShipment({ sources: { ask: async () => ({ nodes, onNews }) }, record, clock: new ManualClock(NOW) });
  await refresh(shipmentOf(), 'poll');
  expect(news).toBe(1);
  await refresh(shipmentOf(), 'poll');
  expect(news).toBe(1);
  nodes = [node(2), node(1)];
  await refresh(shipmentOf(), 'poll');
  expect(news).toBe(2);
});

/** A refresh over a carrier that responds on demand. */
function setUp() {
  const asked: Shipment[] = [];
  const traces: (string | undefined)[] = [];
  const recorded: (readonly CarrierNode[])[] = [];
  const purposes: AskOptions['purpose'][] = [];
  const batches: (readonly string[])[] = [];
  const waiting: { resolve: (response: SourceResponse) => void; reject: (error: Error) => void }[] = [];
  const refresh: RefreshShipment = createRefreshShipment({
    sources: {
      ask(shipment, given) {
        asked.push(shipment);
        traces.push(given.traceparent);
        purposes.push(given.purpose);
        return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
      },
    },
    async record(facts) {
      for (const fact of facts) {
        if (fact.type !== 'response') continue;
        traces.push(fact.traceparent);
        recorded.push(fact.nodes.map(({ digest: _digest, instant: _instant, ...given }) => given));
      }
      batches.push(facts.map(({ type }) => type));
      return facts.map(() => ({ isChanged: true }));
    },
    clock: new ManualClock(NOW),
  });
  return { refresh, asked, traces, purposes, recorded, batches, waiting };
}

describe('refreshing a shipment', () => {
  test('a hundred who ask at once cost one call of the carrier and one write', async () => {
    const { refresh, asked, recorded, waiting } = setUp();
    const all = Promise.all(Array.from({ length: 100 }, () => refresh(shipmentOf(), 'query')));
    waiting[0]?.resolve({ nodes: [node(2), node(1)] });
    await all;
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
    await again;
    expect(asked).toHaveLength(2);
  });

  test('a query that finds a poll which is not made now asks for itself; one poll more has the same refusal', async () => {
    const { refresh, asked, purposes, waiting } = setUp();
    const notNow = new NotNow(NOW + 1, 'the vendor pushes');
    const polls = [refresh(shipmentOf(), 'poll'), refresh(shipmentOf(), 'poll')];
    const queries = [refresh(shipmentOf(), 'query'), refresh(shipmentOf(), 'query')];
    waiting[0]?.reject(notNow);
    for (const poll of polls) await expect(poll).rejects.toBe(notNow);
    await until(() => waiting.length === 2, { what: 'the question of the query' });
    waiting[1]?.resolve({ nodes: [node(1)] });
    expect(await Promise.all(queries)).toEqual([false, false]);
    expect(purposes).toEqual(['poll', 'query']);
    expect(asked).toHaveLength(2);
  });

  test('a query that finds a poll gets its response or its failure, and one that is refused itself says so', async () => {
    const { refresh, purposes, waiting } = setUp();
    const good = [refresh(shipmentOf(), 'poll'), refresh(shipmentOf(), 'query')];
    waiting[0]?.resolve({ nodes: [node(1)] });
    expect(await Promise.all(good)).toEqual([false, false]);
    const out = new AppError('50001');
    const bad = [refresh(shipmentOf(), 'poll'), refresh(shipmentOf(), 'query')];
    waiting[1]?.reject(out);
    for (const one of bad) await expect(one).rejects.toBe(out);
    const refused = refresh(shipmentOf(), 'query');
    waiting[2]?.reject(new NotNow(NOW + 1, 'the rate'));
    await expect(refused).rejects.toMatchObject({ name: 'NotNow' });
    expect(purposes).toEqual(['poll', 'poll', 'query']);
  });

  test('a poll ends in the write of its response; one that joins a query ends in a write of its own', async () => {
    const { refresh, asked, batches, waiting } = setUp();
    const endPoll = () => ({ type: 'rescheduled', shipment: shipmentOf(), nextPollAt: NOW + 1, failures: 0, now: NOW }) as const;
    const poll = refresh(shipmentOf(), 'poll', undefined, endPoll);
    waiting[0]?.resolve({ nodes: [node(1)] });
    await poll;
    expect(batches).toEqual([['response', 'rescheduled']]);
    const both = [refresh(shipmentOf(), 'query'), refresh(shipmentOf(), 'poll', undefined, endPoll)];
    waiting[1]?.resolve({ nodes: [node(1)] });
    await Promise.all(both);
    expect(asked).toHaveLength(2);
    expect(batches.slice(1)).toEqual([['response'], ['rescheduled']]);
  });
});
