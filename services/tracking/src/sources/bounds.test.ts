// What is read of a response that holds far more than a parcel has.
import { expect, test } from '@jest/globals';
import { askedParcel, MockVendor } from '../testing/mock-vendor.ts';
import { MAX_NODES } from '../watch/domain/node.ts';
import { sourceDhl } from './dhl/source.ts';
import { findUpsPackage } from './ups/client.ts';
import { translateYunExpress } from './yunexpress/translation.ts';

/** Counts how often a field of a row is read. */
function counted<Row extends object>(field: string, value: string, row: Row) {
  const reads = { count: 0 };
  Object.defineProperty(row, field, {
    enumerable: true,
    get() {
      reads.count += 1;
      return value;
    },
  });
  return { row, reads };
}

test('of however many packages and activities of UPS, at most so many are read as are kept', () => {
  const { row, reads } = counted('gmtDate', '20261112', { gmtTime: '74700' });
  const packageOf = (count: number): object => ({ trackingNumber: '1ZPWY01', activity: Array(count).fill(row) });
  const readsOf = (...parcels: object[]): number => {
    reads.count = 0;
    expect(findUpsPackage({ trackResponse: { shipment: [{ package: parcels }] } }, '1ZPWY01')).toBe(parcels[0]);
    return reads.count;
  };
  expect(readsOf(packageOf(5 * MAX_NODES))).toBe(0);
  expect(readsOf(packageOf(5 * MAX_NODES), packageOf(5 * MAX_NODES))).toBe(MAX_NODES);
  expect(readsOf(...Array.from({ length: 5 * MAX_NODES }, () => packageOf(2)))).toBe(MAX_NODES);
});

test('of however many entries of YunExpress, twice as many rows are read as are kept', () => {
  const utc = '2026-11-05T08:00:00';
  const dated = { process_time: '2026-11-05T16:00:00', process_content: 'x', track_node_code: 'IN_TRANSIT' };
  const { row, reads } = counted('process_utc_time', utc, dated);
  const newest = { ...dated, process_utc_time: '2026-11-06T08:00:00', track_node_code: 'DELIVERED' };
  const entryOf = (...events: unknown[]) => ({ waybill_number: 'YT1', track_events: events });
  const rows = Array(MAX_NODES - 1).fill(row);
  for (const recent of [entryOf(newest, ...rows), entryOf(...rows, newest)]) {
    reads.count = 0;
    const entries = Array.from({ length: 49 }, () => entryOf(row, ...rows));
    const { nodes } = translateYunExpress([...entries, recent], { trackingNumber: 'YT1', dispatchedAt: 0 });
    expect([nodes.length, nodes.some(({ adminStatus }) => adminStatus === 'Delivery Success')]).toEqual([MAX_NODES, true]);
    expect(reads.count).toBeLessThan(2 * MAX_NODES);
  }
});

test('of many shipments of DHL under one number a hundred are compared', async () => {
  const old = { id: '1', status: { timestamp: '2025-01-01T09:00:00+01:00' } };
  const newest = { id: '1', status: { timestamp: '2026-01-01T09:00:00+01:00' } };
  for (const [olds, found] of [[99, newest] as const, [100, old] as const]) {
    const vendor = new MockVendor(sourceDhl, [[200, { shipments: [...Array(olds).fill(old), newest] }]]);
    expect(await vendor.client.query([askedParcel('1')], AbortSignal.timeout(20_000))).toEqual([{ kind: 'trace', raw: found }]);
    await vendor.close();
  }
});
