import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { PushedTrace } from '../push.ts';
import { errorTable17Track, split17TrackResponse, trace17TrackOf } from './response.ts';

function responseOf(fixture: string): ReturnType<typeof split17TrackResponse> {
  return split17TrackResponse(JSON.parse(readFileSync(new URL(`./fixtures/${fixture}.json`, import.meta.url), 'utf8')));
}

/** A response that refuses one number. */
function refusal(code: unknown): unknown {
  return { code: 0, data: { accepted: [], rejected: [{ number: 'EX000000017CN', carrier: 3011, error: { code, message: 'No.' } }] } };
}

describe('a response to /gettrackinfo', () => {
  test('is split into traces and errors, number by number', () => {
    const { traces, errors, failure, leftOut } = responseOf('gettrackinfo-two-legs');
    expect(traces).toMatchObject([
      { trackingNumber: 'YT2632400000000017', carrier: '190008', raw: { latest_status: { status: 'Delivered' } } },
      { trackingNumber: 'YT2632400000000019', carrier: '190008', raw: null },
    ]);
    expect(errors).toEqual([
      {
        trackingNumber: 'YT2632400000000018',
        carrier: '190008',
        code: -18019902,
        meaning: 'not registered',
        message: "The number 'YT2632400000000018' is not registered.",
      },
    ]);
    expect([failure, leftOut]).toEqual([undefined, []]);
  });

  test('a number of which nothing is known yet is known but empty', () => {
    expect(responseOf('gettrackinfo-not-found').traces[1]).toEqual({ trackingNumber: 'EX000000057CN', carrier: undefined, raw: null });
    expect(split17TrackResponse(refusal(-18019909))).toMatchObject({ traces: [{ raw: null }], errors: [] });
  });
});

describe('a response to /register', () => {
  const { traces, errors } = responseOf('register-mixed');

  test('already registered is success', () => {
    expect(traces).toEqual([
      { trackingNumber: 'EX000000077CN', carrier: '3011', raw: null },
      { trackingNumber: 'EX000000027CN', carrier: '3011', raw: null },
    ]);
  });

  test('names what the others need', () => {
    expect(errors.map(({ trackingNumber, meaning }) => [trackingNumber, meaning])).toEqual([
      ['12345678', 'carrier not detected'],
      ['EX000000087CN', 'quota used up'],
    ]);
  });
});

