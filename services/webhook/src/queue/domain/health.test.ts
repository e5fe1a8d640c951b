import { describe, expect, test } from '@jest/globals';
import type { Delivery } from '../../intake/domain/delivery.ts';
import { leasedOf, resultOf, T0 } from '../../testing/webhook-fixtures.ts';
import { countsForHealth, healthOf } from './health.ts';

describe('the health of an endpoint', () => {
  test('failed test events, and failed news of a disabling, say nothing of their health', () => {
    const failureOf = (given: Partial<Delivery>) => healthOf([resultOf(leasedOf(given), 'failed')]).firstFailureAt;
    expect(failureOf({ test: true })).toBeNull();
    expect(failureOf({ eventType: 'endpoint.disabled' })).toBeNull();
    expect(failureOf({})).toBe(T0);
  });

  test('counts failures of events that the tenant subscribes to', () => {
    const counts = (given: Partial<Delivery>) => countsForHealth(leasedOf(given).delivery);
    expect([counts({}), counts({ test: true }), counts({ eventType: 'endpoint.disabled' })]).toEqual([true, false, false]);
  });

  test('is that nothing is known of it without attempts', () => {
    expect(healthOf([])).toEqual({ anySucceeded: false, firstFailureAt: null, gone: false, restraint: {} });
  });

  test('shows any success, the first failure and any 410', () => {
    const at = (startedAt: number, status: 'succeeded' | 'failed') => {
      const result = resultOf(leasedOf(), status);
      return { ...result, attempt: { ...result.attempt, startedAt } };
    };
    expect(healthOf([at(T0 + 5, 'failed'), at(T0 + 2, 'failed'), at(T0 + 1, 'succeeded')])).toMatchObject({
      anySucceeded: true,
      firstFailureAt: T0 + 2,
      gone: false,
    });
    expect(healthOf([at(T0, 'failed'), { ...at(T0, 'failed'), gone: true }])).toMatchObject({ anySucceeded: false, gone: true });
  });

  test('is held back by what was learnt since the last success', () => {
    const failed = (restraint: object) => ({ ...resultOf(leasedOf(), 'failed'), restraint });
    const circuit = { openUntil: T0, cooldownMs: 1000 };
    const held = (...results: Parameters<typeof healthOf>[0][number][]) => healthOf(results).restraint;
    expect(held(failed({ circuit }), failed({ slowedUntil: 5 }))).toEqual({ circuit, slowedUntil: 5 });
    expect(held(failed({ slowedUntil: 5 }), failed({ slowedUntil: 7 }))).toEqual({ slowedUntil: 7 });
    expect(held(failed({ circuit }), resultOf(leasedOf(), 'succeeded'))).toEqual({});
    expect(held(failed({ circuit }), resultOf(leasedOf(), 'succeeded'), failed({ slowedUntil: 5 }))).toEqual({ slowedUntil: 5 });
  });
});
