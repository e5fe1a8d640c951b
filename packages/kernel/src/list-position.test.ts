import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { positionInText, textOfPosition } from './list-position.ts';

describe('the text of a position', () => {
  test('leads back to its position', () => {
    const position = fc.record({ createdAt: fc.nat(4e12), id: fc.stringMatching(/^[\x21-\x7e]{1,100}$/) });
    fc.assert(fc.property(position, (value) => expect(positionInText(textOfPosition(value))).toEqual(value)));
  });

  test('anything else is no position', () => {
    fc.assert(fc.property(fc.string(), (value) => expect(positionInText(value)).toBeUndefined()));
    for (const text of ['1.1.', '1.01.key_1', '2.1.key_1', '1.key_1', '1.1.key 1', '1.1.key_1\n', `1.1.${'x'.repeat(101)}`])
      expect([text, positionInText(text)]).toEqual([text, undefined]);
  });
});
