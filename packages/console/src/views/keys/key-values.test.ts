import { describe, expect, test } from '@jest/globals';
import { OVERLAP_SECONDS, type TenantKey } from '@parcelway/contracts/key-api';
import { offeredScopes, othersThatWork, overlaps, signOf, unknownFormer } from './key-values.ts';

test('overlaps are those of the contract', () => {
  expect([overlaps[0], Math.max(...overlaps)]).toEqual([OVERLAP_SECONDS.standard, OVERLAP_SECONDS.most]);
});

test('a form offers what the calling key has, and for a change what the key has already', () => {
  expect(offeredScopes(['weighing:read', 'keys:manage'], undefined)).toEqual(['weighing:read', 'keys:manage']);
  expect(offeredScopes(['weighing:read', 'keys:manage'], ['weighing:read', 'tracking:read'])).toEqual(['weighing:read']);
});

describe('key relations', () => {
  const key = (id: string, part: Partial<TenantKey> = {}): TenantKey =>
    ({ key_id: id, prefix: `pf_test_${id}`, description: '', state: 'active', rotated_from: null, rotated_to: null, ...part }) as TenantKey;

  test('a key is recognised by its first characters, and by its id where it is not loaded', () => {
    expect([signOf('a', [key('b'), key('a')]), signOf('c', [key('a')])]).toEqual(['pf_test_a…', 'c']);
  });

  describe('the other keys of a row of rotations', () => {
    const third = key('c', { rotated_from: 'b' });
    const second = key('b', { rotated_from: 'a', rotated_to: 'c' });
    const first = key('a', { rotated_to: 'b' });
    const stranger = key('x');
    const idsOf = (subject: TenantKey, keys: readonly TenantKey[]): string[] => othersThatWork(subject, keys).map(({ key_id }) => key_id);

    test('are found on both sides, however many rotations lie between', () => {
      const keys = [third, stranger, second, first];
      expect([idsOf(third, keys), idsOf(second, keys), idsOf(first, keys)]).toEqual([
        ['b', 'a'],
        ['c', 'a'],
        ['c', 'b'],
      ]);
    });

    test('are only active keys, also those before or after an inactive one', () => {
      expect(idsOf(third, [third, { ...second, state: 'revoked' }, first])).toEqual(['a']);
      expect(idsOf(third, [third, { ...second, state: 'expired' }, { ...first, state: 'revoked' }])).toEqual([]);
    });

    test('are those that are loaded', () => {
      expect(idsOf(third, [third])).toEqual([]);
      expect(idsOf(stranger, [third, stranger])).toEqual([]);
    });

    test('may be unknown: a former key is older, so it may be on a page that is not loaded', () => {
      expect([unknownFormer(third, [third]), unknownFormer(third, [third, second])]).toEqual(['b', 'a']);
      expect([unknownFormer(third, [third, second, first]), unknownFormer(stranger, [])]).toEqual([undefined, undefined]);
    });
  });
});
