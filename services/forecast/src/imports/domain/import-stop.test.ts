import { describe, expect, test } from '@jest/globals';
import { ImportStarts } from '../run-imports.ts';
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

test('starts without progress are counted over processes, until an import makes progress', () => {
  let place = 'imp_b2 5';
  for (let process = 1; process <= 3; process += 1) {
    const starts = new ImportStarts(place);
    starts.begin('imp_a1');
    place = starts.toString();
  }
  const starts = new ImportStarts(place);
  expect([starts.of('imp_a1'), starts.of('imp_b2'), starts.of('imp_c3')]).toEqual([3, 5, 0]);
  expect([starts.forget('imp_a1'), starts.forget('imp_a1'), starts.toString()]).toEqual([true, false, 'imp_b2 5']);
});

test('another place counts as nothing', () => {
  expect(`${new ImportStarts('tnt_a')}`).toBe('');
});
