import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import { sampleKey } from '../testing/sample-key.ts';
import { composeKey, hashKey } from './domain/api-key.ts';
import type { KeyRecord, KnownKey } from './domain/key.ts';
import { SessionTokens } from './domain/session.ts';
import { type ActiveKey, KeyRing, type KeyRingOptions } from './key-ring.ts';

/** The key that the ring knows. */
const key = composeKey('sandbox', new Uint8Array(24).fill(1));

/** Its record. */
function record(over: Partial<KeyRecord> = {}): KeyRecord {
  return sampleKey({ hash: hashKey(key), ...over });
}

/** Tokens of the installation. */
const tokens = new SessionTokens(['a-secret-for-tests-of-at-least-32-characters']);

/** A key that is well-formed and was never issued. */
const guessed = (number: number): string => composeKey('sandbox', new Uint8Array(24).fill(number));

/** Rings over a store with one key. */
function setUp() {
  const clock = new ManualClock(1_000_000);
  const store = { record: record(), reads: 0 };
  const keys = {
    async findByHash(hash: string): Promise<KnownKey | undefined> {
      store.reads += 1;
      return hash === store.record.hash ? { record: store.record, tenantStatus: 'active' } : undefined;
    },
  };
  const ring = (from: KeyRingOptions['keys'] = keys): KeyRing =>
    new KeyRing({ environment: 'sandbox', keys: from, clock, limitFailures: true, sessions: tokens });
  return { clock, store, ring };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the key ring', () => {
  test('responds at once for a key seen a moment ago, with the same principal', async () => {
    const { ring, store } = setUp();
    const keys = ring();
    const first = await keys.authenticate(key, 'a');
    const second = keys.authenticate(key, 'a');
    expect(second).not.toBeInstanceOf(Promise);
    expect((await second).principal).toBe(first.principal);
    expect(store.reads).toBe(1);
  });

  test('looks a key up once, however many requests wait for it', async () => {
    const { ring, store } = setUp();
    const keys = ring();
    await Promise.all(Array.from({ length: 50 }, () => keys.authenticate(key, 'a')));
    expect(store.reads).toBe(1);
  });

  test('a revocation by another process is seen within 5 s', async () => {
    const { ring, store, clock } = setUp();
    const keys = ring();
    await keys.authenticate(key, 'a');
    store.record = record({ revokedAt: clock.now() });
    clock.advance(4400);
    expect((await keys.authenticate(key, 'a')).known.record.revokedAt).toBeNull();
    clock.advance(590);
    expect((await keys.authenticate(key, 'a')).known.record.revokedAt).not.toBeNull();
  });

  test('looks up keys and wrong keys again after the clock was set back', async () => {
    const { ring, store, clock } = setUp();
    const keys = ring();
    await keys.authenticate(key, 'a');
    await expect(keys.authenticate(guessed(2), 'a')).rejects.toMatchObject({ code: '40003' });
    store.record = record({ revokedAt: clock.now() });
    clock.advance(-1000);
    expect((await keys.authenticate(key, 'a')).known.record.revokedAt).not.toBeNull();
    store.record = record({ hash: hashKey(guessed(2)) });
    expect((await keys.authenticate(guessed(2), 'a')).known.record.hash).toBe(hashKey(guessed(2)));
  });

  test('forgets a changed key at once', async () => {
    const { ring, store } = setUp();
    const keys = ring();
    await keys.authenticate(key, 'a');
    store.record = record({ description: 'changed' });
    keys.forgetHash(hashKey(key));
    expect((await keys.authenticate(key, 'a')).known.record.description).toBe('changed');
  });

  test('refuses what cannot be a key without a look-up, and limits who keeps guessing', async () => {
    const { ring, store } = setUp();
    const keys = ring();
    await expect(keys.authenticate('nonsense', 'a')).rejects.toMatchObject({ code: '40003' });
    await expect(keys.authenticate(key.replace('pf_test_', 'pf_live_'), 'a')).rejects.toMatchObject({ code: '40003' });
    expect(store.reads).toBe(0);
    for (let guess = 2; guess < 100; guess += 1)
      await expect(keys.authenticate(guessed(guess), 'a')).rejects.toMatchObject({ code: '40003' });
    expect(store.reads).toBe(98);
    for (const wrong of ['nonsense', guessed(100)]) {
      await expect(keys.authenticate(wrong, 'a')).rejects.toMatchObject({ code: '42901', retryAfterSeconds: 1 });
    }
  });

  test('accepts a good key that it has not seen from an address that keeps guessing, in every replica', async () => {
    const { ring } = setUp();
    for (const keys of [ring(), ring()]) {
      for (let guess = 0; guess < 150; guess += 1) await expect(keys.authenticate('nonsense', 'a')).rejects.toBeInstanceOf(Error);
      await expect(keys.authenticate('nonsense', 'a')).rejects.toMatchObject({ code: '42901' });
      expect((await keys.authenticate(key, 'a')).known.record.keyId).toBe('key_1');
    }
  });

  test('looks a wrong key up once in 4.5 seconds, however often it comes', async () => {
    const { ring, store, clock } = setUp();
    const keys = ring();
    for (let attempt = 0; attempt < 150; attempt += 1) await expect(keys.authenticate(guessed(2), 'a')).rejects.toBeInstanceOf(Error);
    expect(store.reads).toBe(1);
    clock.advance(4499);
    await expect(keys.authenticate(guessed(2), 'a')).rejects.toBeInstanceOf(Error);
    expect(store.reads).toBe(1);
    // A key that was issued meanwhile is found.
    store.record = record({ hash: hashKey(guessed(2)) });
    clock.advance(1);
    expect((await keys.authenticate(guessed(2), 'a')).known.record.keyId).toBe('key_1');
  });

  test('looks up a few keys at a time for addresses that keep guessing, and holds up nobody else', async () => {
    const asked: { readonly hash: string; readonly end: (key?: KnownKey) => void }[] = [];
    const findByHash = (hash: string) => new Promise<KnownKey | undefined>((end) => asked.push({ hash, end }));
    const keys = setUp().ring({ findByHash });
    for (const address of ['a', 'b', 'c']) {
      for (let guess = 0; guess < 101; guess += 1) await expect(keys.authenticate('nonsense', address)).rejects.toBeInstanceOf(Error);
    }
    /** The outcomes are looked at later. */
    const attempt = (guess: string, address: string): Promise<ActiveKey> => {
      const result = Promise.resolve(keys.authenticate(guess, address));
      result.catch(() => undefined);
      return result;
    };
    const guesses = Array.from({ length: 40 }, (_, guess) => attempt(guessed(guess + 2), guess % 2 ? 'a' : 'b'));
    const good = attempt(key, 'a');
    await settled();
    const atOnce = asked.length;
    expect(atOnce).toBeLessThanOrEqual(15);
    const elsewhere = attempt(guessed(98), 'd');
    // Another guesser does not wait behind those of the two.
    attempt(guessed(99), 'c');
    await settled();
    expect(asked).toHaveLength(atOnce + 2);
    for (let index = 0; index < asked.length; index += 1) {
      const { hash, end } = asked[index] as (typeof asked)[number];
      end(hash === hashKey(key) ? { record: record(), tenantStatus: 'active' } : undefined);
      await settled();
      expect(asked.length - index).toBeLessThanOrEqual(18);
    }
    for (const each of guesses) await expect(each).rejects.toMatchObject({ code: '42901' });
    await expect(elsewhere).rejects.toMatchObject({ code: '40003' });
    expect((await good).known.record.keyId).toBe('key_1');
  });

  test('the addresses of one IPv6 network count as one guesser', async () => {
    const { ring } = setUp();
    const keys = ring();
    for (let guess = 0; guess < 101; guess += 1) {
      await expect(keys.authenticate('nonsense', `2001:db8:0:1::${guess.toString(16)}`)).rejects.toBeInstanceOf(Error);
    }
    await expect(keys.authenticate('nonsense', '2001:db8:0:1:aaaa:bbbb:cccc:dddd')).rejects.toMatchObject({ code: '42901' });
    await expect(keys.authenticate('nonsense', '2001:db8:0:2::1')).rejects.toMatchObject({ code: '40003' });
    await expect(keys.authenticate('nonsense', '::ffff:192.0.2.1')).rejects.toMatchObject({ code: '40003' });
  });
});

