import { describe, expect, test } from '@jest/globals';
import { endpointFor } from '../../testing/webhook-fixtures.ts';
import { afterAttempts, disable, disablingPublished, FAILING_LIMIT_MS, isPauseOver, MAX_PAUSE_MS } from './disabling.ts';
import { change, type Endpoint } from './endpoint.ts';
import { activeSecrets, FORMER_SECRET_MS, rotate, SECRET_BYTES, secretOf } from './signed-headers.ts';

const NOW = Date.parse('2026-11-21T08:00:00Z');
const HOUR = 3_600_000;
const endpoint = endpointFor('tnt_one', { endpointId: 'we_1', createdAt: NOW, updatedAt: NOW });
/** State that attempts store at an endpoint. */
const learnt = { slowedUntil: NOW + 5, failingSince: NOW };
const nothingLearnt = { slowedUntil: null, failingSince: null };

test('each change has a later time, even when the clock is behind', () => {
  const changed = change(endpoint, { url: 'https://new.example/' }, NOW - HOUR);
  const rotated = rotate(changed, 'whsec_bbbb', false, NOW - HOUR);
  const disabled = disable(rotated, 'failing', NOW - HOUR);
  const all = [changed, rotated, disabled, change(disabled, { status: 'enabled' }, NOW + HOUR)];
  expect(all.map(({ updatedAt }) => updatedAt)).toEqual([NOW + 1, NOW + 2, NOW + 3, NOW + HOUR]);
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
      payload: 'full',
    } as const;
    expect(change(endpoint, patch, NOW)).toEqual({ ...endpoint, ...patch, updatedAt: NOW + 1 });
    expect(change(endpoint, {}, NOW)).toEqual({ ...endpoint, updatedAt: NOW + 1 });
    expect(change({ ...endpoint, rateLimit: 5 }, { rateLimit: null }, NOW).rateLimit).toBeNull();
    expect(change({ ...endpoint, rateLimit: 5 }, {}, NOW).rateLimit).toBe(5);
  });

  test.each<[string, Partial<Endpoint>, Parameters<typeof change>[1], Partial<Endpoint>]>([
    ['a new URL', learnt, { url: 'https://other.example/' }, nothingLearnt],
    ['the same URL', learnt, { url: endpoint.url }, learnt],
    ['a pause', learnt, { status: 'paused' }, { ...nothingLearnt, status: 'paused', pausedAt: NOW, failingSince: NOW }],
    ['the same status', learnt, { status: 'enabled' }, learnt],
    [
      'the end of a pause',
      { status: 'paused', pausedAt: NOW - 5, failingSince: NOW },
      { status: 'enabled' },
      { pausedAt: null, failingSince: null },
    ],
    ['a pause of what is paused', { status: 'paused', pausedAt: NOW - 5 }, { status: 'paused' }, { pausedAt: NOW - 5 }],
    ['a disabling', learnt, { status: 'disabled' }, { disabledReason: 'tenant', disablingToPublish: null, slowedUntil: null }],
    ['a second disabling', { status: 'disabled', disabledReason: 'gone' }, { status: 'disabled' }, { disabledReason: 'gone' }],
    [
      'the end of a disabling',
      { status: 'disabled', disabledReason: 'gone', disablingToPublish: NOW, failingSince: NOW },
      { status: 'enabled' },
      { status: 'enabled', disabledReason: null, disablingToPublish: null, failingSince: null },
    ],
  ])('that is %s', (_what, given, patch, expected) => {
    expect(change({ ...endpoint, ...given }, patch, NOW)).toMatchObject(expected);
  });
});

