import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { MAX_NODES } from '../../domain/node.ts';
import { adminStatusOfYunExpress, translateYunExpress, yunExpressNodes } from './translation.ts';

const parcel = { trackingNumber: 'YT2630600700100017', dispatchedAt: Date.parse('2026-11-01T00:00:00Z') };

/** The `result` of a recorded query. */
function resultOf(name: string): unknown[] {
  const response = JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8')) as { result: unknown[] };
  return response.result;
}

function ofEvents(...events: unknown[]) {
  return translateYunExpress({ waybill_number: parcel.trackingNumber, track_events: events }, parcel);
}

const dated = { process_time: '2026-11-05T16:00:00', process_utc_time: '2026-11-05T08:00:00', process_content: 'x' };

describe('the column of YunExpress, cell by cell', () => {
  test.each([
    ['Info Received', 'ORDER_CREATION'],
    ['Picked Up', 'FIRST_MILE_ARRIVE'],
    ['In Transit', 'IN_TRANSIT'],
    ['In Transit', 'MAIN_LINE_ARRIVE'],
    ['Customs Clearance', 'CUSTOMS_RELEASE'],
    ['Delivery Success', 'DELIVERED'],
  ])('%s: %s', (adminStatus, code) => {
    expect(adminStatusOfYunExpress(code)).toEqual({ adminStatus, isKnown: true });
    expect(ofEvents({ ...dated, track_node_code: code }).nodes[0]).toMatchObject({ status: code, adminStatus });
  });
});

describe('the codes beyond the common ones', () => {
  test.each([
    ['Picked Up', 'PICKED_UP'],
    ['In Transit', 'MAIN_LINE_DEPART'],
    ['In Transit', 'PRE_INFO'],
    ['In Transit', 'TRANSITHUB_ARRIVE'],
    ['Customs Clearance', 'CUSTOMS_PROCESSING'],
    ['Customs Clearance', 'CUSTOMS_DELAY'],
    ['Customs Clearance', 'CUSTOMS_INSPCTION'],
    ['Customs Clearance', 'ARRIVE_ORIN_CUSTOMS'],
    ['Exception', 'CUSTOMS_HOLD'],
    ['Exception', 'AIRPORT_HOLD'],
    ['Exception', 'OTHER'],
  ])('%s: %s', (adminStatus, code) => expect(adminStatusOfYunExpress(code)).toEqual({ adminStatus, isKnown: true }));

  test('only DELIVERED is final', () => {
    const final = [...yunExpressNodes].filter(([, status]) =>
      ['Delivery Success', 'Delivery Failure', 'Parcel Return to Origin'].includes(status),
    );
    expect(final).toEqual([['DELIVERED', 'Delivery Success']]);
    expect(yunExpressNodes.size).toBe(42);
  });

  test('a lost parcel is an exception, as the table has no final code for it', () =>
    expect(adminStatusOfYunExpress('PACKAGE_LOST').adminStatus).toBe('Exception'));

  test('READY_FOR_PICKUP is cargo at a terminal, not a parcel at a pick-up point', () =>
    expect(adminStatusOfYunExpress('READY_FOR_PICKUP').adminStatus).toBe('In Transit'));

  test('DELIVERY_ATTEMPT is the delivery round; only DELIVERY_FAILURE is a failed attempt', () => {
    expect(adminStatusOfYunExpress('DELIVERY_ATTEMPT').adminStatus).toBe('In Delivery');
    expect(adminStatusOfYunExpress('DELIVERY_FAILURE').adminStatus).toBe('Delivery Attempted');
  });

  test('a code counts in any case', () => expect(adminStatusOfYunExpress(' delivered ').adminStatus).toBe('Delivery Success'));
});

