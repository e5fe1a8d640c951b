import { describe, expect, test } from '@jest/globals';
import type { KeyCache } from './key-cache.ts';

/** A cache under test and the way time passes for it: a manual clock is moved, a real one waited for. */
export interface KeyCacheUnderTest {
  readonly cache: KeyCache<{ readonly name: string }>;
  pass(ms: number): Promise<void>;
}

/** What every key cache must do. `open` gives an empty cache. */
export function describeKeyCache(name: string, open: () => Promise<KeyCacheUnderTest>): void {
  describe(`${name} key cache`, () => {
    test('gives back what was set, until it is set again', async () => {
      const { cache } = await open();
      expect(await cache.get('a')).toBeUndefined();
      cache.set('a', { name: 'first' }, 10_000);
      expect(await cache.get('a')).toEqual({ name: 'first' });
      cache.set('a', { name: 'second' }, 10_000);
      cache.set('b', { name: 'other' }, 10_000);
      expect(await cache.get('a')).toEqual({ name: 'second' });
      expect(await cache.get('b')).toEqual({ name: 'other' });
    });

    test('forgets after the time to live, counted from the last set', async () => {
      const { cache, pass } = await open();
      cache.set('a', { name: 'short' }, 300);
      cache.set('b', { name: 'long' }, 60_000);
      cache.set('c', { name: 'short' }, 300);
      cache.set('c', { name: 'renewed' }, 60_000);
      await pass(400);
      expect(await cache.get('a')).toBeUndefined();
      expect(await cache.get('b')).toEqual({ name: 'long' });
      expect(await cache.get('c')).toEqual({ name: 'renewed' });
    });

    test('forgets at once what is deleted', async () => {
      const { cache } = await open();
      cache.set('a', { name: 'x' }, 10_000);
      cache.delete('a');
      cache.delete('never set');
      expect(await cache.get('a')).toBeUndefined();
    });

    test('takes any text as a key', async () => {
      const { cache } = await open();
      const keys = ['__proto__', 'constructor', 'a b', 'ä\u0000\n', 'x'.repeat(500), ''];
      for (const key of keys) cache.set(key, { name: key }, 10_000);
      for (const key of keys) expect(await cache.get(key)).toEqual({ name: key });
    });
  });
}