describe('after attempts', () => {
  const nothing = { anySucceeded: false, firstFailureAt: null, gone: false, slowedUntil: null };
  const good = { ...nothing, anySucceeded: true };

  test('an endpoint that has nothing new stays the same object', () => {
    expect(afterAttempts(endpoint, nothing, NOW)).toBe(endpoint);
    expect(afterAttempts(endpoint, good, NOW)).toBe(endpoint);
  });

  test.each(Object.entries(learnt))('a success ends what is left of %s', (name, value) => {
    expect(afterAttempts({ ...endpoint, [name]: value }, good, NOW)).toEqual(endpoint);
  });

  test('a 410 disables it, whatever else', () => {
    expect(afterAttempts(endpoint, { ...good, gone: true }, NOW)).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
  });

  test('it is slowed down until the later of two ends, and not at all once it is paused', () => {
    const report = (slowedUntil: number) => ({ ...nothing, slowedUntil });
    const slowed = afterAttempts(endpoint, report(NOW + 60_000), NOW);
    expect(slowed.slowedUntil).toBe(NOW + 60_000);
    expect(afterAttempts(slowed, report(NOW + 2_000), NOW)).toBe(slowed);
    expect(afterAttempts({ ...slowed, status: 'paused' }, report(NOW + 90_000), NOW).slowedUntil).toBe(NOW + 60_000);
    expect(afterAttempts(slowed, { ...report(NOW + 2_000), anySucceeded: true }, NOW).slowedUntil).toBe(NOW + 2_000);
  });

  test('it is disabled after five days of nothing but failure, and not a moment before', () => {
    const failing = afterAttempts(endpoint, { ...nothing, firstFailureAt: NOW }, NOW);
    expect(failing).toMatchObject({ status: 'enabled', failingSince: NOW });
    const later = { ...nothing, firstFailureAt: NOW + HOUR };
    expect(afterAttempts(failing, later, NOW + FAILING_LIMIT_MS - 1)).toBe(failing);
    expect(afterAttempts(failing, later, NOW + FAILING_LIMIT_MS)).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
    const well = afterAttempts(failing, { ...later, anySucceeded: true }, NOW + FAILING_LIMIT_MS);
    expect(well).toMatchObject({ status: 'enabled', failingSince: null });
  });
});

describe('a disabling by the platform', () => {
  const gone = disable({ ...endpoint, slowedUntil: NOW + 5, pausedAt: NOW }, 'gone', NOW);

  test('clears the slow-down and the pause, keeps its first reason, and is published once', () => {
    const is = { status: 'disabled', disabledReason: 'gone', disablingToPublish: NOW, updatedAt: NOW + 1 };
    expect(gone).toEqual({ ...endpoint, ...is });
    expect(disable(gone, 'failing', NOW + 1)).toBe(gone);
    expect(disablingPublished(gone)).toEqual({ ...gone, disablingToPublish: null });
    expect(disablingPublished(endpoint)).toBe(endpoint);
  });

  test('follows a pause that lasts too long', () => {
    const paused = { ...endpoint, pausedAt: NOW };
    expect([isPauseOver(paused, NOW + MAX_PAUSE_MS - 1), isPauseOver(paused, NOW + MAX_PAUSE_MS)]).toEqual([false, true]);
    expect(isPauseOver(endpoint, Number.MAX_SAFE_INTEGER)).toBe(false);
  });
});

describe('the secrets of an endpoint', () => {
  test('are written as Standard Webhooks has it', () => {
    expect(secretOf(new Uint8Array(SECRET_BYTES))).toBe(`whsec_${'A'.repeat(43)}=`);
  });

  test('both sign for exactly a day after a rotation, or the new one alone', () => {
    const rotated = rotate(endpoint, 'whsec_bbbb', false, NOW);
    expect(activeSecrets(rotated, NOW + FORMER_SECRET_MS - 1)).toEqual(['whsec_bbbb', 'whsec_aaaa']);
    expect(activeSecrets(rotated, NOW + FORMER_SECRET_MS)).toEqual(['whsec_bbbb']);
    expect(activeSecrets(rotate(rotated, 'whsec_cccc', false, NOW), NOW)).toEqual(['whsec_cccc', 'whsec_bbbb']);
    expect(rotate(rotated, 'whsec_cccc', true, NOW)).toMatchObject({ secret: 'whsec_cccc', formerSecret: null, formerSecretUntil: null });
    // The rotation of a request that comes again.
    for (const secret of ['whsec_aaaa', 'whsec_bbbb']) expect(rotate(rotated, secret, false, NOW)).toBe(rotated);
  });

  test('are one when the former has no end, or the end no secret', () => {
    expect(activeSecrets({ ...endpoint, formerSecret: 'whsec_bbbb' }, NOW)).toEqual(['whsec_aaaa']);
    expect(activeSecrets({ ...endpoint, formerSecretUntil: NOW + 1 }, NOW)).toEqual(['whsec_aaaa']);
  });
});
