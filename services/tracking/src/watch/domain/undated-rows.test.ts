import { describe, expect, test } from '@jest/globals';
import { after, decideOn, dispatched } from '../../testing/facts.ts';
import { NOW, shipmentOf } from '../../testing/samples.ts';
import type { ParcelFact, SourceReport } from './facts.ts';
import { MAX_UNDATED, type UndatedRow, withUndated } from './parcel-state.ts';

const row = (content: string, more: Partial<UndatedRow> = {}): UndatedRow => ({
  address: 'Shenzhen',
  content,
  status: 'MP',
  adminStatus: 'Info Received',
  ...more,
});
const reported = (report: SourceReport, now = NOW + 10): ParcelFact => ({
  type: 'response',
  shipment: shipmentOf(),
  nodes: [],
  now,
  report,
});
/** The rows that are kept after a whole report of A and B, and another report. */
const keptAfter = (report: SourceReport): readonly UndatedRow[] | undefined => {
  const parcel = after(dispatched, reported({ undated: [row('A'), row('B')] }));
  return decideOn(parcel, reported(report, NOW + 20)).writes[0]?.after.shipment?.undated;
};

test('rows that differ in any field are others; the order is that of their first report', () => {
  const others = [row('A', { address: '' }), row('A', { status: 'M' }), row('A', { adminStatus: 'Pending' }), row('B')];
  expect(withUndated([row('A'), row('B')], [row('B'), ...others, row('C'), row('C')])).toEqual([
    row('A'),
    row('B'),
    ...others.slice(0, 3),
    row('C'),
  ]);
});

describe('rows without a time', () => {
  test('of a whole report replace those before', () => {
    expect(keptAfter({ undated: [row('C')] })).toEqual([row('C')]);
    expect(keptAfter({ undated: [] })).toEqual([]);
    expect(keptAfter({ undated: [row('C')], isPart: false })).toEqual([row('C')]);
  });

  test('of a part of a report are added to those before', () => {
    expect(keptAfter({ undated: [], isPart: true })).toEqual([row('A'), row('B')]);
    expect(keptAfter({ undated: [row('C'), row('A')], isPart: true })).toEqual([row('A'), row('B'), row('C')]);
  });

  test('are bounded: the newest are kept', () => {
    const many = Array.from({ length: MAX_UNDATED + 5 }, (_, index) => row(`Scan ${index}`));
    expect(keptAfter({ undated: many, isPart: true })).toEqual(many.slice(-MAX_UNDATED));
    const kept = keptAfter({ undated: many.slice(0, MAX_UNDATED - 1), isPart: true });
    expect(kept?.slice(0, 2)).toEqual([row('B'), row('Scan 0')]);
    expect(kept).toHaveLength(MAX_UNDATED);
  });

  test('of a part that comes again change nothing', () => {
    const parcel = after(dispatched, reported({ undated: [row('A')], isPart: true }));
    expect(decideOn(parcel, reported({ undated: [row('A')], isPart: true })).writes).toEqual([]);
  });
});
