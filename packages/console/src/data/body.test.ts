import { describe, expect, test } from '@jest/globals';
import { changeIn, choices, creationIn, instant, text, type ValuesOf, valuesIn, words } from './body.ts';

const form = { name: text, colours: choices(['red', 'green', 'blue']), ends_at: instant, addresses: words('\n', ['*']) };
const record = {
  name: 'Shop',
  colours: ['blue', 'red'],
  ends_at: '2027-01-02T03:04:05.000Z',
  addresses: ['192.0.2.1', '192.0.2.2'],
  more: 1,
};

test('a form begins with what there is, and a new one with nothing chosen', () => {
  expect(valuesIn(form, record)).toMatchObject({ name: 'Shop', colours: ['red', 'blue'], addresses: '192.0.2.1\n192.0.2.2' });
  expect(valuesIn(form)).toEqual({ name: '', colours: [], ends_at: '', addresses: '*' });
});

test('what is created has every field that is written, and no other', () => {
  const values = { name: ' Shop ', colours: ['blue', 'red'], ends_at: '', addresses: '192.0.2.1,\n 192.0.2.2\n' } satisfies ValuesOf<
    typeof form
  >;
  expect(creationIn(form, values)).toEqual({ name: 'Shop', colours: ['red', 'blue'], addresses: record.addresses });
  expect(creationIn(form, { ...values, ends_at: '2027-01-02T03:04' })).toMatchObject({
    ends_at: new Date('2027-01-02T03:04').toISOString(),
  });
});

describe('a change', () => {
  const values = valuesIn(form, record);
  test('of nothing is empty, also where only blanks or the order are different', () => {
    expect(changeIn(form, values, record)).toEqual({});
    expect(changeIn(form, { ...values, name: ' Shop', colours: ['blue', 'red'], addresses: '192.0.2.1, 192.0.2.2' }, record)).toEqual({});
  });

  test('has only what is different, and null for what is empty now', () => {
    expect(changeIn(form, { ...values, ends_at: '', colours: ['red'], addresses: '' }, record)).toEqual({
      colours: ['red'],
      ends_at: null,
      addresses: [],
    });
  });
});