describe('the traps', () => {
  test('trap 2: a return is Returning; no code of YunExpress proves that it has arrived', () => {
    for (const code of ['RETURNED', 'RETURNED_BACK', 'RETURNED_TO_SENDER'])
      expect(adminStatusOfYunExpress(code).adminStatus).toBe('Returning');
  });

  test('trap 3: a failed delivery is not final', () =>
    expect(ofEvents({ ...dated, track_node_code: 'DELIVERY_FAILURE' }).nodes[0]?.adminStatus).toBe('Delivery Attempted'));

  test('trap 5: "Delivered" in a text is not delivered', () => {
    const event = {
      ...dated,
      track_node_code: 'TRANSITHUB_ARRIVE',
      process_content: 'Delivered to local carrier',
      track_node_description: 'Delivered',
    };
    expect(ofEvents(event).nodes[0]).toMatchObject({ content: 'Delivered to local carrier', adminStatus: 'In Transit' });
  });

  test('trap 6: two legs are one list, in the order of the source, under the number of the parcel', () => {
    const { nodes, undated, unknownCodes, leftOut } = translateYunExpress(resultOf('query-delivered'), parcel);
    expect([undated, unknownCodes, leftOut]).toEqual([[], [], []]);
    expect(nodes.map(({ status }) => status)).toEqual([
      'ORDER_CREATION',
      'FIRST_MILE_ARRIVE',
      'MAIN_LINE_DEPART',
      'MAIN_LINE_ARRIVE',
      'CUSTOMS_RELEASE',
      'TRANSITHUB_ARRIVE',
      'IN_TRANSIT',
      'DELIVERY_ATTEMPT',
      'DELIVERED',
    ]);
    expect(new Set(nodes.map(({ orderNo }) => orderNo))).toEqual(new Set([parcel.trackingNumber]));
    expect(nodes[1]).toEqual({
      orderNo: 'YT2630600700100017',
      address: "Shenzhen Bao'an hub, Shenzhen, Guangdong, CN",
      content: 'Arrived at the origin facility',
      status: 'FIRST_MILE_ARRIVE',
      createTime: '2026-11-02 10:10:00',
      times: '(GMT+08:00)',
      zoneBasis: 'given',
      adminStatus: 'Picked Up',
    });
    expect(nodes[3]).toMatchObject({ createTime: '2026-11-05 01:20:00', times: '(GMT-08:00)', address: 'LAX, Los Angeles, CA, US' });
    expect(nodes[8]).toMatchObject({ content: 'Delivered', times: '(GMT-06:00)', adminStatus: 'Delivery Success' });
  });

  test('trap 7: a parcel comes back to life: a correction and a return follow a delivery', () => {
    const { nodes } = translateYunExpress(resultOf('query-returning'), { ...parcel, trackingNumber: 'YT2630600700100066' });
    expect(nodes.map(({ adminStatus }) => adminStatus)).toEqual([
      'Delivery Attempted',
      'Delivery Success',
      'Exception',
      'Returning',
      'Returning',
      'In Transit',
    ]);
  });

  test('trap 8: an unknown code is In Transit and named once', () => {
    const event = { ...dated, track_node_code: 'MD/TT' };
    const trace = ofEvents(event, event, { ...event, track_node_code: 'XD/ZC' });
    expect(trace.nodes.map(({ adminStatus }) => adminStatus)).toEqual(['In Transit', 'In Transit', 'In Transit']);
    expect(trace.unknownCodes).toEqual(['MD/TT', 'XD/ZC']);
    expect(adminStatusOfYunExpress('MD/TT').isKnown).toBe(false);
  });
});

