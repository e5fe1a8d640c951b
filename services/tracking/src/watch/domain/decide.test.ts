import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { after, decideOn, dispatched, news, redispatched, rescheduled, response } from '../../testing/facts.ts';
import { dispatchOf, NOW, node, shipmentOf, traceOf } from '../../testing/samples.ts';
import type { ParcelFact, Question, SourceReport } from './facts.ts';
import type { Parcel, Registration } from './shipment.ts';

describe('a response of a carrier', () => {
  const watched = after(dispatched);
  const carrierResponse = { type: 'response', shipment: shipmentOf(), nodes: [] } as const;

  test('whose newest node has another status is a change, published with the parcel', () => {
    const { writes, outcomes } = decideOn(watched, response([node(1, 'Picked Up'), node(2, 'In Transit')]));
    expect(outcomes).toEqual([{ isChanged: true, hasNewNodes: true }]);
    const data = { previous_admin_status: '', admin_status: 'In Transit', is_terminal: false };
    const source = '/services/tracking';
    expect(writes[0]?.messages).toMatchObject([{ type: 'tracking.changed', source, subject: 'FC1', traceparent: traceOf(1), data }]);
    expect(writes[0]?.after.nodes?.map(({ adminStatus, seq }) => [adminStatus, seq])).toEqual([
      ['Picked Up', 1],
      ['In Transit', 2],
    ]);
    expect(writes[0]?.after.shipment).toMatchObject({ lastChangeAt: NOW + 10, nextPollAt: NOW, wakes: 0 });
  });

  test('with older nodes only adds them', () => {
    const { writes, outcomes } = decideOn(after(dispatched, response([node(9)])), response([node(1, 'Exception')]));
    expect(outcomes).toEqual([{ isChanged: true, hasNewNodes: true }]);
    expect(writes[0]).toMatchObject({ messages: [], after: { nodes: [{ seq: 2 }, { seq: 1 }] } });
  });

  test('without new nodes, for a former parcel, or for an unknown one writes nothing', () => {
    const known = after(dispatched, response([node(1)]));
    for (const parcel of [known, after(dispatched, redispatched), undefined])
      expect(decideOn(parcel, response([node(1)]))).toEqual({ writes: [], outcomes: [{ isChanged: false }] });
    // The first parcel of the forecast has gone, and another one is in its place.
    const gone = { trackingNumber: 'SIM9' };
    expect(decideOn(known, response([node(2)], gone), rescheduled(null, gone)).writes).toEqual([]);
  });

  test('with a final status ends the watch, unless there was news meanwhile', () => {
    const final = response([node(1, 'Delivery Success')]);
    const { writes, outcomes } = decideOn(watched, final);
    expect(writes[0]?.after.shipment?.nextPollAt).toBeNull();
    expect(outcomes).toEqual([{ isChanged: true, hasNewNodes: true }]);
    expect(decideOn(watched, news, final).writes[0]?.after.shipment?.nextPollAt).toBe(NOW + 3);
    // A source with a call limit may still correct the final status.
    const limited = { ...final, report: {} } as ParcelFact;
    expect(decideOn(watched, limited).writes[0]?.after.shipment?.nextPollAt).toBe(NOW + 10 + 86_400_000);
  });

  test('that corrects a final status resumes the watch at once', () => {
    const [write] = decideOn(after(dispatched, response([node(1, 'Delivery Failure')])), response([node(2)])).writes;
    expect(write?.after.shipment).toMatchObject({ nextPollAt: NOW + 10, wakes: 1 });
    expect(write?.messages).toMatchObject([{ data: { previous_admin_status: 'Delivery Failure', admin_status: 'In Transit' } }]);
  });

  const registration = { connectionId: 'con_a', reference: 'r', at: NOW, isTaken: true };
  const reported = (report: SourceReport, now: number): ParcelFact => ({ ...carrierResponse, now, report });
  const registered = after(dispatched, reported({ registration }, NOW + 10));

  test('keeps a registration until the source has lost it', () => {
    expect(registered.shipment).toMatchObject({ registration, askedAt: NOW + 10 });
    const later = (report: SourceReport) => decideOn(registered, reported(report, NOW + 20)).writes[0]?.after.shipment;
    expect(later({})).toMatchObject({ registration, askedAt: NOW + 20, reportedAt: NOW + 20 });
    expect(later({ registration: null })).toMatchObject({ registration: null, askedAt: NOW + 20 });
  });

  test.each<Partial<Registration> | null>([{ connectionId: 'con_b' }, { reference: null }, { isTaken: false }, { at: NOW + 1 }, null])(
    'that is late counts for what is new in its registration (%j), and for no time',
    (change) => {
      const renewed = change && { ...registration, ...change };
      const [write] = decideOn(registered, reported({ registration: renewed }, NOW + 5)).writes;
      expect(write?.after.shipment).toEqual({ ...registered.shipment, registration: renewed });
    },
  );

  test('that says nothing new of the registration writes nothing at the same time', () => {
    expect(decideOn(registered, reported({ registration }, NOW + 10)).writes).toEqual([]);
    const unregistered = after(dispatched, reported({}, NOW + 10));
    expect(decideOn(unregistered, reported({}, NOW + 10), reported({ registration: null }, NOW + 9)).writes).toEqual([]);
  });

  test('may follow a registration, which is kept for the parcel that was registered, and for no other', () => {
    const fact = (given: Parameters<typeof shipmentOf>[0] = {}): ParcelFact => ({
      type: 'registered',
      shipment: shipmentOf(given),
      registration,
    });
    expect(decideOn(watched, fact()).writes[0]?.after.shipment).toEqual({ ...watched.shipment, registration });
    expect(decideOn(watched, fact({ trackingNumber: 'SIM9' }), fact({ watch: 2 })).writes).toEqual([]);
    expect(decideOn(undefined, fact())).toEqual({ writes: [], outcomes: [{ isChanged: false }] });
  });
});

