import { describe, expect, test } from '@jest/globals';
import { endpointFor } from '../../testing/webhook-fixtures.ts';
import { afterAttempts, leasable } from './endpoint.ts';

const NOW = Date.parse('2026-11-21T08:00:00Z');
const endpoint = endpointFor('tnt_one', { endpointId: 'we_1', createdAt: NOW, updatedAt: NOW });

describe('after attempts', () => {
  const nothing = { anySucceeded: false, firstFailureAt: null, gone: false, restraint: {} };

  test('a healthy endpoint that has nothing new stays the same object', () => {
    expect(afterAttempts(endpoint, nothing, NOW)).toBe(endpoint);
    expect(afterAttempts(endpoint, { ...nothing, anySucceeded: true }, NOW)).toBe(endpoint);
  });

  test.each([{ failingSince: NOW }, { circuit: { openUntil: NOW, cooldownMs: 1 } }, { slowedUntil: NOW }])(
    'a success ends what is left of %j',
    (given) => {
      expect(afterAttempts({ ...endpoint, ...given }, { ...nothing, anySucceeded: true }, NOW)).toEqual(endpoint);
    },
  );

  test('a 410 disables it, whatever else', () => {
    expect(afterAttempts(endpoint, { ...nothing, anySucceeded: true, gone: true }, NOW)).toMatchObject({
      status: 'disabled',
      disabledReason: 'gone',
    });
  });

  test('a circuit opens unless it is not sent to', () => {
    const circuit = { openUntil: NOW + 1, cooldownMs: 1 };
    const report = { ...nothing, firstFailureAt: NOW, restraint: { circuit } };
    expect(afterAttempts(endpoint, report, NOW).circuit).toBe(circuit);
    expect(afterAttempts({ ...endpoint, status: 'paused' }, report, NOW).circuit).toBeNull();
  });
});

test('no more deliveries are leased than are wanted', () => {
  expect(leasable({ ...endpoint, circuit: { openUntil: NOW, cooldownMs: 1 } }, 0, NOW)).toBe(0);
});