describe('the entries of a result', () => {
  test('a number that is not known has no nodes', () => {
    const empty = { nodes: [], undated: [], unknownCodes: [], leftOut: [] };
    for (const result of [[], resultOf('query-not-found'), { order_number: 'YT2630600700100033', package_status: 'N' }])
      expect(translateYunExpress(result, { ...parcel, trackingNumber: 'YT2630600700100033' })).toEqual(empty);
  });

  test('package_status makes no node and ends nothing', () => {
    for (const letter of ['D', 'C', 'R', 'E'])
      expect(
        translateYunExpress([{ order_number: parcel.trackingNumber, package_status: letter, track_Info: { track_events: [] } }], parcel)
          .nodes,
      ).toEqual([]);
  });

  test('trap 9: of a number that was used again, the trace with the newest row counts', () => {
    const [old, recent] = resultOf('query-reused-number');
    for (const result of [
      [old, recent],
      [recent, old],
    ]) {
      const trace = translateYunExpress(result, { ...parcel, trackingNumber: '9200190000000000000058' });
      expect(trace.nodes.map(({ content }) => content)).toEqual(['The parcel of this year']);
      expect(trace.leftOut).toEqual(['An entry is an earlier parcel of the number']);
    }
  });

  test('an entry of another number is left out', () => {
    const trace = translateYunExpress([...resultOf('query-returning'), ...resultOf('query-delivered'), 7], parcel);
    expect(trace.nodes).toHaveLength(9);
    expect(trace.leftOut).toEqual(['An entry has not the form of one', 'An entry names another number']);
  });

  test('an object is a list of one: it is of the parcel, names no number, or is left out', () => {
    const events = [{ ...dated, track_node_code: 'DELIVERED' }];
    const of = (entry: object) => translateYunExpress({ ...entry, track_events: events }, parcel);
    expect(of({ waybill_number: parcel.trackingNumber }).nodes).toHaveLength(1);
    expect(of({}).nodes).toHaveLength(1);
    expect(of({ waybill_number: 'YT2630600700100018' })).toMatchObject({ nodes: [], leftOut: ['An entry names another number'] });
  });

  test('of however many entries, twice as many rows are read as are kept', () => {
    let reads = 0;
    const event = {
      ...dated,
      track_node_code: 'IN_TRANSIT',
      get process_utc_time(): string {
        reads += 1;
        return dated.process_utc_time;
      },
    };
    const newest = { ...dated, process_utc_time: '2026-11-06T08:00:00', track_node_code: 'DELIVERED' };
    const entryOf = (...events: unknown[]) => ({ waybill_number: parcel.trackingNumber, track_events: events });
    const rows = Array(MAX_NODES - 1).fill(event);
    for (const recent of [entryOf(newest, ...rows), entryOf(...rows, newest)]) {
      reads = 0;
      const entries = Array.from({ length: 49 }, () => entryOf(event, ...rows));
      const { nodes } = translateYunExpress([...entries, recent], parcel);
      expect([nodes.length, nodes.some(({ adminStatus }) => adminStatus === 'Delivery Success')]).toEqual([MAX_NODES, true]);
      expect(reads).toBeLessThan(2 * MAX_NODES);
    }
  });

  test('a parcel is found by the number of its last carrier, in any case', () => {
    const trace = translateYunExpress(resultOf('query-returning'), { ...parcel, trackingNumber: 'jd00000000000066' });
    expect([trace.nodes.length, trace.unknownCodes]).toEqual([6, ['LOCKER_TRANSFER']]);
  });

  test.each([[null], [undefined], ['x'], [5], [{}], [{ success: false }], [{ track_events: 'x' }], [{ track_Info: [] }], [[null, 3]]])(
    '%j is not the form of the vendor',
    (raw) => expect(() => translateYunExpress(raw, parcel)).toThrow('The result of YunExpress'),
  );
});

describe('hostile rows', () => {
  test('rows that are unreadable do not cost the others', () => {
    const trace = ofEvents(
      null,
      3,
      [],
      'x',
      {},
      { ...dated, track_node_code: { a: 1 }, process_content: 7 },
      { ...dated, track_node_code: 'IN_TRANSIT' },
    );
    expect(trace.nodes).toHaveLength(1);
    expect(trace.leftOut).toEqual([...Array(4).fill('A row is no object'), ...Array(2).fill('A row has neither a node code nor a text')]);
  });

  test('fields of a wrong type count as empty', () => {
    const [node] = ofEvents({ ...dated, track_node_code: 12, process_city: {}, process_country: ['CN'], process_location: 4 }).nodes;
    expect(node).toMatchObject({ address: '', content: 'x', status: '', adminStatus: 'In Transit' });
  });

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('%s is an unknown code', (code) => {
    const event = JSON.parse(JSON.stringify({ ...dated, track_node_code: code })) as unknown;
    expect(ofEvents(event)).toMatchObject({ nodes: [{ status: code, adminStatus: 'In Transit' }], unknownCodes: [code] });
  });

  test('texts are cut and cleaned', () => {
    const long = `a\u0000\n${'b'.repeat(10_000)}`;
    const event = { ...dated, track_node_code: long, process_content: long, process_location: long, process_city: 'c\ud800' };
    const trace = translateYunExpress({ waybill_number: long, track_events: [event] }, { ...parcel, trackingNumber: long });
    const [node] = trace.nodes;
    expect([node?.orderNo.length, node?.address.length, node?.content.length, node?.status.length]).toEqual([100, 500, 2000, 200]);
    expect(trace.unknownCodes[0]).toHaveLength(200);
    expect(node?.content.startsWith('a b')).toBe(true);
  });

  test('of too many rows the newest are kept, whichever end they are at', () => {
    const rows = Array.from({ length: MAX_NODES + 5 }, (_, n) => ({
      process_utc_time: new Date(n * 60_000 + 1.7e12).toISOString(),
      process_content: `${n}`,
    }));
    for (const events of [rows, rows.toReversed()]) {
      const { nodes, leftOut } = ofEvents(...events);
      const contents = nodes.map(({ content }) => Number(content));
      expect([nodes.length, Math.min(...contents), Math.max(...contents)]).toEqual([MAX_NODES, 5, MAX_NODES + 4]);
      expect(leftOut).toEqual([`There are ${MAX_NODES + 5} rows; the newest ${MAX_NODES} are read`]);
    }
  });
});
