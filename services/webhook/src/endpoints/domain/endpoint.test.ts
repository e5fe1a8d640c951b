import { describe, expect, test } from '@jest/globals';
import { endpointFor } from '../../testing/webhook-fixtures.ts';
import { afterAttempts, disable, disablingPublished, FAILING_LIMIT_MS, isPauseOver, MAX_PAUSE_MS } from './disabling.ts';
import { change, type Endpoint, leasable } from './endpoint.ts';
import { activeSecrets, FORMER_SECRET_MS, rotate, SECRET_BYTES, secretOf } from './signing-secrets.ts';

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
});

describe('a change', () => {
  test('replaces what it names, an empty limit too', () => {
    const patch = {
      url: 'https://other.example/',
      eventTypes: ['tracking.changed'],
      description: 'x',
      filter: { is_terminal: true },
      headers: { A: 'b' },
      metadata: { team: 'ops' },
      rateLimit: 5,
    } as const;
    expect(change(endpoint, patch, NOW)).toEqual({ ...endpoint, ...patch, updatedAt: NOW + 1 });
    expect(change({ ...endpoint, rateLimit: 5 }, { rateLimit: null }, NOW).rateLimit).toBeNull();
    expect(change({ ...endpoint, rateLimit: 5 }, {}, NOW).rateLimit).toBe(5);
  });

  test('of the URL takes away what was known of the receiver; the same URL does not', () => {
    const known = { ...endpoint, slowedUntil: NOW + 5, failingSince: NOW, circuit: { openUntil: NOW, cooldownMs: 1 } };
    expect(change(known, { url: 'https://other.example/' }, NOW)).toMatchObject({ slowedUntil: null, failingSince: null, circuit: null });
    expect(change(known, { url: known.url }, NOW)).toMatchObject({ slowedUntil: NOW + 5, failingSince: NOW, circuit: known.circuit });
    expect(change(known, { status: 'paused' }, NOW)).toMatchObject({ slowedUntil: null, circuit: null, failingSince: NOW });
  });

  test('of the status to the one that it has changes nothing', () => {
    const known = { ...endpoint, slowedUntil: NOW + 5, failingSince: NOW };
    expect(change(known, { status: 'enabled' }, NOW)).toEqual({ ...known, updatedAt: NOW + 1 });
  });
});

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

describe('endpoints', () => {
  test('sign with both secrets for exactly a day after a rotation', () => {
    const rotated = rotate(endpoint, 'whsec_b', false, NOW);
    expect(activeSecrets(rotated, NOW + FORMER_SECRET_MS - 1)).toEqual(['whsec_b', 'whsec_a']);
    expect(activeSecrets(rotated, NOW + FORMER_SECRET_MS)).toEqual(['whsec_b']);
    expect(activeSecrets(rotate(rotated, 'whsec_c', false, NOW), NOW)).toEqual(['whsec_c', 'whsec_b']);
    expect(activeSecrets(rotate(rotated, 'whsec_c', true, NOW), NOW)).toEqual(['whsec_c']);
  });
});

describe('a secret', () => {
  test('is written as Standard Webhooks has it', () => {
    expect(secretOf(new Uint8Array(SECRET_BYTES))).toBe(`whsec_${'A'.repeat(43)}=`);
  });

  test('that is former signs only with an end of its time', () => {
    expect(activeSecrets({ ...endpoint, formerSecret: 'whsec_b' }, NOW)).toEqual(['whsec_a']);
    expect(activeSecrets({ ...endpoint, formerSecretUntil: NOW + 1 }, NOW)).toEqual(['whsec_a']);
  });

  test('that ends at once has no end in the future', () => {
    expect(rotate(endpoint, 'whsec_b', true, NOW)).toMatchObject({ secret: 'whsec_b', formerSecret: null, formerSecretUntil: null });
    expect(rotate(endpoint, 'whsec_b', false, NOW)).toMatchObject({ formerSecret: 'whsec_a', formerSecretUntil: NOW + FORMER_SECRET_MS });
  });
});
