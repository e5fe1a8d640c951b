import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { acceptedForecast, dispatchOf, NOW, node, shipmentOf, TENANT, traceOf } from '../testing/samples.ts';
import { type Decision, decide } from './decide.ts';
import type { ParcelFact } from './facts.ts';
import { digestNodes } from './history.ts';
import type { Parcel } from './parcel.ts';

const accepted: ParcelFact = { type: 'accepted', ...acceptedForecast() };
const cancelled: ParcelFact = { type: 'cancelled', tenantId: TENANT, forecastNo: 'FC1', poNumber: 'PO-1', at: NOW + 1 };
const dispatched: ParcelFact = { type: 'dispatched', ...dispatchOf() };
const redispatched: ParcelFact = { type: 'dispatched', ...dispatchOf({ trackingNumber: 'SIM2', sequence: '2027', at: NOW + 2 }) };
const news: ParcelFact = { type: 'news', tenantId: TENANT, forecastNo: 'FC1', now: NOW + 3 };
const response = (nodes: Parameters<typeof digestNodes>[0], given: Parameters<typeof shipmentOf>[0] = {}, now = NOW + 10): ParcelFact => ({
  type: 'response',
  shipment: shipmentOf(given),
  nodes: digestNodes(nodes),
  now,
  traceparent: traceOf(1),
});
const rescheduled = (nextPollAt: number | null, given: Parameters<typeof shipmentOf>[0] = {}, failures = 0): ParcelFact => ({
  type: 'rescheduled',
  shipment: shipmentOf(given),
  nextPollAt,
  failures,
});

const decideOn = (parcel: Parcel | undefined, ...facts: ParcelFact[]): Decision => decide(facts, () => parcel, 'sandbox');
/** The parcel after facts, as a store gives it: nodes without their text. */
function after(...facts: ParcelFact[]): Parcel {
  const { writes } = decideOn(undefined, ...facts);
  const parcel = writes[0]?.after as Parcel;
  const entries = parcel.history.entries.map(({ seq, digest, instant }) => ({ seq, digest, instant }));
  return { ...parcel, history: { ...parcel.history, entries } };
}

describe('a forecast', () => {
  test('is known by its acceptance, cancellation or dispatch, whichever arrives first', () => {
    const { forecast } = after(cancelled, accepted);
    expect(forecast).toEqual({
      tenantId: TENANT,
      forecastNo: 'FC1',
      poNumber: 'PO-1',
      forecastId: 1,
      acceptedAt: NOW,
      cancelledAt: NOW + 1,
    });
    expect(after(accepted, cancelled).forecast).toEqual(forecast);
    expect(after(dispatched).forecast).toMatchObject({ forecastId: 0, acceptedAt: NOW, cancelledAt: null });
  });

  test('keeps the time of its first cancellation', () => {
    expect(decideOn(after(cancelled), { ...cancelled, at: NOW + 9 }).writes).toEqual([]);
  });
});

describe('a dispatch', () => {
  test('puts the parcel under watch, due at once', () => {
    expect(after(accepted, dispatched).shipment).toEqual({
      ...shipmentOf(),
      sequence: dispatchOf().sequence,
      lastChangeAt: NOW,
      nextPollAt: NOW,
    });
  });

  test('of another parcel replaces the one under watch and its history, and keeps the status published last', () => {
    const [write] = decideOn(after(dispatched, response([node(1)])), redispatched).writes;
    expect(write).toMatchObject({ isHistoryReplaced: true, isLeaseEnded: true, added: [], dropped: [] });
    expect(write?.after.shipment).toMatchObject({
      trackingNumber: 'SIM2',
      watch: 2,
      wakes: 1,
      publishedStatus: 'In Transit',
      nextPollAt: NOW + 2,
    });
  });

  test('that is older than the one known changes nothing; a later one of the same parcel only its place', () => {
    expect(decideOn(after(redispatched), dispatched).writes).toEqual([]);
    const [write] = decideOn(after(dispatched), { ...dispatched, sequence: '2027', at: NOW + 9 } as ParcelFact).writes;
    expect(write?.after.shipment).toEqual({ ...after(dispatched).shipment, sequence: '2027' });
    expect(write?.isLeaseEnded).toBe(false);
  });
});

