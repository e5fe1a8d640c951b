import { describe, expect, test } from '@jest/globals';
import { endpointFor } from '../../testing/webhook-fixtures.ts';
import { afterAttempts } from './disabling.ts';
import { change } from './endpoint.ts';

const NOW = Date.parse('2026-11-21T08:00:00Z');
const endpoint = endpointFor('tnt_one', { endpointId: 'we_1', createdAt: NOW, updatedAt: NOW });

describe('endpoints', () => {
  test('close their circuit with the first success, and with another URL', () => {
    const open = { ...endpoint, circuit: { openUntil: NOW, cooldownMs: 1000 } };
    expect(afterAttempts(open, { anySucceeded: true, firstFailureAt: null, gone: false, restraint: {} }, NOW).circuit).toBeNull();
    expect(change(open, { url: 'https://other.example/' }, NOW).circuit).toBeNull();
    expect(change(open, { url: open.url, description: 'x' }, NOW).circuit).toBe(open.circuit);
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