test('a question is noted unless the last one was less than the gap ago, or it was about a former parcel', () => {
  const question = (now: number, given: Parameters<typeof shipmentOf>[0] = {}, isRefused?: Question['isRefused']): ParcelFact => ({
    type: 'asked',
    shipment: shipmentOf(given),
    now,
    gapMs: 100,
    isRefused,
  });
  const known = after(dispatched, question(NOW));
  expect(known.shipment).toEqual({ ...after(dispatched).shipment, askedAt: NOW });
  const vain = [question(NOW + 99), question(NOW + 100, { trackingNumber: 'SIM9' }), question(NOW + 100, { watch: 2 })];
  expect(decideOn(known, ...vain)).toEqual({ writes: [], outcomes: vain.map(() => ({ isChanged: false })) });
  const shipmentAfter = (fact: ParcelFact) => decideOn(known, fact).writes[0]?.after.shipment;
  expect(shipmentAfter(question(NOW + 100))).toEqual({ ...known.shipment, askedAt: NOW + 100 });
  expect(shipmentAfter(question(NOW + 100, {}, true))).toEqual({ ...known.shipment, askedAt: NOW + 100, reportedAt: NOW + 100 });
});

describe('a batch', () => {
  const facts = [dispatched, response([node(1)]), response([node(2, 'Delivery Success')]), rescheduled(null), redispatched];

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
    const other: ParcelFact = { type: 'dispatched', ...dispatchOf({ forecastNo: 'FC2' }) };
    const { writes, outcomes } = decideOn(undefined, dispatched, other, redispatched, other);
    expect(writes.map(({ after: { forecastNo } }) => forecastNo)).toEqual(['FC1', 'FC2']);
    expect(outcomes).toHaveLength(4);
  });
});

describe('a poll', () => {
  test('gives the shipment back with its next time and its failures', () => {
    const [write] = decideOn(after(dispatched), rescheduled(NOW + 500, {}, 3)).writes;
    expect(write).toMatchObject({ isLeaseEnded: true, after: { shipment: { nextPollAt: NOW + 500, failures: 3 } } });
    const { writes, outcomes } = decideOn(after(dispatched), rescheduled(null));
    expect([writes[0]?.after.shipment?.nextPollAt, outcomes]).toEqual([null, [{ isChanged: true, endsWatch: true }]]);
  });

  test('begun before news leaves the shipment due', () => {
    const [write, ...others] = decideOn(after(dispatched), news, rescheduled(NOW + 500)).writes;
    expect(write).toMatchObject({ isLeaseEnded: true, after: { shipment: { nextPollAt: NOW + 3, wakes: 1 } } });
    expect(others).toEqual([]);
  });
});
