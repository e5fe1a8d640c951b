import { describe, expect, test } from '@jest/globals';
import type { FieldDifference } from './canonical.ts';
import { type Correction, MAX_CHANGES, MAX_CHANGES_BYTES, MAX_CORRECTIONS, MAX_CORRECTIONS_BYTES, withCorrection } from './correction.ts';

describe('the corrections of a forecast', () => {
  const change = (index: number, to = 'x'): FieldDifference => ({ field: `items[${index}].sku_code`, from: null, to });
  const many = (count: number, to?: string) => Array.from({ length: count }, (_, index) => change(index, to));
  const made = (version: number) => ({ version, at: version, keyId: 'key_1', request: null });

  test('are kept with what changed', () => {
    const [one] = withCorrection([], made(2), many(MAX_CHANGES));
    expect(one).toEqual({ ...made(2), changes: many(MAX_CHANGES), hasMoreChanges: false });
  });

  test('keep 100 changes, and say that there are more', () => {
    const [one] = withCorrection([], made(2), many(MAX_CHANGES + 1));
    expect(one?.changes).toEqual(many(MAX_CHANGES));
    expect(one?.hasMoreChanges).toBe(true);
  });

  test('keep as many changes as have room', () => {
    const [one] = withCorrection([], made(2), many(MAX_CHANGES, '中'.repeat(500)));
    expect(Buffer.byteLength(JSON.stringify(one?.changes))).toBeLessThanOrEqual(MAX_CHANGES_BYTES + 100);
    expect(one?.changes.length).toBeGreaterThan(30);
    expect(one?.hasMoreChanges).toBe(true);
  });

  test('lose the oldest beyond 100', () => {
    let all: Correction[] = [];
    for (let version = 2; version < 2 + MAX_CORRECTIONS + 5; version += 1) all = withCorrection(all, made(version), many(1));
    expect(all.map(({ version }) => version)).toEqual(Array.from({ length: MAX_CORRECTIONS }, (_, index) => index + 7));
  });

  test('lose the oldest when they become too large', () => {
    let all: Correction[] = [];
    for (let version = 2; version < 22; version += 1) {
      all = withCorrection(all, made(version), many(MAX_CHANGES, '中'.repeat(200)));
      expect(Buffer.byteLength(JSON.stringify(all))).toBeLessThanOrEqual(MAX_CORRECTIONS_BYTES);
      expect(all.at(-1)?.version).toBe(version);
    }
    expect(all.length).toBeGreaterThan(2);
  });
});
