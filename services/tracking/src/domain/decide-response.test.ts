import { describe, expect, test } from '@jest/globals';
import { after, decideOn, dispatched, news, redispatched, response } from '../testing/facts.ts';
import { NOW, node, shipmentOf, traceOf } from '../testing/samples.ts';
import type { ParcelFact, SourceReport } from './facts.ts';

describe('a response of a carrier', () => {
  const watched = after(dispatched);
  const carrierResponse = { type: 'response', shipment: shipmentOf(), nodes: [] } as const;

  test('whose newest node has another status is a change, published with the parcel', () => {
    const { writes, outcomes } = decideOn(watched, response([node(1, 'Picked Up'), node(2, 'In Transit')]));
    expect(outcomes).toEqual([
      {
        change: { previous: '', current: 'In Transit', isTerminal: false },
        latestStatus: 'In Transit',
        isChanged: true,
        hasNewNodes: true,
      },
    ]);
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
    expect(outcomes).toEqual([{ change: undefined, latestStatus: 'In Transit', isChanged: true, hasNewNodes: true }]);
    expect(writes[0]).toMatchObject({ messages: [], added: [{ seq: 2 }] });
  });

  test('without new nodes, for a former parcel, or for an unknown one writes nothing', () => {
    expect(decideOn(after(dispatched, response([node(1)])), response([node(1)]))).toEqual({
      writes: [],
      outcomes: [{ change: undefined, latestStatus: 'In Transit', isChanged: false }],
    });
    expect(decideOn(after(dispatched, redispatched), response([node(1)])).writes).toEqual([]);
    expect(decideOn(undefined, response([node(1)]))).toEqual({
      writes: [],
      outcomes: [{ change: undefined, latestStatus: '', isChanged: false }],
    });
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

  test('keeps a registration until the source has lost it', () => {
    const registration = { connectionId: 'con_a', reference: 'r', at: NOW, isTaken: true };
    const reported = (report: SourceReport, now: number): ParcelFact => ({ ...carrierResponse, now, report });
    const registered = after(dispatched, reported({ undated: [], registration }, NOW + 10));
    expect(registered.shipment).toMatchObject({ registration, askedAt: NOW + 10 });
    const later = (report: SourceReport) => decideOn(registered, reported(report, NOW + 20)).writes[0]?.after.shipment;
    expect(later({ undated: [] })).toMatchObject({ registration, askedAt: NOW + 20 });
    expect(later({ undated: [], registration: null })).toMatchObject({ registration: null, askedAt: NOW + 20 });
  });
});
