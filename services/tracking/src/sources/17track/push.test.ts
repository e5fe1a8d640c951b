import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse17TrackPush, source17Track, verify17TrackPush } from './source.ts';

const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

test('the signature is SHA-256 over body, slash and key: computed with sha256sum', () => {
  const sign = '02f3153264c785cc687e3880add03f4345a8608b7bc67c9ea95d4ef6b42fa973';
  expect(verify17TrackPush(Buffer.from('{"event":"TRACKING_STOPPED"}'), { sign }, ['key'])).toBe(true);
});

test('a push about something else carries no trace', () => {
  const stopped = readFileSync(new URL('./fixtures/push-tracking-stopped.json', import.meta.url));
  expect(parse17TrackPush(stopped)).toEqual([]);
  for (const event of ['SOMETHING_NEW', 'constructor', '']) expect(parse17TrackPush(bytes({ event }))).toEqual([]);
});

test.each([
  [{ event: 1 }, 'names no event'],
  [{ event: 'TRACKING_UPDATED' }, 'names no tracking number'],
  [{ event: 'TRACKING_UPDATED', data: [{ number: 'A1' }] }, 'names no tracking number'],
  [{ event: 'TRACKING_UPDATED', data: { number: 5 } }, 'names no tracking number'],
  [{ event: 'TRACKING_UPDATED', data: { number: 'A1', track: { z0: {} } } }, 'has no track_info'],
])('%j is no push: %s', (body, reason) => {
  expect(() => parse17TrackPush(bytes(body))).toThrow(reason);
});

test('a push is of the parcel whose carrier it names, as far as both are known', () => {
  const isOf = (carrier: string | undefined, reference: string | null) =>
    source17Track.pushes?.isOf?.({ trackingNumber: 'A1', carrier, raw: null }, reference);
  expect([isOf('3011', '3011'), isOf('3011', null), isOf(undefined, '3011'), isOf('3011', '190008')]).toEqual([true, true, true, false]);
});
