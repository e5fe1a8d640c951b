import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { MAX_NODES } from '../../watch/domain/node.ts';
import { translateYunExpress } from './translation.ts';

const parcel = { trackingNumber: 'YT2630600700100017', dispatchedAt: Date.parse('2026-11-01T00:00:00Z') };

/** The `result` of a recorded query. */
function resultOf(name: string): unknown[] {
  const response = JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8')) as { result: unknown[] };
  return response.result;
}

const dated = { process_time: '2026-11-05T16:00:00', process_utc_time: '2026-11-05T08:00:00', process_content: 'x' };

describe('the entries of a result', () => {
  test('trap 9: of a number that was used again, the trace with the newest row counts', () => {
    const [old, recent] = resultOf('query-reused-number');
    for (const result of [
      [old, recent],
      [recent, old],
    ]) {
      const trace = translateYunExpress(result, { ...parcel, trackingNumber: '9200190000000000000058' });
      expect(trace.nodes.map(({ content }) => content)).toEqual(['The parcel of this year']);
      expect(trace.leftOut).toBe(1);
    }
  });

  test('an object is a list of one: it is of the parcel, names no number, or is left out', () => {
    const events = [{ ...dated, track_node_code: 'DELIVERED' }];
    const of = (entry: object) => translateYunExpress({ ...entry, track_events: events }, parcel);
    expect(of({ waybill_number: parcel.trackingNumber }).nodes).toHaveLength(1);
    expect(of({}).nodes).toHaveLength(1);
    expect(of({ waybill_number: 'YT2630600700100018' })).toMatchObject({ nodes: [], leftOut: 1 });
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
});
