import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import type { IdempotencyRecord } from '@parcelway/kernel/idempotency-store';
import { IDEMPOTENCY_KEPT_MS } from '@parcelway/kernel/idempotency-store';
import { CLAIM_MS, idempotencyKeyOf, judge } from './idempotency.ts';

const T0 = 1_000_000;

const response = { status: 200, body: '{}' };

const known = (over: Partial<IdempotencyRecord> = {}): IdempotencyRecord => ({
  ownerId: 'tnt_a',
  route: 'createEndpoint',
  key: 'k',
  fingerprint: 'same',
  seed: 'seed',
  claim: 'claim',
  claimedUntil: T0 + CLAIM_MS,
  createdAt: T0,
  response: null,
  ...over,
});

describe('a request with a known key', () => {
  test('is replayed until 24 hours are over', () => {
    const done = known({ response });
    expect(judge(done, 'same', T0 + IDEMPOTENCY_KEPT_MS - 1)).toEqual({ kind: 'replay', response });
    expect(judge(done, 'same', T0 + IDEMPOTENCY_KEPT_MS)).toEqual({ kind: 'claim', seed: undefined, createdAt: T0 + IDEMPOTENCY_KEPT_MS });
    expect(judge(done, 'other', T0 + IDEMPOTENCY_KEPT_MS)).toEqual({ kind: 'claim', seed: undefined, createdAt: T0 + IDEMPOTENCY_KEPT_MS });
  });

  test('is refused with other content, whether done, running or expired', () => {
    expect(judge(known({ response }), 'other', T0)).toEqual({ kind: 'other-content' });
    expect(judge(known(), 'other', T0)).toEqual({ kind: 'other-content' });
    expect(judge(known(), 'other', T0 + CLAIM_MS)).toEqual({ kind: 'other-content' });
  });

  test('waits while another attempt runs, and takes over with its seed when that attempt expires', () => {
    expect(judge(known(), 'same', T0 + CLAIM_MS - 1)).toEqual({ kind: 'running' });
    expect(judge(known(), 'same', T0 + CLAIM_MS)).toEqual({ kind: 'claim', seed: 'seed', createdAt: T0 });
  });

  test('goes on after a failure: with the same content under the same seed, with other content afresh', () => {
    const failed = known({ claimedUntil: 0 });
    expect(judge(failed, 'same', T0 + 1)).toEqual({ kind: 'claim', seed: 'seed', createdAt: T0 });
    expect(judge(failed, 'other', T0 + 1)).toEqual({ kind: 'claim', seed: undefined, createdAt: T0 + 1 });
  });
});

const keyOf = (value?: string): string | undefined =>
  idempotencyKeyOf({ headers: value === undefined ? {} : { 'idempotency-key': value } } as unknown as IncomingMessage);

test.each<[string | undefined, string | undefined]>([
  [undefined, undefined],
  ['a', 'a'],
  ['~'.repeat(64), '~'.repeat(64)],
  ['"8e03978e-40d5"', '8e03978e-40d5'],
  ['"a\\"b\\\\c"', 'a"b\\c'],
  ['a"b', 'a"b'],
])('%p is the key %p', (given, key) => {
  expect(keyOf(given)).toBe(key);
});

test.each(['', ' ', 'a b', 'ü', 'a'.repeat(65), '""', '"', '"a', '"a"b', '"a b"', '"a\\c"', `"${'a'.repeat(65)}"`, 'one, two'])(
  '%p is refused by the name of the header',
  (given) => {
    const errors = [expect.objectContaining({ field: 'Idempotency-Key' })];
    expect(() => keyOf(given)).toThrow(expect.objectContaining({ code: '42201', data: { errors } }));
  },
);
