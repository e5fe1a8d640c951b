import { ManualClock } from '@parcelway/kernel/clock';
import { composeKey, hashKey } from '../edge/domain/api-key.ts';
import type { KeyRecord, KnownKey } from '../edge/domain/key.ts';
import { KeyRing, type KeyRingOptions } from '../edge/key-ring.ts';
import type { SharedKeys } from '../edge/ports.ts';
import { SessionTokens } from '../edge/session-tokens.ts';

/** The key that the ring knows. */
export const key = composeKey('sandbox', new Uint8Array(24).fill(1));

/** Its record. */
export function record(over: Partial<KeyRecord> = {}): KeyRecord {
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
    allowedAddresses: [],
    createdBy: null,
    rotatedFrom: null,
    rotatedTo: null,
    version: 0,
    ...over,
  };
}

/** A cache with a life, as replicas share it. */
export function sharedCache(clock: ManualClock): SharedKeys {
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

/** Tokens of the installation. */
export const tokens = new SessionTokens(['a-secret-for-tests-of-at-least-32-characters']);

/** A key that is well-formed and was never issued. */
export const guessed = (number: number): string => composeKey('sandbox', new Uint8Array(24).fill(number));

/** A ring with what it looks keys up in. */
interface SetUp {
  readonly clock: ManualClock;
  readonly store: { record: KeyRecord; reads: number };
  readonly ring: (keys?: KeyRingOptions['keys'], shared?: SharedKeys) => KeyRing;
}

/** Rings that share a cache, over a store with one key. */
export function setUp(): SetUp {
  const clock = new ManualClock(1_000_000);
  const store = { record: record(), reads: 0 };
  const common = sharedCache(clock);
  const keys = {
    async findByHash(hash: string): Promise<KnownKey | undefined> {
      store.reads += 1;
      return hash === store.record.hash ? { record: store.record, tenantStatus: 'active' } : undefined;
    },
  };
  const ring = (from: KeyRingOptions['keys'] = keys, shared = common): KeyRing =>
    new KeyRing({ environment: 'sandbox', keys: from, shared, clock, limitFailures: true, sessions: tokens });
  return { clock, store, ring };
}