test('a key in use has a bucket for each class of routes, named after the key and the class', async () => {
  const { ring } = setUp();
  expect((await ring().authenticate(key, 'a')).buckets).toEqual({
    standard: { name: 'key_1:standard', rule: { perSecond: 20, burst: 200 } },
    upload: { name: 'key_1:upload', rule: { perSecond: 5, burst: 50 } },
    tracking: { name: 'key_1:tracking', rule: { perSecond: 10, burst: 100 } },
    batch: { name: 'key_1:batch', rule: { perSecond: 2, burst: 20 } },
  });
});

describe('sessions', () => {
  test('are found without a promise once their key is known, and end when it is revoked', async () => {
    const { ring, store, clock } = setUp();
    const keys = ring();
    const token = tokens.seal(store.record.hash, ['weighing:read'], clock.now() + 60_000);
    const first = await keys.authenticate(token, 'a');
    expect(first).toMatchObject({ session: { kind: 'link', expiresAt: clock.now() + 60_000 }, principal: { keyId: 'key_1' } });
    const second = keys.authenticate(token, 'a');
    expect(second).not.toBeInstanceOf(Promise);
    expect((await second).principal).toEqual(first.principal);
    expect((await keys.authenticate(key, 'a')).session).toBeNull();
    expect(store.reads).toBe(1);
    store.record = record({ revokedAt: clock.now() });
    keys.forgetHash(store.record.hash);
    expect((await keys.authenticate(token, 'a')).known.record.revokedAt).toBe(clock.now());
  });

  /** The codes with which a ring refuses a token that is sent 200 times. */
  async function refusalsOf(keys: KeyRing, token: string): Promise<string[]> {
    const codes = new Set<string>();
    for (let tried = 0; tried < 200; tried += 1) {
      try {
        await keys.authenticate(token, 'a');
      } catch (error) {
        codes.add((error as { code: string }).code);
      }
    }
    return [...codes];
  }

  test('that have ended are no guesses: nobody else at the address pays for a page that still asks', async () => {
    const { ring, store, clock } = setUp();
    const keys = ring();
    for (const ended of [tokens.seal(store.record.hash, null, clock.now()), tokens.seal('gone', null, clock.now() + 60_000)])
      expect(await refusalsOf(keys, ended)).toEqual(['40003']);
    expect(store.reads).toBe(1);
    expect((await keys.authenticate(key, 'a')).known.record.keyId).toBe('key_1');
    await expect(keys.authenticate(guessed(3), 'a')).rejects.toMatchObject({ code: '40003' });
  });

  test('that were not made here are guesses', async () => {
    const { ring, store, clock } = setUp();
    const forged = new SessionTokens(['another-secret-of-at-least-32-characters']).seal(store.record.hash, null, clock.now() + 60_000);
    expect(await refusalsOf(ring(), forged)).toEqual(['40003', '42901']);
    expect(store.reads).toBe(0);
  });
});

