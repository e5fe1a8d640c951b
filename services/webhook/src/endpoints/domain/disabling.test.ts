import { describe, expect, test } from '@jest/globals';
import { endpointFor } from '../../testing/webhook-fixtures.ts';
import { afterAttempts, disable, disablingPublished, FAILING_LIMIT_MS } from './disabling.ts';
import { change } from './endpoint.ts';

const NOW = Date.parse('2026-11-21T08:00:00Z');
const HOUR = 3_600_000;
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

describe('endpoints', () => {
  test('are disabled after five days of nothing but failure, and not a moment before', () => {
    const failed = { anySucceeded: false, firstFailureAt: NOW, gone: false, restraint: {} };
    const failing = afterAttempts(endpoint, failed, NOW);
    expect(failing).toMatchObject({ status: 'enabled', failingSince: NOW });
    const later = { ...failed, firstFailureAt: NOW + HOUR };
    expect(afterAttempts(failing, later, NOW + FAILING_LIMIT_MS - 1)).toBe(failing);
    expect(afterAttempts(failing, later, NOW + FAILING_LIMIT_MS)).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
    const well = afterAttempts(failing, { ...later, anySucceeded: true }, NOW + FAILING_LIMIT_MS);
    expect(well).toMatchObject({ status: 'enabled', failingSince: null });
  });

  test('keep the first reason for which they were disabled, and start again when enabled', () => {
    const gone = disable({ ...endpoint, failingSince: NOW }, 'gone', NOW);
    expect(change(gone, { status: 'disabled' }, NOW).disabledReason).toBe('gone');
    expect(change(gone, { status: 'enabled' }, NOW)).toMatchObject({ status: 'enabled', disabledReason: null, failingSince: null });
    expect(change(endpoint, { description: 'x' }, NOW + 1)).toEqual({ ...endpoint, description: 'x', updatedAt: NOW + 1 });
  });

  test('have no disabling to publish when the tenant disabled them, and none any more once it was published', () => {
    expect(change(endpoint, { status: 'disabled' }, NOW)).toMatchObject({ disabledReason: 'tenant', disablingToPublish: null });
    const gone = disable(endpoint, 'gone', NOW);
    expect(disablingPublished(gone).disablingToPublish).toBeNull();
    expect(disablingPublished(endpoint)).toBe(endpoint);
    expect(change(gone, { status: 'enabled' }, NOW).disablingToPublish).toBeNull();
  });
});

describe('a disabling by the platform', () => {
  test('clears what holds back an endpoint that is sent to', () => {
    const known = { ...endpoint, slowedUntil: NOW + 5, circuit: { openUntil: NOW, cooldownMs: 1 } };
    expect(disable(known, 'gone', NOW)).toEqual({
      ...endpoint,
      status: 'disabled',
      disabledReason: 'gone',
      disablingToPublish: NOW,
      updatedAt: NOW + 1,
    });
  });

  test('changes nothing when it is disabled', () => {
    const gone = disable(endpoint, 'gone', NOW);
    expect(disable(gone, 'failing', NOW + 1)).toBe(gone);
  });
});
