import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { adminStatuses, isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { MAX_NODES } from '../../domain/node.ts';
import type { SourceParcel } from '../trace.ts';
import { shipmentInResponse } from './response.ts';
import { adminStatusOfDhl, dhlStatuses, returnedDhlStatuses, translateDhl } from './translation.ts';

const fixture = (name: string): unknown => JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8'));
const parcelOf = (trackingNumber: string): SourceParcel => ({
  trackingNumber,
  dispatchedAt: Date.UTC(2026, 10, 20),
  destinationCountry: 'DE',
});
const parcel = parcelOf('9901234567');
const traceIn = (name: string, number: string) => translateDhl(shipmentInResponse(fixture(name), number), parcelOf(number));
const row = (fields: object) => ({ timestamp: '2026-11-25T08:00:00+01:00', statusCode: 'transit', status: 'On its way', ...fields });
const traceOf = (...rows: unknown[]) => translateDhl({ id: '9901234567', service: 'express', events: rows }, parcel);
const adminStatusesOf = (...rows: unknown[]) => traceOf(...rows).nodes.map(({ adminStatus }) => adminStatus);

describe('the column of DHL', () => {
  test.each([
    ['unknown', 'Pending'],
    ['pre-transit', 'Info Received'],
    ['transit', 'In Transit'],
    ['failure', 'Exception'],
    ['delivered', 'Delivery Success'],
  ])('%s is %s', (code, adminStatus) => {
    for (const text of [code, code.toUpperCase(), ` ${code} `]) expect(adminStatusOfDhl(text)).toEqual({ adminStatus, isKnown: true });
    expect(traceOf(row({ statusCode: code })).unknownCodes).toEqual([]);
    expect(adminStatusesOf(row({ statusCode: code }))).toEqual([adminStatus]);
  });

  test('has no further code, and delivered alone is final', () => {
    expect(Object.keys(dhlStatuses)).toHaveLength(5);
    const final = Object.entries(dhlStatuses).filter(([, adminStatus]) => isTerminalAdminStatus(adminStatus));
    expect(final).toEqual([['delivered', 'Delivery Success']]);
    for (const adminStatus of Object.values(returnedDhlStatuses)) expect(isTerminalAdminStatus(adminStatus)).toBe(false);
  });

  test('customs, delivery, pickup and attempt are never concluded', () => {
    const words = ['Shipment is in customs', 'Out for delivery', 'Ready for pick-up', 'Delivery attempt', 'Picked up', 'NOT_HOME'];
    expect(new Set(adminStatusesOf(...words.map((status) => row({ status, description: status }))))).toEqual(new Set(['In Transit']));
  });
});

describe('traps', () => {
  test('3: failure is not final', () => {
    expect(adminStatusesOf(row({ statusCode: 'failure', description: 'Delivery failed' }))).toEqual(['Exception']);
  });

  test.each(['Delivered to local carrier', 'Delivered to sender', 'Will be returned to sender', 'Not delivered', 'DELIVERED', 'delivered'])(
    '5: the text "%s" is not final',
    (text) => {
      for (const statusCode of ['pre-transit', 'transit', 'failure', 'unknown', 'out-for-delivery', undefined, 'Delivered to sender']) {
        for (const texts of [{ status: text }, { status: text, description: text }, { status: 'x', description: text, remark: text }]) {
          const [adminStatus = ''] = adminStatusesOf(row({ statusCode, ...texts }));
          expect(adminStatuses).toContain(adminStatus);
          expect(isTerminalAdminStatus(adminStatus)).toBe(false);
        }
      }
    },
  );

  test('7: a parcel comes back to life', () => {
    const { nodes } = traceIn('express', '4471882063');
    expect(nodes.map(({ adminStatus }) => adminStatus)).toEqual([
      'In Transit',
      'Delivery Success',
      'In Transit',
      'Exception',
      'In Transit',
      'Info Received',
    ]);
  });

  test('8: a code that DHL adds is In Transit, and reported once', () => {
    const trace = traceOf(row({ statusCode: 'Return-to-Origin' }), row({ statusCode: 'return-to-origin' }), row({ statusCode: undefined }));
    expect(trace.nodes.map(({ adminStatus }) => adminStatus)).toEqual(['In Transit', 'In Transit', 'In Transit']);
    expect(trace.unknownCodes).toEqual(['return-to-origin', '(none)']);
  });

  test('2: what is delivered with returnFlag goes back to the sender: never a success', () => {
    const { nodes, unknownCodes } = traceIn('returned', 'JVGL0604000000012345678');
    expect(nodes.map(({ adminStatus, status }) => [status, adminStatus])).toEqual([
      ['delivered', 'Returning'],
      ['failure', 'Exception'],
      ['transit', 'In Transit'],
      ['failure', 'Exception'],
    ]);
    expect(unknownCodes).toEqual([]);
    for (const returnFlag of [false, 'true', 1, null])
      expect(translateDhl({ id: '1', returnFlag, events: [row({ statusCode: 'delivered' })] }, parcel).nodes[0]?.adminStatus).toBe(
        'Delivery Success',
      );
  });
});

describe('rows', () => {
  test('of a domestic shipment', () => {
    const trace = traceIn('domestic', '0034 0434 0000 0012 34567');
    expect(trace.nodes).toHaveLength(4);
    expect(trace.nodes[0]).toEqual({
      orderNo: '003404340000001234567',
      address: 'Germany',
      content: 'The parcel is with its recipient.',
      status: 'delivered',
      adminStatus: 'Delivery Success',
      createTime: '2026-11-24 11:42:00',
      times: '(GMT+01:00)',
      zoneBasis: 'assumed',
      provider: 'parcel-de',
    });
    expect(trace.undated).toEqual([
      { address: '', content: 'The recipient knows the delivery day.', status: 'transit', adminStatus: 'In Transit' },
    ]);
    expect([trace.leftOut, trace.unknownCodes]).toEqual([[], []]);
  });

  test('have a code of a division and its details in the content', () => {
    expect(traceIn('returned', 'JVGL0604000000012345678').nodes.map(({ content }) => content)).toEqual([
      'DELIVERED_AT_SHIPPER',
      'RETURNED_TO_SHIPPER; JVGL0604000000087654321',
      'DELIVERED_AT_PARCELSHOP',
      'NOT_HOME',
    ]);
    const contents = traceOf(row({ status: 'transit', description: 'In a hub' }), row({ status: 'Transit' })).nodes.map(
      ({ content }) => content,
    );
    expect(contents).toEqual(['In a hub', 'Transit']);
  });

  test('have a readable place, most specific first, without the street', () => {
    const { nodes } = traceIn('express', '4471882063');
    expect(nodes[1]?.address).toBe('Kiosk am Markt, LEIPZIG, DE');
    expect(nodes[4]?.address).toBe('SHENZHEN, GUANGDONG, CN');
    const address = { streetAddress: 'Oak Lane 5', postalCode: '04129', countryCode: 'DE' };
    expect(traceOf(row({ location: { address } })).nodes[0]?.address).toBe('04129, DE');
  });

  test('are those of the status when there are no events', () => {
    for (const events of [undefined, null, []]) {
      const { nodes } = translateDhl({ id: '9901234567', events, status: row({}) }, parcel);
      expect(nodes.map(({ status, createTime }) => [status, createTime])).toEqual([['transit', '2026-11-25 08:00:00']]);
    }
    expect(translateDhl({ id: '9901234567', events: [] }, parcel).nodes).toEqual([]);
  });

  test('delivered are final when they are of every piece', () => {
    const delivered = (details: unknown, pieceIds: unknown, code = 'delivered') =>
      translateDhl({ id: '9901234567', details, events: [row({ statusCode: code, pieceIds })] }, parcel).nodes[0]?.adminStatus;
    const details = { pieceIds: ['P1', 'P2'] };
    for (const some of [['P1'], ['P2', 'P3'], ['P1', 'P1'], [null], ['9901234567']]) expect(delivered(details, some)).toBe('In Transit');
    for (const all of [['P2', 'P1'], ['p 1', 'P2', 'P3'], [], undefined, 'P1']) expect(delivered(details, all)).toBe('Delivery Success');
    for (const none of [undefined, {}, { pieceIds: [] }, { pieceIds: [null] }]) expect(delivered(none, ['P1'])).toBe('Delivery Success');
    expect(delivered(details, ['P1'], 'failure')).toBe('Exception');
    const trace = translateDhl({ id: '9901234567', details, events: [row({ statusCode: 'delivered', pieceIds: ['P1'] })] }, parcel);
    expect([trace.nodes[0]?.status, trace.unknownCodes, trace.leftOut]).toEqual(['delivered', [], []]);
    expect(
      translateDhl({ id: 'S', details, events: [row({ statusCode: 'delivered', pieceIds: ['P1'] })] }, parcelOf('P1')).nodes,
    ).toMatchObject([{ adminStatus: 'Delivery Success' }]);
  });

  test('of another piece are left out, where the parcel is one piece of a shipment', () => {
    const { nodes, leftOut } = traceIn('express', 'jd014600009990002222');
    expect(nodes.map(({ status }) => status)).toEqual(['delivered', 'delivered', 'failure', 'transit', 'pre-transit']);
    expect(new Set(leftOut)).toEqual(new Set(['A row is of another piece of the shipment']));
    expect(nodes[0]?.orderNo).toBe('4471882063');
    const ownPiece = { id: '9901234567', details: { pieceIds: ['9901234567', 'P2'] }, events: [row({ pieceIds: ['P2'] })] };
    expect(translateDhl(ownPiece, parcel).leftOut).toEqual([]);
  });
});

describe('a row unknown', () => {
  const at = (day: number, statusCode: string) => row({ timestamp: `2026-11-${day}T08:00:00+01:00`, statusCode });

  test('has the status of the row before it by time, in any order', () => {
    const rows = [at(25, 'unknown'), at(24, 'unknown'), at(23, 'failure'), at(22, 'unknown'), at(21, 'transit')];
    const expected = ['Exception', 'Exception', 'Exception', 'In Transit', 'In Transit'];
    expect(adminStatusesOf(...rows)).toEqual(expected);
    expect(adminStatusesOf(...rows.toReversed())).toEqual(expected.toReversed());
    expect(adminStatusesOf(at(25, 'unknown'), at(24, 'delivered'))).toEqual(['Delivery Success', 'Delivery Success']);
    expect(traceOf(...rows).nodes[0]?.status).toBe('unknown');
  });

  test('of the same time as another is before or behind it as in the history', () => {
    expect(adminStatusesOf(at(25, 'unknown'), at(25, 'transit'), at(24, 'pre-transit'))).toEqual([
      'In Transit',
      'In Transit',
      'Info Received',
    ]);
    expect(adminStatusesOf(at(24, 'pre-transit'), at(25, 'unknown'), at(25, 'transit'))).toEqual([
      'Info Received',
      'Info Received',
      'In Transit',
    ]);
  });

  test('is Pending alone and before every other', () => {
    expect(adminStatusesOf(at(25, 'unknown'))).toEqual(['Pending']);
    expect(adminStatusesOf(at(25, 'transit'), at(24, 'unknown'), at(23, 'unknown'))).toEqual(['In Transit', 'Pending', 'Pending']);
  });

  test('trap 9: takes nothing over from a row of an earlier parcel', () => {
    expect(adminStatusesOf(at(21, 'unknown'), at(16, 'delivered'))).toEqual(['Pending', 'Delivery Success']);
    expect(adminStatusesOf(at(21, 'unknown'), at(18, 'transit'))).toEqual(['In Transit', 'In Transit']);
  });
});

describe('hostile input', () => {
  test.each([undefined, null, 5, 'shipment', [], {}, { id: '1' }, { events: {} }, { status: {}, events: 'none' }, { events: null }])(
    '%j is no shipment',
    (raw) => {
      expect(() => translateDhl(raw, parcel)).toThrow('shipment');
    },
  );

  test('keys of prototypes are unknown codes', () => {
    const codes = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
    for (const code of codes) expect(adminStatusOfDhl(code, true)).toEqual({ adminStatus: 'In Transit', isKnown: false });
    expect(traceOf(...codes.map((statusCode) => row({ statusCode }))).unknownCodes).toHaveLength(4);
    const polluting: unknown = JSON.parse(
      '{"events":[{"__proto__":{"statusCode":"delivered"},"status":"x","timestamp":"2026-11-25T08:00:00Z"}]}',
    );
    expect(translateDhl(polluting, parcel).nodes[0]?.adminStatus).toBe('In Transit');
  });

  test('rows of wrong types cost themselves alone', () => {
    const wrong = [null, 5, 'row', [], {}, { timestamp: '2026-11-25T08:00:00Z' }, { statusCode: 7, status: {}, description: [] }];
    const odd = row({ location: 'Berlin', description: { a: 1 }, remark: 3, pieceIds: 'all' });
    const oddPlace = row({ location: { address: [], servicePoint: 'x' }, pieceIds: [null, {}, []] });
    const trace = traceOf(...wrong, odd, oddPlace);
    expect(trace.leftOut).toHaveLength(wrong.length);
    expect(trace.nodes.map(({ address, content }) => [address, content])).toEqual([
      ['', 'On its way'],
      ['', 'On its way'],
    ]);
    for (const id of [undefined, {}, 1.5, 2 ** 60, 'x'.repeat(5000)])
      expect(translateDhl({ id, service: 9, events: [row({})] }, parcel).nodes[0]).toMatchObject({
        orderNo: '9901234567',
        provider: undefined,
      });
  });

  test('the pieces of a shipment are read once, however many rows it has', () => {
    let reads = 0;
    const pieceIds = Array.from({ length: MAX_NODES }, (_, index) => `P${index}`);
    const details = {
      get pieceIds() {
        reads += 1;
        return pieceIds;
      },
    };
    const events = Array.from({ length: MAX_NODES }, () => row({ pieceIds: ['P1'] }));
    expect(translateDhl({ id: 'S', details, events }, parcelOf('P1')).nodes).toHaveLength(MAX_NODES);
    expect(reads).toBe(1);
  });

  test('everything is bounded', () => {
    const huge = 'é\u0000 '.repeat(100_000);
    const address = { addressLocality: huge, addressRegion: huge, countryCode: huge, postalCode: huge };
    const big = row({
      statusCode: huge,
      status: huge,
      description: huge,
      remark: huge,
      location: { address, servicePoint: { label: huge } },
    });
    const { nodes, unknownCodes, leftOut } = traceOf(...Array.from({ length: MAX_NODES + 5 }, () => big));
    expect([nodes.length, unknownCodes.length, leftOut]).toEqual([MAX_NODES, 1, [`The shipment has more than ${MAX_NODES} rows`]]);
    expect(nodes[0]?.content.length).toBeLessThanOrEqual(2000);
    expect(nodes[0]?.address.length).toBeLessThanOrEqual(500);
    expect(nodes[0]?.status.length).toBeLessThanOrEqual(200);
    expect(JSON.stringify(nodes[0])).not.toContain('\\u0000');
  });
});
