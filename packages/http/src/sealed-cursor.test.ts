import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createSealedCursors } from './sealed-cursor.ts';

describe('a sealed cursor', () => {
  const cursors = createSealedCursors('a secret', 'events');
  const place = fc.stringMatching(/^[\x21-\x7e]{1,250}$/);

  test('leads back to its place, for its tenant', () => {
    fc.assert(
      fc.property(place, (value) => {
        const cursor = cursors.seal('tnt_1', value);
        expect(cursor).toMatch(/^[\w.-]{1,512}$/);
        expect(cursors.open('tnt_1', cursor)).toBe(value);
        expect(createSealedCursors('a secret', 'events').open('tnt_1', cursor)).toBe(value);
      }),
    );
  });

  test('is nothing to another tenant, list or installation, nor when it was changed', () => {
    const cursor = cursors.seal('tnt_1', '42');
    expect(cursors.open('tnt_2', cursor)).toBeUndefined();
    expect(createSealedCursors('a secret', 'deliveries').open('tnt_1', cursor)).toBeUndefined();
    expect(createSealedCursors('another secret', 'events').open('tnt_1', cursor)).toBeUndefined();
    for (const wrong of ['2.', '2.x', `${cursor}AAAA`, cursor.slice(0, -4), `2.AAAA${cursor.slice(6)}`])
      expect(cursors.open('tnt_1', wrong)).toBeUndefined();
  });

  test('is opened by either secret while one takes the place of the other', () => {
    const cursor = cursors.seal('tnt_1', '42');
    const next = createSealedCursors(['the next secret', 'a secret'], 'events');
    expect([next.open('tnt_1', cursor), next.open('tnt_2', cursor)]).toEqual(['42', undefined]);
    expect(createSealedCursors('the next secret', 'events').open('tnt_1', next.seal('tnt_1', '43'))).toBe('43');
  });

  test('reveals nothing about the place: two cursors of one place differ, and all have the same length', () => {
    expect(cursors.seal('tnt_1', '7')).not.toBe(cursors.seal('tnt_1', '7'));
    expect(cursors.seal('tnt_1', '7')).toHaveLength(cursors.seal('tnt_1', '700000000').length);
  });

  test('is nothing when it was not sealed', () => {
    expect(cursors.open('tnt_1', Buffer.from('e123').toString('base64url'))).toBeUndefined();
  });
});
