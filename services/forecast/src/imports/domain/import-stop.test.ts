import { describe, expect, test } from '@jest/globals';
import { concerns, type ImportStop, reasonOf, refusalOf } from './import-stop.ts';

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

test('what is said has the code of the key or the tenant, and what to do next', () => {
  expect(reasonOf(ofKey)).toEqual({ code: '40003', message: expect.stringContaining('with another key') });
  expect(refusalOf(ofKey)).toEqual({ code: '40003', message: expect.stringContaining('nothing was imported') });
  expect(reasonOf(ofTenant)).toEqual({ code: '40302', message: expect.stringContaining('once it has been resumed') });
  expect(refusalOf(ofTenant)).toEqual({ code: '40302', message: expect.stringContaining('nothing was imported') });
});