const FORMER = 'the-former-secret-of-the-installation-'.padEnd(40, 'f');
const CURRENT = 'the-current-secret-of-the-installation'.padEnd(40, 'c');

test('several gateways take the tokens of each other while a secret is replaced, and those of the former one end with it', () => {
  const before = new SessionTokens([FORMER, CURRENT]);
  const during = new SessionTokens([CURRENT, FORMER]);
  const after = new SessionTokens([CURRENT]);
  const [old, made] = [before.seal('h', null, 7), during.seal('h', null, 7)];
  expect([before.open(made), during.open(old), after.open(made)].every((opened) => opened?.keyHash === 'h')).toBe(true);
  expect(after.open(old)).toBeUndefined();
});

test('what was changed, or sealed for another purpose, opens nothing', () => {
  const tokens = new SessionTokens([CURRENT]);
  const token = tokens.seal('h', ['weighing:read'], 7);
  const content = token.lastIndexOf('.') + 1;
  for (let at = content; at < token.length - 1; at += 7) {
    const other = token[at] === 'A' ? 'B' : 'A';
    expect(tokens.open(token.slice(0, at) + other + token.slice(at + 1))).toBeUndefined();
  }
  expect(tokens.open(`pfs_${createTextSealer([CURRENT]).seal('[1,"h",null,7]', 'a recorded response')}`)).toBeUndefined();
});
