import { beforeEach, describe, expect, test } from '@jest/globals';
import { type RecordingTelemetry, recordingTelemetry } from '@parcelway/telemetry/testing/recording-telemetry';
import { type RefusalReason, SourceRefusal } from '../../sources/source-refusal.ts';
import { EMPTY_TRACE } from '../../sources/trace.ts';
import { connectionOf } from '../../testing/samples.ts';
import { NotNow } from '../../watch/domain/sources.ts';
import type { Connection } from '../domain/connection.ts';
import { QUEUE_FULL } from './call-queue.ts';
import { carrierUnavailable } from './circuit.ts';
import { SourceTelemetry } from './source-telemetry.ts';

const connection = connectionOf({ source: 'easypost', credentials: { key: 'secret-key' } });
const labels = { connection: 'main', owner: 'operator' };

let telemetry: RecordingTelemetry;
beforeEach(() => {
  telemetry = recordingTelemetry();
});
const open = (given: Partial<Connection> = {}) => new SourceTelemetry(telemetry.of('tracking'), { ...connection, ...given });
const recorded = (name: string) => telemetry.recorded(name).filter(([, value]) => value > 0);
const calls = () => recorded('parcelway_source_calls_total');

describe('a call', () => {
  test('is counted by its kind, with its numbers, and gives its result', async () => {
    const source = open();
    expect(await source.call('query', 40, async () => 'result')).toBe('result');
    await source.call('other', 0, async () => undefined);
    expect(calls()).toEqual([
      [{ ...labels, kind: 'query', outcome: 'ok' }, 1],
      [{ ...labels, kind: 'other', outcome: 'ok' }, 1],
    ]);
    expect(telemetry.recorded('parcelway_source_numbers_total')).toEqual([[{ ...labels, kind: 'query' }, 40]]);
  });

  test.each<[RefusalReason, string]>([
    ['quota used up', 'quota_used_up'],
    ['wrong response', 'wrong_response'],
  ])('that is refused with %j is counted as %s, behind the circuit too', async (reason, outcome) => {
    const refusal = new SourceRefusal(reason, 'refused');
    const source = open();
    await expect(source.call('register', 1, () => Promise.reject(refusal))).rejects.toBe(refusal);
    const outside = carrierUnavailable(1000, refusal);
    await expect(source.call('register', 1, () => Promise.reject(outside))).rejects.toBe(outside);
    const counted = [{ ...labels, kind: 'register', outcome }, 1];
    expect(calls()).toEqual([counted, counted]);
  });

  test('of a tenant counts under the name of the source, whatever the id', async () => {
    await open({ connectionId: 'con_of_a_tenant', tenantId: 'tnt_a' }).call('query', 1, async () => undefined);
    expect(calls()).toEqual([[{ connection: 'easypost', owner: 'tenant', kind: 'query', outcome: 'ok' }, 1]]);
    expect(JSON.stringify(telemetry.metrics)).not.toMatch(/con_of_a_tenant|tnt_a|secret-key/);
  });
});

test('a question that has to wait because of a limit is counted by the limit', () => {
  const source = open();
  for (const reason of ['rate', 'daily quota', 'blocked', 'throttled', 'quota used up', QUEUE_FULL, 'a moment ago'])
    source.waits(new NotNow(1, reason));
  const reasons = telemetry.recorded('parcelway_source_waits_total').map(([{ reason }]) => reason);
  expect(reasons).toEqual(['rate', 'daily_quota', 'blocked', 'blocked', 'blocked', 'full']);
});

test('what was not understood in a trace, and what is not shown, is counted by reason', () => {
  const source = open();
  source.trace({ ...EMPTY_TRACE, unknownCodes: ['X1', 'X2'], leftOut: 3 }, { nodes: [], tooOld: 4, ahead: 5 });
  source.trace(EMPTY_TRACE, { nodes: [], tooOld: 0, ahead: 0 });
  source.unreadable();
  expect(telemetry.recorded('parcelway_source_unknown_codes_total')).toEqual([[labels, 2]]);
  expect(telemetry.recorded('parcelway_source_left_out_rows_total')).toEqual([
    [{ ...labels, reason: 'too_old' }, 4],
    [{ ...labels, reason: 'ahead' }, 5],
    [{ ...labels, reason: 'unreadable' }, 3],
    [{ ...labels, reason: 'unreadable' }, 1],
  ]);
});
