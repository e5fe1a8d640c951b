import { describe, expect, test } from '@jest/globals';
import { endpointFor } from '../../testing/webhook-fixtures.ts';
import { afterAttempts, change, disable, disablingPublished, FAILING_LIMIT_MS, FORMER_SECRET_MS, rotate } from './endpoint.ts';

const NOW = Date.parse('2026-11-21T08:00:00Z');
const HOUR = 3_600_000;
const endpoint = endpointFor('tnt_one', { endpointId: 'we_1', createdAt: NOW, updatedAt: NOW });

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

  test('have a later time after each change, though the clock of who makes it is behind', () => {
    const changed = change(endpoint, { url: 'https://new.example/' }, NOW - HOUR);
    const rotated = rotate(changed, 'whsec_b', false, NOW - HOUR);
    const disabled = disable(rotated, 'failing', NOW - HOUR);
    const times = [endpoint, changed, rotated, disabled, change(disabled, { status: 'enabled' }, NOW + HOUR)].map(
      ({ updatedAt }) => updatedAt,
    );
    expect(times).toEqual([NOW, NOW + 1, NOW + 2, NOW + 3, NOW + HOUR]);
    expect(rotated.formerSecretUntil).toBe(NOW - HOUR + FORMER_SECRET_MS);
  });

  test('have no disabling to publish when the tenant disabled them, and none any more once it was published', () => {
    expect(change(endpoint, { status: 'disabled' }, NOW)).toMatchObject({ disabledReason: 'tenant', disablingToPublish: null });
    const gone = disable(endpoint, 'gone', NOW);
    expect(disablingPublished(gone).disablingToPublish).toBeNull();
    expect(disablingPublished(endpoint)).toBe(endpoint);
    expect(change(gone, { status: 'enabled' }, NOW).disablingToPublish).toBeNull();
  });

  test('have failed at the URL that they have, not at one that they have left', () => {
    const failing = { ...endpoint, failingSince: NOW - FAILING_LIMIT_MS + 1 };
    const moved = change(failing, { url: 'https://other.example/' }, NOW);
    expect(afterAttempts(moved, { anySucceeded: false, firstFailureAt: NOW, gone: false, restraint: {} }, NOW + HOUR)).toMatchObject({
      status: 'enabled',
      failingSince: NOW,
    });
    expect(change(failing, { url: failing.url }, NOW).failingSince).toBe(failing.failingSince);
  });
});
