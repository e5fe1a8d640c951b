import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { positionInText, textOfPosition } from './list-cursor.ts';

describe('the text of a position', () => {
  test('leads back to its position', () => {
    const position = fc.record({ createdAt: fc.nat(4e12), forecastId: fc.nat(1e15 - 1) });
    fc.assert(fc.property(position, (value) => expect(positionInText(textOfPosition(value))).toEqual(value)));
  });

  test('anything else is no position', () => {
    fc.assert(fc.property(fc.string(), (value) => expect(positionInText(value)).toBeUndefined()));
    for (const text of ['1.1.1 ', '1.01.1', '2.1.1', '1.1', '1.1.1\n']) expect(positionInText(text)).toBeUndefined();
  });
});
