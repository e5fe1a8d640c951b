import { describe, expect, test } from '@jest/globals';
import { cleanText } from './fields.ts';
import { readSourceTime, sourceTimeOf } from './source-time.ts';

test('text is stored without control characters, runs of blanks and halves of characters', () => {
  expect(cleanText(' a\u0000b\n\t c ', 20)).toBe('a b c');
  expect(cleanText('x\ud800y', 20)).toBe('x\ufffdy');
});

test('text that is too long is cut between characters', () => {
  expect(cleanText('abc😀', 4)).toBe('abc');
  expect(cleanText(`${'a'.repeat(10)} b`, 11)).toBe('a'.repeat(10));
});

test('what is no text is none', () => {
  for (const value of [undefined, null, 5, {}, []]) expect(cleanText(value, 10)).toBe('');
});

describe('a time of a source', () => {
  test.each([
    ['2026-11-25T08:30:00+01:00', '(GMT+01:00)'],
    ['2026-11-25T08:30:00-0530', '(GMT-05:30)'],
    ['2026-11-25 08:30:00 +08:00', '(GMT+08:00)'],
    ['2026-11-25T08:30:00Z', '(GMT+00:00)'],
    ['2026-11-25T08:30:00.331986369+01:00', '(GMT+01:00)'],
    [' 2026-11-25T08:30+01:00', '(GMT+01:00)'],
  ])('%s has the zone that it names', (text, times) => {
    expect(readSourceTime(text, { country: 'US' })).toEqual({ createTime: '2026-11-25 08:30:00', times, zoneBasis: 'given' });
  });

  test('without a zone has that of its place, or an assumed one', () => {
    const [createTime, text] = ['2026-11-25 08:30:00', '2026-11-25T08:30:00'];
    expect(readSourceTime(text, { country: 'DE' })).toEqual({ createTime, times: '(GMT+01:00)', zoneBasis: 'derived' });
    expect(readSourceTime(text, { country: 'IN' })).toMatchObject({ times: '(GMT+05:30)' });
    expect(readSourceTime(text, { country: 'US' })).toEqual({ createTime, times: '(GMT-05:00)', zoneBasis: 'assumed' });
    expect(readSourceTime('2026-11-25 08:30', {})).toEqual({ createTime, times: '(GMT+00:00)', zoneBasis: 'assumed' });
  });

  test.each([
    undefined,
    5,
    'yesterday',
    '1999-12-31T23:59:59Z',
    '2100-01-01T00:00:00Z',
    '2026-02-30T08:30:00Z',
    '2026-11-25T24:00:00Z',
    '2026-11-25T08:30:61',
    '2026-11-25T08:30:00+15:00',
    '2026-11-25',
    `2026-11-25T08:30:00.${'1'.repeat(100_000)}Z`,
  ])('%p is none', (text) => {
    expect(readSourceTime(text, { country: 'DE' })).toBeUndefined();
  });
});

test('an instant is shown at the offset beside it', () => {
  const instant = Date.parse('2026-11-25T08:30:00Z');
  expect(sourceTimeOf(instant, -5 * 3_600_000, 'given')).toEqual({
    createTime: '2026-11-25 03:30:00',
    times: '(GMT-05:00)',
    zoneBasis: 'given',
  });
  for (const none of [Number.NaN, Number.POSITIVE_INFINITY, 9e15]) expect(sourceTimeOf(none, 0, 'given')).toBeUndefined();
});
