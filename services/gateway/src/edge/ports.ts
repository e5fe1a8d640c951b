import type { KnownKey } from './domain/key.ts';

/** What the edge needs of the place where keys are kept. */
export interface KeyLookup {
  /** The key with this hash, whatever its state. @throws AppError 50301 when the store is out */
  findByHash(hash: string): Promise<KnownKey | undefined>;
  /** Notes when keys were last used; never moves one backwards. */
  recordUse(uses: ReadonlyMap<string, number>): Promise<void>;
}

/** Keys known to the replicas of the gateway, for a short time. Never throws: a failing cache is a miss. */
export interface SharedKeys {
  get(hash: string): Promise<KnownKey | undefined> | KnownKey | undefined;
  set(hash: string, key: KnownKey, ttlMs: number): void;
  delete(hash: string): void;
}
