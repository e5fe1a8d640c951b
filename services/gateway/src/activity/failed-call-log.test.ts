import { beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { sampleCall } from '../testing/sample-call.ts';
import type { FailedCallRecord } from './failed-call-collection.ts';
import { FailedCallLog } from './failed-call-log.ts';

function call(tenantId: string, path = '/open/v1/forecasts') {
  const { callId: _id, ...noted } = sampleCall({ tenantId, path });
  return noted;
}

describe('the log of failed calls', () => {
  const clock = new ManualClock(1_000_000);
  let kept: FailedCallRecord[];
  let failures: number;
  let log: FailedCallLog;
  beforeEach(() => {
    kept = [];
    failures = 0;
    const store = {
      async add(calls: readonly FailedCallRecord[]) {
        failures -= 1;
        if (failures >= 0) throw new Error('out');
        kept.push(...calls);
      },
    };
    log = new FailedCallLog({ store, clock, logger: silentLogger });
  });

  test('records 100 calls of a tenant, then one every 4 seconds, whatever others do', async () => {
    for (let number = 0; number < 130; number += 1) log.note(call('tnt_1'));
    log.note(call('tnt_2'));
    expect([log.hasRoom('tnt_1', false), log.hasRoom('tnt_2', false)]).toEqual([false, true]);
    clock.advance(3999);
    log.note(call('tnt_1'));
    clock.advance(1);
    log.note(call('tnt_1'));
    log.note(call('tnt_1'));
    await log.flush();
    expect(kept.filter(({ tenantId }) => tenantId === 'tnt_1')).toHaveLength(101);
    expect(kept.filter(({ tenantId }) => tenantId === 'tnt_2')).toHaveLength(1);
    expect(new Set(kept.map(({ callId }) => callId)).size).toBe(102);
  });

  test('records few of the calls that nobody looked at, and they take no room of the others', async () => {
    for (let number = 0; number < 200; number += 1) log.note(call('tnt_1', '/refused'), true);
    expect([log.hasRoom('tnt_1', true), log.hasRoom('tnt_1', false)]).toEqual([false, true]);
    clock.advance(60_000);
    log.note(call('tnt_1', '/refused'), true);
    log.note(call('tnt_1'));
    await log.flush();
    expect(kept.filter(({ path }) => path === '/refused')).toHaveLength(6);
    expect(kept).toHaveLength(7);
  });

  test('keeps the calls of a store that is out, for a while', async () => {
    failures = 4;
    log.note(call('tnt_1', '/first'));
    for (let write = 0; write < 4; write += 1) await log.flush();
    log.note(call('tnt_1', '/second'));
    await log.stop();
    expect(kept.map(({ path }) => path)).toEqual(['/first', '/second']);

    failures = 5;
    log.note(call('tnt_1', '/too late'));
    for (let write = 0; write < 6; write += 1) await log.flush();
    expect(kept).toHaveLength(2);
  });
});
