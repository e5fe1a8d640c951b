import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
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

  test('a row without a code and a text shows which trace is the newest', () => {
    const coded = { track_node_code: 'DELIVERED', process_utc_time: '2026-11-04T08:00:00' };
    const { process_content: _, ...bare } = dated;
    const { nodes } = translateYunExpress(
      [{ track_events: [dated] }, { track_events: [coded, { ...bare, process_utc_time: '2026-11-06T08:00:00' }] }],
      parcel,
    );
    expect(nodes).toMatchObject([{ status: 'DELIVERED' }]);
  });

  test('an object is a list of one: it is of the parcel, names no number, or is left out', () => {
    const events = [{ ...dated, track_node_code: 'DELIVERED' }];
    const of = (entry: object) => translateYunExpress({ ...entry, track_events: events }, parcel);
    expect(of({ waybill_number: parcel.trackingNumber }).nodes).toHaveLength(1);
    expect(of({}).nodes).toHaveLength(1);
    expect(of({ waybill_number: 'YT2630600700100018' })).toMatchObject({ nodes: [], leftOut: 1 });
  });
});
