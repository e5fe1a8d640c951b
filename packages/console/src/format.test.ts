import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  absoluteTime,
  bytesText,
  hasPlace,
  instantOfCarrier,
  instantOfLocal,
  jsonTokens,
  localOfInstant,
  numberText,
  prettyJson,
  relativeTime,
} from './format.ts';

const NOW = Date.parse('2026-11-24T01:15:00Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe('relativeTime', () => {
  test.each([
    [0, 'now'],
    [-2 * SECOND, 'now'],
    [-3 * SECOND, '3 seconds ago'],
    [59 * SECOND, 'in 59 seconds'],
    [59.6 * SECOND, 'in 1 minute'],
    [-90 * SECOND, '1 minute ago'],
    [59.9 * MINUTE, 'in 1 hour'],
    [5 * HOUR, 'in 5 hours'],
    [23.9 * HOUR, 'tomorrow'],
    [119.5 * HOUR, 'in 5 days'],
    [-40 * 24 * HOUR, 'last month'],
  ])('%d ms from now is "%s"', (distance, said) => {
    expect(relativeTime(NOW + distance, NOW, 'en-GB')).toBe(said);
  });

  test('speaks the language of the reader', () => {
    expect(relativeTime(NOW - 5 * MINUTE, NOW, 'zh-CN')).toBe('5 分钟前');
    expect(relativeTime(NOW + 5 * MINUTE, NOW, 'zh-CN')).toBe('5 分钟后');
    expect(relativeTime(NOW, NOW, 'zh-CN')).toBe('现在');
  });
});

test('an absolute time is shown to the second, with its zone', () => {
  expect(absoluteTime(NOW, 'en-GB', 'Asia/Shanghai')).toBe('24 Nov 2026, 09:15:00 GMT+8');
  expect(absoluteTime(NOW, 'zh-CN', 'Asia/Shanghai')).toBe('2026年11月24日 09:15:00 GMT+8');
});

test.each([
  ['2026-11-21 08:05:00', '(GMT+08:00)', '2026-11-21T08:05:00+08:00'],
  ['2026-11-21 08:05:00', '(GMT-03:30)', '2026-11-21T08:05:00-03:30'],
  ['2026-11-21 08:05:00', '', undefined],
  ['yesterday', '(GMT+08:00)', undefined],
])('a carrier that says %s %s means %s', (local, zone, instant) => {
  expect(instantOfCarrier(local, zone)).toBe(instant);
});

test('the time of a place is distinguished from a time in UTC', () => {
  const sent = ['2026-11-21T08:05:00+08:00', '2026-11-21T08:05:00-03:30', '2026-11-21T00:05:00.120+00:00', '2026-11-21T00:05:00Z'];
  expect(sent.map(hasPlace)).toEqual([true, true, false, false]);
});

describe('local times of a form', () => {
  test('come back as the instant they were made of, to the minute', () => {
    expect(instantOfLocal(localOfInstant(NOW))).toBe('2026-11-24T01:15:00.000Z');
  });

  test('that are empty or no time are none', () => {
    expect(instantOfLocal('')).toBeUndefined();
    expect(instantOfLocal('yesterday')).toBeUndefined();
  });
});

test.each([
  [8736, false, '8,736'],
  [2.415, false, '2.415'],
  [0.05, true, '+0.05'],
  [-1250.5, true, '-1,250.5'],
  [0, true, '0'],
  [-0.0001, true, '0'],
])('%d reads, signed %s, as %s', (value, signed, text) => {
  for (const locale of ['en-GB', 'zh-CN']) expect(numberText(value, locale, signed)).toBe(text);
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1 kB'],
  [1_500_000, '1.5 MB'],
  [2_340_000_000, '2.3 GB'],
  [5e15, '5,000 TB'],
])('%d bytes read %s', (bytes, text) => {
  expect(bytesText(bytes, 'en-GB')).toBe(text);
});

test('JSON is set out in lines; anything else stays as it is', () => {
  expect(prettyJson('{"a":[1,null]}')).toBe('{\n  "a": [\n    1,\n    null\n  ]\n}');
  expect(prettyJson('upstream connect error')).toBe('upstream connect error');
  expect(prettyJson('{"cut off')).toBe('{"cut off');
});

test('pieces are distinguished', () => {
  expect(jsonTokens('{"a": "b\\"c", "n": -1.5e3, "t": true}').filter(([kind]) => kind !== 'plain')).toEqual([
    ['key', '"a"'],
    ['string', '"b\\"c"'],
    ['key', '"n"'],
    ['number', '-1.5e3'],
    ['key', '"t"'],
    ['word', 'true'],
  ]);
});

test('whatever the text, its pieces are the whole of it', () => {
  const texts = fc.oneof(fc.string(), fc.json());
  fc.assert(
    fc.property(texts, (text) => {
      const joined = jsonTokens(text).map(([, piece]) => piece);
      expect(joined.join('')).toBe(text);
    }),
  );
});
