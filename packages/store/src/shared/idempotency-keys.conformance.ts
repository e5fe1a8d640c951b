import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { IdempotencyRecord, IdempotencyStore } from '@parcelway/kernel/idempotency-store';

/** A store under test. */
export interface IdempotencyDriver {
  readonly store: IdempotencyStore;
  close(): Promise<void>;
}

const scope = { ownerId: 'tnt_a', route: 'createEndpoint', key: 'k1' };
const record = (over: Partial<IdempotencyRecord> = {}): IdempotencyRecord => ({
  ...scope,
  fingerprint: 'f1',
  seed: 's1',
  claim: 'c1',
  claimedUntil: 61_000,
  createdAt: 1000,
  response: null,
  ...over,
});
const response = { status: 200, body: '{"data":"绿"}' };

/** What every store of idempotency keys must do. @param open a driver with an empty store */
export function describeIdempotencyStore(name: string, open: () => Promise<IdempotencyDriver>): void {
  describe(`idempotency keys: ${name}`, () => {
    let driver: IdempotencyDriver;
    let store: IdempotencyStore;
    beforeEach(async () => {
      driver = await open();
      store = driver.store;
    });
    afterEach(() => driver.close());

    test('adds a record once, and gives it to those who come later', async () => {
      expect(await store.add(record())).toBeUndefined();
      expect(await store.add(record({ fingerprint: 'f2', seed: 's2', claim: 'c2' }))).toEqual(record());
    });

    test('keeps keys of owners and routes apart', async () => {
      const others = [{ ownerId: 'tnt_b' }, { route: 'rotateSecret' }, { key: 'k2' }];
      for (const other of [{}, ...others]) expect(await store.add(record(other))).toBeUndefined();
      expect(await store.complete(record({ ownerId: 'tnt_b' }), 's1', response)).toEqual(response);
      expect((await store.add(record()))?.response).toBeNull();
      expect((await store.add(record({ ownerId: 'tnt_b' })))?.response).toEqual(response);
    });

    test('added by many at once, one of them adds it', async () => {
      const claims = Array.from({ length: 20 }, (_, index) => `c${index}`);
      const added = await Promise.all(claims.map((claim) => store.add(record({ claim }))));
      expect(added.filter((known) => known === undefined)).toHaveLength(1);
      const [winner] = claims.filter((_, index) => added[index] === undefined);
      expect(added.every((known) => known === undefined || known.claim === winner)).toBe(true);
    });

    test('is replaced by one of those who name its claim', async () => {
      await store.add(record());
      const next = (claim: string): IdempotencyRecord => record({ claim, seed: `seed of ${claim}`, createdAt: 2000 });
      const replaced = await Promise.all(['c2', 'c3', 'c4'].map((claim) => store.replace(next(claim), 'c1')));
      expect(replaced.filter(Boolean)).toHaveLength(1);
      const held = await store.add(record());
      expect(held).toEqual(next(String(held?.claim)));
      expect(await store.replace(next('c5'), 'c1')).toBe(false);
      expect(await store.replace(record({ key: 'unknown' }), 'c1')).toBe(false);
    });

    test('keeps the first response of a request, whichever attempt brings it', async () => {
      await store.add(record());
      await store.replace(record({ claim: 'c2' }), 'c1');
      expect(await store.complete(scope, 's1', response)).toEqual(response);
      expect(await store.complete(scope, 's1', { status: 200, body: '{}' })).toEqual(response);
      expect((await store.add(record()))?.response).toEqual(response);
    });

    test('takes no response of a request that has lost the key', async () => {
      await store.add(record());
      await store.replace(record({ claim: 'c2', seed: 's2' }), 'c1');
      expect(await store.complete(scope, 's1', response)).toBeUndefined();
      expect((await store.add(record()))?.response).toBeNull();
      expect(await store.complete({ ...scope, key: 'unknown' }, 's1', response)).toBeUndefined();
    });

    test('replaced after its time, a response is gone', async () => {
      await store.add(record());
      await store.complete(scope, 's1', response);
      expect(await store.replace(record({ claim: 'c2' }), 'c1')).toBe(true);
      expect((await store.add(record()))?.response).toBeNull();
    });

    test('is released by the attempt that holds it, and keeps its seed', async () => {
      await store.add(record());
      await store.release(scope, 'c0');
      expect((await store.add(record()))?.claimedUntil).toBe(61_000);
      await store.release(scope, 'c1');
      expect(await store.add(record())).toEqual(record({ claimedUntil: 0 }));
      await store.release({ ...scope, key: 'unknown' }, 'c1');
    });

    test('with a response it is not released', async () => {
      await store.add(record());
      await store.complete(scope, 's1', response);
      await store.release(scope, 'c1');
      expect(await store.add(record())).toEqual(record({ response }));
    });
  });
}
