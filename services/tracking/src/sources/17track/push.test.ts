import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { PushHeaders } from '../push.ts';
import { parse17TrackPush, verify17TrackPush } from './push.ts';
import { translate17Track } from './translation.ts';

const updated = readFileSync(new URL('./fixtures/push-tracking-updated.json', import.meta.url));
const stopped = readFileSync(new URL('./fixtures/push-tracking-stopped.json', import.meta.url));
const [key, nextKey] = ['0123456789ABCDEF0123456789ABCDEF', 'FEDCBA9876543210FEDCBA9876543210'];

/** The signature by the rule in other words: one text, hashed as a whole. */
function sign(body: Uint8Array, secret: string): string {
  return createHash('sha256')
    .update(`${Buffer.from(body).toString('utf8')}/${secret}`, 'utf8')
    .digest('hex');
}

function bytes(value: unknown): Uint8Array {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
}

describe('the signature of a push', () => {
  test('is right with the key, also when it is the second one', () => {
    expect(verify17TrackPush(updated, { sign: sign(updated, key) }, [key])).toBe(true);
    expect(verify17TrackPush(updated, { sign: sign(updated, nextKey) }, [key, nextKey])).toBe(true);
    expect(verify17TrackPush(updated, { sign: sign(updated, key) }, [key, nextKey])).toBe(true);
  });

  test('is SHA-256 over body, slash and key: computed with sha256sum', () => {
    const body = bytes('{"event":"TRACKING_STOPPED"}');
    const expected = '02f3153264c785cc687e3880add03f4345a8608b7bc67c9ea95d4ef6b42fa973';
    expect(verify17TrackPush(body, { sign: expected }, ['key'])).toBe(true);
  });

  test('is wrong with another key, or with none', () => {
    expect(verify17TrackPush(updated, { sign: sign(updated, nextKey) }, [key])).toBe(false);
    expect(verify17TrackPush(updated, { sign: sign(updated, key) }, [])).toBe(false);
    expect(verify17TrackPush(updated, { sign: sign(updated, '') }, [''])).toBe(false);
  });

  test('is wrong for a changed body, though it means the same', () => {
    const changed = bytes(JSON.parse(updated.toString('utf8')));
    expect(verify17TrackPush(changed, { sign: sign(updated, key) }, [key])).toBe(false);
    expect(verify17TrackPush(new Uint8Array(), { sign: sign(updated, key) }, [key])).toBe(false);
  });

  test('covers bytes, not text', () => {
    const body = Uint8Array.of(0xff, 0xfe, 0x00);
    const right = createHash('sha256').update(body).update(`/${key}`).digest('hex');
    expect(verify17TrackPush(body, { sign: right }, [key])).toBe(true);
    expect(verify17TrackPush(body, { sign: sign(body, key) }, [key])).toBe(false);
  });

  const right = sign(updated, key);
  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['in upper case', right.toUpperCase()],
    ['cut', right.slice(0, 63)],
    ['with more behind it', `${right}0`],
    ['sent twice', `${right}, ${right}`],
    ['no hex', 'z'.repeat(64)],
    ['huge', 'a'.repeat(100_000)],
  ])('is wrong when it is %s', (_, given) => {
    expect(verify17TrackPush(updated, { sign: given }, [key, nextKey])).toBe(false);
    expect(verify17TrackPush(updated, { signature: right }, [key])).toBe(false);
  });
});

test('a header that came as a list is refused, though the signature in it is right', () => {
  for (const given of [[sign(updated, key)], [sign(updated, key), sign(updated, key)], []]) {
    const headers = { sign: given } as unknown as PushHeaders;
    expect(verify17TrackPush(updated, headers, [key])).toBe(false);
  }
});

describe('a push', () => {
  test('carries the track_info of one number, in the form of the query', () => {
    const { traces } = parse17TrackPush(updated);
    expect(traces).toMatchObject([{ trackingNumber: 'EX000000097CN', carrier: '3011' }]);
    const { nodes } = translate17Track(traces[0]?.raw, { trackingNumber: 'EX000000097CN', dispatchedAt: 0 });
    expect(nodes).toMatchObject([{ adminStatus: 'In Delivery', content: 'In Zustellung', address: 'Köln, DE', zoneBasis: 'given' }]);
  });

  test('that comes again has the same id, another one another', () => {
    expect(parse17TrackPush(Uint8Array.from(updated)).id).toBe(parse17TrackPush(updated).id);
    expect(parse17TrackPush(stopped).id).not.toBe(parse17TrackPush(updated).id);
  });

  test('about something else carries no trace', () => {
    expect(parse17TrackPush(stopped).traces).toEqual([]);
    for (const event of ['SOMETHING_NEW', 'constructor', '']) expect(parse17TrackPush(bytes({ event })).traces).toEqual([]);
  });

  test.each([
    ['not json', 'The push is not JSON in UTF-8'],
    ['[]', '17TRACK: the push names no event'],
    ['null', '17TRACK: the push names no event'],
    [{ event: 1 }, '17TRACK: the push names no event'],
    [{ event: 'TRACKING_UPDATED' }, '17TRACK: the push names no tracking number'],
    [{ event: 'TRACKING_UPDATED', data: [{ number: 'A1' }] }, '17TRACK: the push names no tracking number'],
    [{ event: 'TRACKING_UPDATED', data: { number: 5 } }, '17TRACK: the push names no tracking number'],
    [{ event: 'TRACKING_UPDATED', data: { number: 'A1', track: { z0: {} } } }, '17TRACK: the push has no track_info'],
  ])('%j is none: %s', (body, reason) => {
    expect(() => parse17TrackPush(bytes(body))).toThrow(reason);
  });
});
