import { describe, expect, test } from '@jest/globals';
import { endpointFor } from '../../testing/webhook-fixtures.ts';
import { afterAttempts, disable, isPauseOver, MAX_PAUSE_MS } from './disabling.ts';
import { change, type Endpoint, leasable } from './endpoint.ts';

const NOW = Date.parse('2026-11-21T08:00:00Z');
const HOUR = 3_600_000;
const endpoint = endpointFor('tnt_one', { endpointId: 'we_1', createdAt: NOW, updatedAt: NOW });

describe('endpoints', () => {
  test('are paused until they are enabled, and disabled when the pause lasts too long', () => {
    const paused = change({ ...endpoint, failingSince: NOW }, { status: 'paused' }, NOW);
    expect(paused).toMatchObject({ status: 'paused', pausedAt: NOW, failingSince: NOW });
    expect(change(paused, { status: 'paused' }, NOW + HOUR)).toMatchObject({ pausedAt: NOW });
    expect([isPauseOver(paused, NOW + MAX_PAUSE_MS - 1), isPauseOver(paused, NOW + MAX_PAUSE_MS)]).toEqual([false, true]);
    expect(disable(paused, 'pause_expired', NOW + 1)).toMatchObject({ status: 'disabled', pausedAt: null, disablingToPublish: NOW + 1 });
    expect(change(paused, { status: 'enabled' }, NOW)).toMatchObject({ status: 'enabled', pausedAt: null, failingSince: null });
    expect(isPauseOver(endpoint, Number.MAX_SAFE_INTEGER)).toBe(false);
  });

  test('have deliveries leased only while they may be sent to', () => {
    const circuit = { openUntil: NOW + 1000, cooldownMs: 1000 };
    const given = (some: Partial<Endpoint>, now = NOW) => leasable({ ...endpoint, ...some }, 10, now);
    expect([given({}), given({ status: 'paused' }), given({ status: 'disabled' })]).toEqual([10, 0, 0]);
    expect([given({ circuit }), given({ circuit }, NOW + 1000)]).toEqual([0, 1]);
  });

  test('are slowed down until the later of two ends, and not at all once they are paused', () => {
    const report = (slowedUntil: number) => ({ anySucceeded: false, firstFailureAt: null, gone: false, restraint: { slowedUntil } });
    const slowed = afterAttempts(endpoint, report(NOW + 60_000), NOW);
    expect(slowed.slowedUntil).toBe(NOW + 60_000);
    expect(afterAttempts(slowed, report(NOW + 2_000), NOW)).toBe(slowed);
    expect(afterAttempts({ ...slowed, status: 'paused' }, report(NOW + 90_000), NOW).slowedUntil).toBe(NOW + 60_000);
    const mixed = { ...report(NOW + 2_000), anySucceeded: true };
    expect(afterAttempts(slowed, mixed, NOW).slowedUntil).toBe(NOW + 2_000);
    expect(afterAttempts(slowed, { ...mixed, restraint: {} }, NOW).slowedUntil).toBeNull();
  });
});

test('no more deliveries are leased than are wanted', () => {
  expect(leasable({ ...endpoint, circuit: { openUntil: NOW, cooldownMs: 1 } }, 0, NOW)).toBe(0);
});
