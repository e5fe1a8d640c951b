import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import fc from 'fast-check';
import { describeKeyCache } from './key-cache.conformance.ts';
import { createMemoryKeyCache } from './memory-key-cache.ts';

describeKeyCache('memory', async () => {
  const clock = new ManualClock(1_700_000_000_000);
  return { cache: createMemoryKeyCache({ clock, maxEntries: 100 }), pass: async (ms) => clock.advance(ms) };
});

test('never holds more than its bound, and never a stale or foreign value', () => {
  const command = fc.record({ key: fc.integer({ min: 0, max: 9 }), set: fc.boolean(), ms: fc.integer({ min: 0, max: 50 }) });
  fc.assert(
    fc.property(fc.array(command, { maxLength: 200 }), fc.integer({ min: 1, max: 5 }), (commands, maxEntries) => {
      const clock = new ManualClock(0);
      const cache = createMemoryKeyCache<number>({ clock, maxEntries });
      const model = new Map<number, { value: number; until: number }>();
      commands.forEach(({ key, set, ms }, index) => {
        clock.advance(ms);
        if (set) {
          cache.set(String(key), index, 100);
          model.set(key, { value: index, until: clock.now() + 100 });
        } else {
          const known = model.get(key);
          const expected = known && clock.now() < known.until ? known.value : undefined;
          expect([expected, undefined]).toContain(cache.get(String(key)));
        }
      });
      const held = [...Array(10).keys()].filter((key) => cache.get(String(key)) !== undefined);
      expect(held.length).toBeLessThanOrEqual(maxEntries);
    }),
  );
});

test('keeps what is read over what is not', () => {
  const cache = createMemoryKeyCache<number>({ clock: new ManualClock(0), maxEntries: 3 });
  for (const key of ['a', 'b', 'c']) cache.set(key, 1, 1000);
  cache.get('a');
  cache.set('d', 1, 1000);
  expect(cache.get('a')).toBe(1);
  expect(cache.get('b')).toBeUndefined();
});

test('makes room even when everything is in use', () => {
  const cache = createMemoryKeyCache<number>({ clock: new ManualClock(0), maxEntries: 50 });
  for (let key = 0; key < 50; key += 1) cache.set(String(key), key, 1000);
  for (let key = 0; key < 50; key += 1) cache.get(String(key));
  cache.set('new', 1, 1000);
  const held = [...Array(50).keys()].filter((key) => cache.get(String(key)) !== undefined);
  expect(held).toHaveLength(49);
  expect(cache.get('new')).toBe(1);
});

test('a clock that is set back does not lengthen the life of a value', () => {
  const clock = new ManualClock(1_700_000_000_000);
  const cache = createMemoryKeyCache<number>({ clock });
  cache.set('a', 1, 5000);
  clock.advance(-600_000);
  expect(cache.get('a')).toBeUndefined();
});
