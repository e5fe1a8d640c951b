import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeCursor, encodeCursor } from './list-cursor.ts';

describe('a cursor', () => {
  test('leads back to its position', () => {
    const position = fc.record({ createdAt: fc.nat(4e12), forecastId: fc.nat(1e15 - 1) });
    fc.assert(fc.property(position, (value) => expect(decodeCursor(encodeCursor(value))).toEqual(value)));
  });

  test('is opaque: anything else is refused on the field', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(() => decodeCursor(value)).toThrow(
          expect.objectContaining({ code: '42201', data: { errors: [expect.objectContaining({ field: 'cursor' })] } }),
        );
      }),
    );
  });
});
