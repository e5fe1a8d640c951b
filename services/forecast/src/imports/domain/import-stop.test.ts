import { describe, expect, test } from '@jest/globals';
import { ImportStarts, MAX_STARTS } from '../run-imports.ts';
import { concerns, type ImportStop } from './import-stop.ts';

const ofKey: ImportStop = { tenantId: 'tnt_1', keyId: 'key_1', at: 1_000_000 };

const ofTenant: ImportStop = { tenantId: 'tnt_1', keyId: null, at: 1_000_000 };

describe('the revocation of a key', () => {
  test.each([0, 1_000_000, 2_000_000])('concerns its imports, whenever they came: %i', (createdAt) => {
    expect(concerns(ofKey, { keyId: 'key_1', createdAt })).toBe(true);
  });

  test('concerns no import of another key', () => {
    expect(concerns(ofKey, { keyId: 'key_2', createdAt: 0 })).toBe(false);
  });
});

describe('the suspension of a tenant', () => {
  test('concerns what came before it and up to ten seconds after it', () => {
    const keyId = 'key_1';
    expect(concerns(ofTenant, { keyId, createdAt: 0 })).toBe(true);
    expect(concerns(ofTenant, { keyId, createdAt: 1_010_000 })).toBe(true);
    expect(concerns(ofTenant, { keyId, createdAt: 1_010_001 })).toBe(false);
  });
});

test('an import may start so often without getting further, in as many processes', () => {
  let place = '';
  const begin = (): boolean => {
    const starts = new ImportStarts(place);
    const isAllowed = starts.begin('imp_1');
    place = starts.toString();
    return isAllowed;
  };
  for (let start = 0; start < MAX_STARTS; start += 1) expect(begin()).toBe(true);
  expect(begin()).toBe(false);
});

test('what got further is forgotten, and the others are kept', () => {
  const starts = new ImportStarts('imp_a1 3;imp_b2 5');
  expect([starts.forget('imp_a1'), starts.forget('imp_a1'), starts.begin('imp_b2')]).toEqual([true, false, false]);
  expect(starts.toString()).toBe('imp_b2 6');
});

test('another place counts as nothing', () => {
  expect(`${new ImportStarts('tnt_a')}`).toBe('');
});
