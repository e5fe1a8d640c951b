import { describe, expect, test } from '@jest/globals';
import { endpointFor } from '../../testing/webhook-fixtures.ts';
import { afterAttempts, disable, FAILING_LIMIT_MS } from './disabling.ts';
import { change } from './endpoint.ts';
import { FORMER_SECRET_MS, rotate } from './signing-secrets.ts';

const NOW = Date.parse('2026-11-21T08:00:00Z');
const HOUR = 3_600_000;
const endpoint = endpointFor('tnt_one', { endpointId: 'we_1', createdAt: NOW, updatedAt: NOW });

describe('endpoints', () => {
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
