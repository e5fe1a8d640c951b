import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { composeKey, hashKey } from './domain/api-key.ts';
import type { KeyRecord, KnownKey } from './domain/records.ts';
import { KeyRing } from './key-ring.ts';
import type { SharedKeys } from './ports.ts';

const key = composeKey('sandbox', new Uint8Array(24).fill(1));

function record(over: Partial<KeyRecord> = {}): KeyRecord {
  return {
    keyId: 'key_1',
    prefix: key.slice(0, 12),
    hash: hashKey(key),
    holder: { kind: 'tenant', tenantId: 'tnt_1' },
    scopes: ['weighing:read'],
    rateLimit: null,
    description: '',
    createdAt: 0,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    ...over,
  };
}

/** A cache with a life, as replicas share it. */
function sharedCache(clock: ManualClock): SharedKeys {
  const entries = new Map<string, { key: KnownKey; until: number }>();
  return {
    get(hash) {
      const entry = entries.get(hash);
      return entry && clock.now() < entry.until ? entry.key : undefined;
    },
    set: (hash, known, ttlMs) => void entries.set(hash, { key: known, until: clock.now() + ttlMs }),
    delete: (hash) => void entries.delete(hash),
  };
}

function setUp(): { clock: ManualClock; store: { record: KeyRecord; reads: number }; ring: () => KeyRing } {
  const clock = new ManualClock(1_000_000);
  const store = { record: record(), reads: 0 };
  const shared = sharedCache(clock);
  const keys = {
    async findByHash(hash: string): Promise<KnownKey | undefined> {
      store.reads += 1;
      return hash === store.record.hash ? { record: store.record, tenantStatus: 'active' } : undefined;
    },
  };
  return { clock, store, ring: () => new KeyRing({ environment: 'sandbox', keys, shared, clock, limitFailures: true }) };
}

describe('the key ring', () => {
  test('answers at once for a key seen a moment ago, with the same principal', async () => {
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

  test('forgets a key at once when told', async () => {
    const { ring, store, clock } = setUp();
    const keys = ring();
    await keys.authenticate(key, 'a');
    store.record = record({ revokedAt: clock.now() });
    keys.forget('key_2');
    expect((await keys.authenticate(key, 'a')).known.record.revokedAt).toBeNull();
    keys.forget('key_1');
    expect((await keys.authenticate(key, 'a')).known.record.revokedAt).not.toBeNull();
  });

  test('refuses what cannot be a key without a look-up, and bounds look-ups of what could be one', async () => {
    const { ring, store } = setUp();
    const keys = ring();
    await expect(keys.authenticate('nonsense', 'a')).rejects.toMatchObject({ code: '40003' });
    await expect(keys.authenticate(key.replace('pf_test_', 'pf_live_'), 'a')).rejects.toMatchObject({ code: '40003' });
    expect(store.reads).toBe(0);
    for (let guess = 0; guess < 150; guess += 1) {
      await expect(keys.authenticate(composeKey('sandbox', new Uint8Array(24).fill(guess + 2)), 'a')).rejects.toBeInstanceOf(Error);
    }
    expect(store.reads).toBe(98);
    await expect(keys.authenticate('nonsense', 'a')).rejects.toMatchObject({ code: '42901', retryAfterSeconds: 1 });
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
