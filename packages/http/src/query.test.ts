import { parse } from 'node:querystring';
import { describe, expect, test } from '@jest/globals';
import { ForecastListQuery } from '@parcelway/contracts/forecast-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { DeliveryListQuery } from '@parcelway/contracts/webhook-delivery-api';
import type { Request } from 'express';
import { queryWarnings } from './ignored-input.ts';
import { assertPlainPath } from './plain-path.ts';
import { parseQuery } from './query.ts';

const listQuery = compileValidator(DeliveryListQuery);
const timesQuery = compileValidator(ForecastListQuery);
const known = Object.keys(DeliveryListQuery.properties).join(', ');

/** A request with a query, as Express has read it. */
const requestFor = (url: string) => ({ url, query: parse(url.split('?')[1] ?? '') }) as unknown as Request;

/** What a route without parameters says of a query. */
const ofPlain = (url: string) => queryWarnings(requestFor(url));

/** What a route with a list says of a query. */
function ofList(url: string) {
  const req = requestFor(url);
  parseQuery(req, listQuery);
  return queryWarnings(req);
}

describe('a parameter that is not known', () => {
  test('is ignored and named, with what is known', () => {
    const message = `stauts is not a parameter here and was ignored; known are ${known}; did you mean status?`;
    expect(ofList('/list?stauts=failed&limit=2')).toEqual([{ field: 'stauts', message }]);
    expect(ofPlain('/plain?limit=2')).toEqual([
      { field: 'limit', message: 'limit is not a parameter here and was ignored; there are none' },
    ]);
  });

  test('is not claimed for others', () => {
    expect([...ofList('/list?&'), ...ofList('/list?st%61tus=failed&limit=2'), ...ofPlain('/plain?'), ...ofPlain('/plain')]).toEqual([]);
  });

  test('is named once, at most twenty times in all, and without its value', () => {
    const many = Array.from({ length: 50 }, (_, index) => `p${index}=sk_secret&p${index}=sk_other`).join('&');
    const warnings = ofList(`/list?${many}`);
    expect(warnings.map(({ field }) => field)).toEqual(Array.from({ length: 20 }, (_, index) => `p${index}`));
    expect(JSON.stringify(warnings)).not.toMatch(/sk_/);
  });
});

describe('a hostile name', () => {
  test.each([
    ['10 kB', 'x'.repeat(10_000), 'x'.repeat(100)],
    ['an emoji where it is cut', `${'x'.repeat(99)}%F0%9F%98%80`, `${'x'.repeat(99)}\ufffd`],
    ['what a terminal obeys', '%1b[31m%07%c2%9b', '\ufffd[31m\ufffd\ufffd'],
    ['a line break', 'a%0d%0ab%e2%80%a8', 'a\ufffd\ufffdb\ufffd'],
    ['text from right to left', 'a%e2%80%aeb', 'a\ufffdb'],
    ['no UTF-8', '%ff', '\ufffd'],
    ['a percent alone', '%', '%'],
    ['the prototype', '__proto__', '__proto__'],
    ['a method of objects', 'hasOwnProperty', 'hasOwnProperty'],
    ['an operator', 'status[$ne]', 'status[$ne]'],
    ['no name', '', ''],
  ])('%s is shown safely', (_what, name, shown) => {
    const message = `${shown} is not a parameter here and was ignored; known are ${known}`;
    expect(ofList(`/list?${name}=value`)).toEqual([{ field: shown, message }]);
  });
});

describe('a time', () => {
  const timesIn = (query: string) => parseQuery(requestFor(`/times?${query}`), timesQuery);

  test.each(['2026-11-22T21:20:00+00:00', '2026-11-22T21:20:00.123+08:00', '2026-11-22T21:20:00-05:00', '2026-11-22T21:20:00Z'])(
    '%s may be copied from a response as it is',
    (time) => {
      expect(timesIn(`created_from=${time}&created_to=${time}`)).toEqual({ created_from: time, created_to: time });
      expect(timesIn(`created_from=${encodeURIComponent(time)}`)).toEqual({ created_from: time });
    },
  );

  test.each([
    ['two blanks', '2026-11-22T21:20:00++00:00'],
    ['a blank for the T', '2026-11-22+21:20:00Z'],
    ['a blank before Z', '2026-11-22T21:20:00+Z'],
    ['no seconds', '2026-11-22T21:20+00:00'],
    ['a blank behind it', '2026-11-22T21:20:00+00:00+'],
    ['an offset of 99 hours', '2026-11-22T21:20:00+99:00'],
    ['no day of the calendar', '2026-02-30T21:20:00+00:00'],
  ])('with %s is refused', (_what, time) => {
    const errors = [expect.objectContaining({ field: 'created_from', rule: 'format' })];
    expect(() => timesIn(`created_from=${time}`)).toThrow(expect.objectContaining({ code: '42201', data: { errors } }));
  });

  test('is none where a parameter is a text', () => {
    const text = '2026-11-22T21:20:00 00:00';
    expect(timesIn(`po_number=${encodeURIComponent(text)}`)).toEqual({ po_number: text });
  });
});

test.each(['/', '/a/b?x=../..&y=\\', '/a/..b', '/a/...', '/a/b%2Fc', '/a/b%5Cc', '/a/b..?c', '/a//b'])('%s is plain', (path) => {
  expect(() => assertPlainPath(path)).not.toThrow();
});

const resolved = ['/a/..', '/a/../b', '/a/./b', '/a/%2e%2e/b', '/a/.%2E/b', '/a\\b', '/a/..\\b', '/a/..%5Cb', '/a/b%2f..%2fc', '/a/%2F..'];

test.each([...resolved, '/a/..?limit=1', '/a/%', '/a/%ff', '/a b', '/a?b c', '/a\n', '/\u20ac'])(
  'a program may resolve %s to another path',
  (path) => {
    expect(() => assertPlainPath(path)).toThrow(expect.objectContaining({ code: '40402' }));
  },
);
