import { describe, expect, test } from '@jest/globals';
import { MAX_NODES } from '../../watch/domain/node.ts';
import { translateDhl } from './translation.ts';

const parcelOf = (trackingNumber: string) => ({ trackingNumber, dispatchedAt: Date.UTC(2026, 10, 20), destinationCountry: 'DE' });
const parcel = parcelOf('9901234567');
const row = (fields: object) => ({ timestamp: '2026-11-25T08:00:00+01:00', statusCode: 'transit', status: 'On its way', ...fields });
const traceOf = (...rows: unknown[]) => translateDhl({ id: '9901234567', service: 'express', events: rows }, parcel);
const adminStatusesOf = (...rows: unknown[]) => traceOf(...rows).nodes.map(({ adminStatus }) => adminStatus);

describe('rows', () => {
  test('say each text once, and no code that a text explains', () => {
    const content = (fields: object) => traceOf(row(fields)).nodes[0]?.content;
    expect(content({ status: 'DELIVERED', description: 'Delivered', remark: 'With a neighbour', statusCode: 'delivered' })).toBe(
      'With a neighbour',
    );
    expect(content({ status: 'transit', description: '' })).toBe('transit');
    expect(content({ status: 'NOT_HOME', description: 'not_home', remark: undefined, statusCode: 'failure' })).toBe('NOT_HOME');
  });

  test('have a place without its street', () => {
    const address = { streetAddress: 'Oak Lane 5', postalCode: '04129', countryCode: 'DE' };
    expect(traceOf(row({ location: { address } })).nodes[0]?.address).toBe('04129, DE');
  });

  test('delivered are final when they are of every piece', () => {
    const details = { pieceIds: ['P1', 'P2'] };
    const delivered = (of: unknown, pieceIds: unknown, code = 'delivered') =>
      translateDhl({ id: '9901234567', details: of, events: [row({ statusCode: code, pieceIds })] }, parcel).nodes[0]?.adminStatus;
    for (const some of [['P1'], ['P2', 'P3'], ['P1', 'P1'], [null], ['9901234567']]) expect(delivered(details, some)).toBe('In Transit');
    for (const all of [['P2', 'P1'], ['p 1', 'P2', 'P3'], [], undefined, 'P1']) expect(delivered(details, all)).toBe('Delivery Success');
    for (const none of [undefined, {}, { pieceIds: [] }, { pieceIds: [null] }]) expect(delivered(none, ['P1'])).toBe('Delivery Success');
    expect(delivered(details, ['P1'], 'failure')).toBe('Exception');
    const own = { id: 'S', details, events: [row({ statusCode: 'delivered', pieceIds: ['P1'] })] };
    expect(translateDhl(own, parcelOf('P1')).nodes).toMatchObject([{ adminStatus: 'Delivery Success' }]);
  });

  test('have their pieces read once, however many they are', () => {
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
});

describe('a row unknown', () => {
  const at = (day: number, statusCode: string) => row({ timestamp: `2026-11-${day}T08:00:00+01:00`, statusCode });

  test('has the status of the row before it by time, in any order', () => {
    const rows = [at(25, 'unknown'), at(24, 'unknown'), at(23, 'failure'), at(22, 'unknown'), at(21, 'transit')];
    const expected = ['Exception', 'Exception', 'Exception', 'In Transit', 'In Transit'];
    expect(adminStatusesOf(...rows)).toEqual(expected);
    expect(adminStatusesOf(...rows.toReversed())).toEqual(expected.toReversed());
  });

  test('of the same time as another is before or behind it as in the history', () => {
    const rows = [at(25, 'unknown'), at(25, 'transit'), at(24, 'pre-transit')] as const;
    expect(adminStatusesOf(...rows)).toEqual(['In Transit', 'In Transit', 'Info Received']);
    expect(adminStatusesOf(rows[2], rows[0], rows[1])).toEqual(['Info Received', 'Info Received', 'In Transit']);
  });

  test('is Pending before every other, and takes nothing over from a row of an earlier parcel (trap 9)', () => {
    expect(adminStatusesOf(at(25, 'transit'), at(24, 'unknown'))).toEqual(['In Transit', 'Pending']);
    expect(adminStatusesOf(at(21, 'unknown'), at(16, 'delivered'))).toEqual(['Pending', 'Delivery Success']);
    expect(adminStatusesOf(at(21, 'unknown'), at(18, 'transit'))).toEqual(['In Transit', 'In Transit']);
  });
});