describe('a response of a carrier', () => {
  const watched = after(dispatched);

  test('whose newest node has another status is a change, published with the parcel', () => {
    const { writes, outcomes } = decideOn(watched, response([node(1, 'Picked Up'), node(2, 'In Transit')]));
    expect(outcomes).toEqual([{ change: { previous: '', current: 'In Transit', isTerminal: false }, latestStatus: 'In Transit' }]);
    expect(writes[0]?.messages).toMatchObject([
      { type: 'tracking.changed', traceparent: traceOf(1), data: { admin_status: 'In Transit' } },
    ]);
    expect(writes[0]?.added.map(({ node: { adminStatus }, seq }) => [adminStatus, seq])).toEqual([
      ['Picked Up', 1],
      ['In Transit', 2],
    ]);
    expect(writes[0]?.after.shipment).toMatchObject({ lastChangeAt: NOW + 10, nextPollAt: NOW, wakes: 0 });
  });

  test('with older nodes only adds them', () => {
    const { writes, outcomes } = decideOn(after(dispatched, response([node(9)])), response([node(1, 'Exception')]));
    expect(outcomes).toEqual([{ change: undefined, latestStatus: 'In Transit' }]);
    expect(writes[0]).toMatchObject({ messages: [], added: [{ seq: 2 }] });
  });

  test('without new nodes, for a former parcel, or for an unknown one writes nothing', () => {
    expect(decideOn(after(dispatched, response([node(1)])), response([node(1)]))).toEqual({
      writes: [],
      outcomes: [{ change: undefined, latestStatus: 'In Transit' }],
    });
    expect(decideOn(after(dispatched, redispatched), response([node(1)])).writes).toEqual([]);
    expect(decideOn(undefined, response([node(1)]))).toEqual({ writes: [], outcomes: [{ change: undefined, latestStatus: '' }] });
  });

  test('with a final status ends the watch, unless there was news meanwhile', () => {
    const final = response([node(1, 'Delivery Success')]);
    expect(decideOn(watched, final).writes[0]?.after.shipment?.nextPollAt).toBeNull();
    expect(decideOn(watched, news, final).writes[0]?.after.shipment?.nextPollAt).toBe(NOW + 3);
  });

  test('that corrects a final status resumes the watch at once', () => {
    const [write] = decideOn(after(dispatched, response([node(1, 'Delivery Failure')])), response([node(2)])).writes;
    expect(write?.after.shipment).toMatchObject({ nextPollAt: NOW + 10, wakes: 1 });
    expect(write?.messages).toMatchObject([{ data: { previous_admin_status: 'Delivery Failure', admin_status: 'In Transit' } }]);
  });
});

describe('a poll', () => {
  test('gives the shipment back with its next time and its failures', () => {
    const [write] = decideOn(after(dispatched), rescheduled(NOW + 500, {}, 3)).writes;
    expect(write).toMatchObject({ isLeaseEnded: true, after: { shipment: { nextPollAt: NOW + 500, failures: 3 } } });
    expect(decideOn(after(dispatched), rescheduled(null)).writes[0]?.after.shipment?.nextPollAt).toBeNull();
  });

  test('begun before news leaves the shipment due', () => {
    const [write, ...others] = decideOn(after(dispatched), news, rescheduled(NOW + 500)).writes;
    expect(write).toMatchObject({ isLeaseEnded: true, after: { shipment: { nextPollAt: NOW + 3, wakes: 1 } } });
    expect(others).toEqual([]);
  });
});

describe('a batch', () => {
  const facts = [
    accepted,
    dispatched,
    response([node(1)]),
    response([node(2, 'Delivery Success')]),
    rescheduled(null),
    redispatched,
    cancelled,
  ];

  test('comes to the same as its facts one by one, however it is cut', () => {
    const run = (sizes: readonly number[]) => {
      let parcel: Parcel | undefined;
      const messages: unknown[] = [];
      let rest: readonly ParcelFact[] = facts;
      for (const size of [...sizes, facts.length]) {
        const { writes } = decideOn(parcel, ...rest.slice(0, size));
        rest = rest.slice(size);
        parcel = writes[0]?.after ?? parcel;
        messages.push(...(writes[0]?.messages ?? []).map(({ data }) => data));
      }
      return { parcel, messages };
    };
    const whole = run([]);
    expect(whole.messages).toHaveLength(2);
    fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 7 }), (sizes) => expect(run(sizes)).toEqual(whole)));
  });

  test('decided again on what it has made writes nothing', () => {
    expect(decideOn(after(...facts), ...facts).writes).toEqual([]);
  });

  test('writes each parcel once, and has one outcome for each fact', () => {
    const other: ParcelFact = { type: 'accepted', ...acceptedForecast({ forecastNo: 'FC2' }) };
    const { writes, outcomes } = decideOn(undefined, accepted, other, dispatched, other);
    expect(writes.map(({ after: { forecast } }) => forecast.forecastNo)).toEqual(['FC1', 'FC2']);
    expect(outcomes).toHaveLength(4);
  });
});
