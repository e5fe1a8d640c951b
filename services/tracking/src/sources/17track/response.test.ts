import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { PushedTrace } from '../push.ts';
import { split17TrackResponse, trace17TrackOf } from './response.ts';

/** A response that refuses one number. */
function refusal(code: unknown): unknown {
  return { code: 0, data: { accepted: [], rejected: [{ number: 'EX000000017CN', carrier: 3011, error: { code, message: 'No.' } }] } };
}

test('a registration of several numbers: already registered is success, and errors name what the others need', () => {
  const mixed = JSON.parse(readFileSync(new URL('./fixtures/register-mixed.json', import.meta.url), 'utf8')) as unknown;
  const { traces, errors } = split17TrackResponse(mixed);
  expect(traces).toEqual(['EX000000077CN', 'EX000000027CN'].map((trackingNumber) => ({ trackingNumber, carrier: '3011', raw: null })));
  expect(errors.map(({ trackingNumber, code }) => [trackingNumber, code])).toEqual([
    ['12345678', -18019903],
    ['EX000000087CN', -18019908],
  ]);
});

test('no information yet is no error', () => {
  expect(split17TrackResponse(refusal(-18019909))).toMatchObject({ traces: [{ raw: null }], errors: [] });
});

describe('of a number that is used again', () => {
  const newsOf = (carrier: string | undefined, latest_event: object): PushedTrace => ({
    trackingNumber: 'A1',
    carrier,
    raw: { latest_event },
  });

  test('a trace without a carrier is not preferred when no carrier is asked for', () => {
    const two = [newsOf(undefined, { time_iso: '2026-03-02T10:00:00Z' }), newsOf('100002', { time_iso: '2026-11-20T10:00:00Z' })];
    expect(trace17TrackOf(two, 'A1')?.carrier).toBe('100002');
    expect(trace17TrackOf(two.toReversed(), 'A1', '999')?.carrier).toBe('100002');
    expect(trace17TrackOf(two, 'A2')).toBeUndefined();
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
});
