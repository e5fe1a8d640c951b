import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { record } from '../testing/samples.ts';
import { mayBePosition, positionInText, positionOf, textOfPosition } from './list-cursor.ts';

const byPrefix = { poPrefix: 'PO' };

describe('the text of a position', () => {
  const numbers = { at: fc.nat(4e12), forecastId: fc.nat(1e15 - 1) };

  test('leads back to its position', () => {
    fc.assert(fc.property(fc.record(numbers), (value) => expect(positionInText({}, textOfPosition({}, value))).toEqual(value)));
    const poNumber = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 64 });
    fc.assert(
      fc.property(fc.record({ ...numbers, poNumber }), (value) => {
        const text = textOfPosition(byPrefix, value);
        expect(Buffer.from(text, 'latin1').toString('latin1')).toBe(text);
        expect(text).toMatch(/\d$/);
        expect(positionInText(byPrefix, text)).toEqual(value);
      }),
    );
  });

  test('is short enough for a cursor, whatever the po_number', () => {
    const longest = { at: 1e15 - 1, forecastId: 1e15 - 1, poNumber: '\u{1f600}'.repeat(64) };
    expect(textOfPosition(byPrefix, longest)).toHaveLength(302);
  });

  test('is one of its filters alone', () => {
    const text = textOfPosition({ status: 1 }, { at: 1, forecastId: 2 });
    expect(positionInText({ status: 2 }, text)).toBeUndefined();
    expect(positionInText({}, text)).toBeUndefined();
    expect(positionInText({ status: 1 }, text)).toEqual({ at: 1, forecastId: 2 });
  });

  test('anything else is no position', () => {
    fc.assert(fc.property(fc.string(), (value) => expect(positionInText({}, value)).toBeUndefined()));
    const text = textOfPosition({}, { at: 1, forecastId: 1 });
    const forPrefix = textOfPosition(byPrefix, { at: 1, forecastId: 1 });
    for (const changed of [`${text} `, `${text}\n`, text.replace('.1.1', '.01.1'), `2${text.slice(1)}`, '1.1.1']) {
      expect(positionInText({}, changed)).toBeUndefined();
    }
    expect(positionInText(byPrefix, forPrefix)).toBeUndefined();
  });
});

test('the place behind a forecast has what its list is ordered by', () => {
  const forecast = record('F1', { createdAt: 1000, updatedAt: 2000, forecastId: 7 });
  expect(positionOf('created', forecast)).toEqual({ at: 1000, forecastId: 7 });
  expect(positionOf('changed', forecast)).toEqual({ at: 2000, forecastId: 7 });
  expect(positionOf('po_number', forecast)).toEqual({ at: 1000, forecastId: 7, poNumber: 'PO-F1' });
});

test('a text may be a position of some filters', () => {
  const texts = [textOfPosition({}, { at: 1, forecastId: 1 }), textOfPosition(byPrefix, { at: 1, forecastId: 1, poNumber: 'a\n.b' })];
  for (const text of texts) expect(mayBePosition(text)).toBe(true);
  for (const text of ['', 'abc', '1.1', '2.1.1', `${texts[0]}x`]) expect(mayBePosition(text)).toBe(false);
});
