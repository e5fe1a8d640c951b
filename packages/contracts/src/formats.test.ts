import { describe, expect, test } from '@jest/globals';
import { submission, valid, violated } from './testing/submission.ts';
import { httpsUrl, instant, webUrl } from './text.ts';
import { compileValidator } from './validator.ts';

describe('formats', () => {
  const date = (due_date: string) => violated({ ...valid, due_date });
  test.each(['2026-11-21', '2028-02-29', '2000-01-01', '2100-12-31'])('%s is a date', (text) => expect(date(text)).toEqual([]));
  test.each(['2026-02-29', '2026-13-01', '2026-04-31', '2026-1-1', '21.11.2026', '2026-11-21T00:00:00Z', '', ' 2026-11-21'])(
    '%p is no date',
    (text) => expect(date(text)).toEqual(['due_date format']),
  );

  const time = compileValidator(instant('t'));
  test.each(['2026-01-31T08:00:00Z', '2026-01-31T08:00:00+08:00', '2026-01-31T08:00:00.123456-05:30'])('%s is an instant', (text) =>
    expect(time.is(text)).toBe(true),
  );
  test.each([
    '2026-01-31T08:00:00',
    '2026-01-31 08:00:00Z',
    '2026-02-30T08:00:00Z',
    '2026-01-31T25:00:00Z',
    '2026-12-31T23:59:60Z',
    '2026-01-31',
    '2026-01-31T08:00:00+25:00',
    '',
  ])('%p is no instant', (text) => expect(time.errors(text)).toMatchObject([{ field: '', rule: 'format' }]));

  const https = compileValidator(httpsUrl('u'));
  const web = compileValidator(webUrl('u'));
  test('https only, unless http is allowed as well', () => {
    expect([https.is('https://a.example/x?y=1#z'), https.is('http://a.example'), web.is('http://a.example')]).toEqual([true, false, true]);
  });
  test.each([
    'ftp://a.example',
    'javascript:alert(1)',
    '//a.example',
    'a.example',
    'https://',
    'https://a b',
    'https://a\n',
    ' https://a.example',
    '',
  ])('%p is no URL', (text) => expect([https.is(text), web.is(text)]).toEqual([false, false]));
  test('a URL has at most 2048 characters', () => {
    const of = (length: number) => `https://a.example/${'x'.repeat(length - 18)}`;
    expect(https.is(of(2048))).toBe(true);
    expect(https.errors(of(2049))).toMatchObject([{ rule: 'max_length' }]);
  });
});

test('a day lies in the years 2000 to 2100', () => {
  expect(violated({ ...valid, due_date: '0000-01-01' })).toEqual(['due_date minimum']);
  expect(submission.errors({ ...valid, due_date: '1999-12-31' })).toMatchObject([{ message: 'due_date must be 2000-01-01 or later' }]);
  expect(submission.errors({ ...valid, due_date: '2101-01-01' })).toMatchObject([{ message: 'due_date must be 2100-12-31 or earlier' }]);
});
