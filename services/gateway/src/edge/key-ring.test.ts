import { describe, expect, test } from '@jest/globals';
import { guessed, key, record, setUp, sharedCache } from '../testing/key-ring.ts';
import { hashKey } from './domain/api-key.ts';
import type { KeyRecord, KnownKey } from './domain/key.ts';

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

  test('a revocation is seen within 5 s even if its news is lost, with a cache between', async () => {
    const { ring, store, clock } = setUp();
    const [filler, late] = [ring(), ring()];
    await filler.authenticate(key, 'a');
    store.record = record({ revokedAt: clock.now() });
    const revokedAt = clock.now();
    // The worst case: another replica takes the key from the shared cache at the last moment, and keeps it.
    clock.advance(2499);
    expect((await late.authenticate(key, 'a')).known.record.revokedAt).toBeNull();
    let seenAfter = 0;
    for (; seenAfter === 0; clock.advance(10)) {
      if ((await late.authenticate(key, 'a')).known.record.revokedAt !== null) seenAfter = clock.now() - revokedAt;
    }
    expect(seenAfter).toBeLessThan(5000);
  });

  test('forgets a key at once when asked to', async () => {
    const { ring, store, clock } = setUp();
    const keys = ring();
    await keys.authenticate(key, 'a');
    store.record = record({ revokedAt: clock.now() });
    keys.forget('key_2');
    expect((await keys.authenticate(key, 'a')).known.record.revokedAt).toBeNull();
    keys.forget('key_1');
    expect((await keys.authenticate(key, 'a')).known.record.revokedAt).not.toBeNull();
  });

  test('forgets a changed key at once, in the shared cache too', async () => {
    const { ring, store } = setUp();
    const [own, other] = [ring(), ring()];
    await own.authenticate(key, 'a');
    store.record = record({ description: 'changed' });
    own.forgetHash(hashKey(key));
    for (const keys of [own, other]) expect((await keys.authenticate(key, 'a')).known.record.description).toBe('changed');
  });

  test('reads the addresses of a key once', async () => {
    const { ring, store } = setUp();
    store.record = record({ allowedAddresses: ['192.0.2.0/24'] });
    const { addresses } = await ring().authenticate(key, 'a');
    expect(['192.0.2.1', '198.51.100.1'].map((address) => addresses?.has(address))).toEqual([true, false]);
  });

  test('reads a key in the store whose record a replica of an older release has put into the shared cache, and puts it right', async () => {
    const { clock, store, ring } = setUp();
    store.record = record({ allowedAddresses: ['192.0.2.0/24'] });
    const { allowedAddresses: _unknown, version: _missing, ...former } = store.record;
    const shared = sharedCache(clock);
    shared.set(hashKey(key), { record: former as KeyRecord, tenantStatus: 'active' }, 2500);
    const read = await ring(undefined, shared).authenticate(key, 'a');
    expect([read.addresses?.has('198.51.100.1'), read.known.record, store.reads]).toEqual([false, store.record, 1]);
    await ring(undefined, shared).authenticate(key, 'a');
    expect(store.reads).toBe(1);
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

  test('looks a wrong key up once in two seconds, however often it comes', async () => {
    const { ring, store, clock } = setUp();
    const keys = ring();
    for (let attempt = 0; attempt < 150; attempt += 1) await expect(keys.authenticate(guessed(2), 'a')).rejects.toBeInstanceOf(Error);
    expect(store.reads).toBe(1);
    clock.advance(1999);
    await expect(keys.authenticate(guessed(2), 'a')).rejects.toBeInstanceOf(Error);
    expect(store.reads).toBe(1);
    // A key that was issued meanwhile is found.
    store.record = record({ hash: hashKey(guessed(2)) });
    clock.advance(1);
    expect((await keys.authenticate(guessed(2), 'a')).known.record.keyId).toBe('key_1');
  });

  test('looks up a few keys at a time for all addresses that keep guessing, and holds up nobody else', async () => {
    const asked: Array<(key: KnownKey | undefined) => void> = [];
    const { ring } = setUp();
    const keys = ring({ findByHash: () => new Promise((resolve) => asked.push(resolve)) });
    for (const address of ['a', 'b']) {
      for (let guess = 0; guess < 101; guess += 1) await expect(keys.authenticate('nonsense', address)).rejects.toBeInstanceOf(Error);
    }
    const guesses = Array.from({ length: 40 }, (_, guess) => Promise.resolve(keys.authenticate(guessed(guess + 2), guess % 2 ? 'a' : 'b')));
    const good = Promise.resolve(keys.authenticate(key, 'a'));
    for (const each of guesses) each.catch(() => undefined);
    await settled();
    expect(asked).toHaveLength(16);
    const elsewhere = Promise.resolve(keys.authenticate(guessed(99), 'c'));
    elsewhere.catch(() => undefined);
    await settled();
    expect(asked).toHaveLength(17);
    for (let index = 0; index < asked.length; index += 1) {
      asked[index]?.(index === 41 ? { record: record(), tenantStatus: 'active' } : undefined);
      await settled();
    }
    for (const each of guesses) await expect(each).rejects.toMatchObject({ code: '42901' });
    await expect(elsewhere).rejects.toMatchObject({ code: '40003' });
    expect((await good).known.record.keyId).toBe('key_1');
  });

  test('who guesses does not shut out the holder of a good key behind the same address', async () => {
    const { ring, clock } = setUp();
    const keys = ring();
    await keys.authenticate(key, 'a');
    for (let guess = 0; guess < 101; guess += 1) await expect(keys.authenticate('nonsense', 'a')).rejects.toBeInstanceOf(Error);
    await expect(keys.authenticate('nonsense', 'a')).rejects.toMatchObject({ code: '42901' });
    // Past its time in memory it is looked up again.
    clock.advance(2000);
    for (let guess = 0; guess < 5; guess += 1) await expect(keys.authenticate('nonsense', 'a')).rejects.toBeInstanceOf(Error);
    await expect(keys.authenticate('nonsense', 'a')).rejects.toMatchObject({ code: '42901' });
    expect((await keys.authenticate(key, 'a')).known.record.keyId).toBe('key_1');
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

describe('a key in use', () => {
  test('has a bucket for each class of routes, named after the key and the class', async () => {
    const { ring } = setUp();
    expect((await ring().authenticate(key, 'a')).buckets).toEqual({
      standard: { name: 'key_1:standard', rule: { perSecond: 20, burst: 200 } },
      upload: { name: 'key_1:upload', rule: { perSecond: 5, burst: 50 } },
      tracking: { name: 'key_1:tracking', rule: { perSecond: 10, burst: 100 } },
      batch: { name: 'key_1:batch', rule: { perSecond: 2, burst: 20 } },
    });
  });

  test('is looked up again at the instant at which it is stale', async () => {
    const { ring, clock } = setUp();
    const keys = ring();
    await keys.authenticate(key, 'a');
    clock.advance(1999);
    expect(keys.authenticate(key, 'a')).not.toBeInstanceOf(Promise);
    clock.advance(1);
    expect(keys.authenticate(key, 'a')).toBeInstanceOf(Promise);
  });
});

test('who guesses too often learns how long to wait', async () => {
  const { ring } = setUp();
  const keys = ring();
  for (let guess = 0; guess < 100; guess += 1) await expect(keys.authenticate('nonsense', 'a')).rejects.toMatchObject({ code: '40003' });
  await expect(keys.authenticate('nonsense', 'a')).rejects.toMatchObject({
    code: '42901',
    message: 'Too many requests with invalid keys from this address',
    data: { retry_after_seconds: 1 },
  });
});