describe('the meaning of a code', () => {
  test.each([
    [-18010001, 'access denied'],
    [-18010002, 'access denied'],
    [-18010003, 'unavailable'],
    [-18010004, 'access denied'],
    [-18010012, 'invalid request'],
    [-18010019, 'needs more about the parcel'],
    [-18019902, 'not registered'],
    [-18019903, 'carrier not detected'],
    [-18019904, 'not possible in this state'],
    [-18019907, 'daily limit reached'],
    [-18019908, 'quota used up'],
    [-18019910, 'wrong carrier'],
    [-18019911, 'carrier not available'],
    [-18019912, 'access denied'],
    [-18019999, 'unknown'],
  ])('%d: %s', (code, meaning) => {
    expect(split17TrackResponse(refusal(code))).toMatchObject({ traces: [], errors: [{ code, meaning }] });
  });

  test.each([
    [401, 'access denied'],
    [429, 'too many requests'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ])('HTTP %d: %s', (status, meaning) => {
    expect(errorTable17Track.get(status)).toBe(meaning);
  });

  test.each([undefined, null, '-18019901', 1.5, {}])('%j is no code', (code) => {
    expect(split17TrackResponse(refusal(code)).errors).toMatchObject([{ code: Number.NaN, meaning: 'unknown' }]);
  });
});

describe('a call that failed as a whole', () => {
  test('has the code of the response', () => {
    expect(responseOf('response-invalid-key')).toEqual({
      traces: [],
      errors: [],
      failure: { code: -18010002, meaning: 'access denied', message: '' },
      leftOut: [],
    });
    expect(split17TrackResponse({ code: -18010003, data: null }).failure?.meaning).toBe('unavailable');
  });

  test('has the code in data.errors when 17TRACK cannot read the request', () => {
    expect(responseOf('response-invalid-request').failure).toEqual({
      code: -18010013,
      meaning: 'invalid request',
      message: 'Invalid submitted data.',
    });
  });

  test('is refused when it is no response of 17TRACK', () => {
    expect(() => split17TrackResponse({ data: {} })).toThrow('17TRACK: the response has no code');
    expect(() => split17TrackResponse({ code: 0 })).toThrow('17TRACK: the response has no data');
    expect(() => split17TrackResponse({ code: 0, data: { accepted: {} } })).toThrow('17TRACK: data.accepted is not a list');
  });
});

describe('a list that is none does not cost the accepted numbers', () => {
  const accepted = [{ number: 'EX000000017CN', carrier: 3011 }];

  test.each([
    ['errors', {}],
    ['errors', 'x'],
    ['rejected', 'x'],
    ['rejected', { number: 'EX000000018CN' }],
  ])('data.%s is %j', (name, value) => {
    expect(split17TrackResponse({ code: 0, data: { accepted, [name]: value } })).toEqual({
      traces: [{ trackingNumber: 'EX000000017CN', carrier: '3011', raw: null }],
      errors: [],
      failure: undefined,
      leftOut: [`data.${name} is not a list`],
    });
  });

  test('and both together are two reasons', () => {
    const { leftOut } = split17TrackResponse({ code: 0, data: { accepted, rejected: 5, errors: 5 } });
    expect(leftOut).toEqual(['data.rejected is not a list', 'data.errors is not a list']);
  });
});

test('items without a number, and those beyond the bound, are left out', () => {
  const accepted = [{ carrier: 3011 }, { number: 'EX000000017CN', carrier: 'x' }];
  expect(split17TrackResponse({ code: 0, data: { accepted } })).toMatchObject({
    traces: [{ trackingNumber: 'EX000000017CN', carrier: undefined }],
    leftOut: ['An item in accepted names no tracking number'],
  });
  const many = split17TrackResponse({ code: 0, data: { accepted: Array.from({ length: 5000 }, (_, index) => ({ number: `N${index}` })) } });
  expect([many.traces.length, many.leftOut]).toEqual([400, ['There are more than 400 items in accepted']]);
});

describe('a number that is used again', () => {
  const { traces } = responseOf('gettrackinfo-reused-number');

  test('has the trace of the carrier that is asked for', () => {
    expect(trace17TrackOf(traces, '100000000067', '100003')?.carrier).toBe('100003');
    expect(trace17TrackOf(traces, '100000000067', '100005')?.carrier).toBe('100005');
  });

  test('otherwise that with the newest news', () => {
    expect(trace17TrackOf(traces, '100000000067')?.carrier).toBe('100002');
    expect(trace17TrackOf(traces, '100000000067', '999')?.carrier).toBe('100002');
    expect(trace17TrackOf([...traces].reverse(), '100000000067')?.carrier).toBe('100002');
  });

  const newsOf = (carrier: string | undefined, latest_event: object): PushedTrace => ({
    trackingNumber: 'A1',
    carrier,
    raw: { latest_event },
  });

  test('a trace without a carrier is not preferred when no carrier is asked for', () => {
    const two = [newsOf(undefined, { time_iso: '2026-03-02T10:00:00Z' }), newsOf('100002', { time_iso: '2026-11-20T10:00:00Z' })];
    expect(trace17TrackOf(two, 'A1')?.carrier).toBe('100002');
    expect(trace17TrackOf(two.toReversed(), 'A1')?.carrier).toBe('100002');
  });

  // Whatever the zone of the host is, one of the first two is wrong by it.
  test.each([
    ['after noon UTC', { time_iso: '2026-11-20T10:00:00', address: { country: 'US', state: 'NY' } }, '1'],
    ['before noon UTC', { time_iso: '2026-11-20T14:00:00', address: { country: 'JP' } }, '2'],
    ['after noon UTC, though only time_raw has it', { time_raw: { date: '2026-11-20', time: '20:30', timezone: '+08:00' } }, '1'],
    ['no time of 17TRACK', { time_iso: 'November 20, 2027' }, '2'],
  ])('news is as new as it is at its place: %s', (_, event, carrier) => {
    const two = [newsOf('1', event), newsOf('2', { time_iso: '2026-11-20T12:00:00Z' })];
    expect(trace17TrackOf(two, 'A1')?.carrier).toBe(carrier);
    expect(trace17TrackOf(two.toReversed(), 'A1')?.carrier).toBe(carrier);
  });

  test('of another number there is none', () => {
    expect(trace17TrackOf(traces, '100000000068')).toBeUndefined();
  });
});
