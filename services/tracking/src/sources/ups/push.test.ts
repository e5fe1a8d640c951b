import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parseUpsPush, verifyUpsPush } from './push.ts';
import { translateUps } from './translation.ts';

const body = (name: string): Buffer => readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url));
const bodyOf = (event: unknown): Buffer => Buffer.from(JSON.stringify(event));
const pushed = body('push-delivered');
const secrets = ['a-credential-of-ours', 'its-successor'];

describe('the credential of a push', () => {
  test('each of the two secrets is right', () => {
    for (const secret of secrets) expect(verifyUpsPush(pushed, { 'x-api-key': secret }, secrets)).toBe(true);
  });

  test('the header of Track Alert v1 counts as well', () => {
    expect(verifyUpsPush(pushed, { credential: 'its-successor' }, secrets)).toBe(true);
  });

  test.each([
    ['wrong', { 'x-api-key': 'a-credential-of-ourz' }],
    ['shorter', { 'x-api-key': 'a-credential-of-our' }],
    ['of another case', { 'x-api-key': 'A-Credential-Of-Ours' }],
    ['empty', { 'x-api-key': '' }],
    ['missing', {}],
    ['undefined', { 'x-api-key': undefined }],
    ['repeated', { 'x-api-key': 'a-credential-of-ours, a-credential-of-ours' }],
    ['in both headers', { 'x-api-key': 'a-credential-of-ours', credential: 'a-credential-of-ours' }],
    ['in another header', { authorization: 'a-credential-of-ours' }],
  ])('a credential that is %s is refused', (_what, headers) => {
    expect(verifyUpsPush(pushed, headers, secrets)).toBe(false);
  });

  test('the secret of another connection, no secret and an empty one are refused', () => {
    for (const others of [['of-another-connection'], [], ['']])
      for (const credential of ['a-credential-of-ours', '']) expect(verifyUpsPush(pushed, { 'x-api-key': credential }, others)).toBe(false);
  });

  test('UPS signs nothing: a changed body passes, under another id', () => {
    const changed = bodyOf({ ...JSON.parse(pushed.toString()), trackingNumber: '1ZCIETST0111111114' });
    expect(verifyUpsPush(changed, { 'x-api-key': 'its-successor' }, secrets)).toBe(true);
    expect(parseUpsPush(changed).id).not.toBe(parseUpsPush(pushed).id);
  });
});

describe('the body of a push', () => {
  test('its id is the SHA-256 of its bytes, as openssl computes it, so a push that comes again keeps it', () => {
    const { id } = parseUpsPush(Buffer.from('{"trackingNumber":"1ZCIETST0111111114"}'));
    expect(id).toBe('WEid9s7_sBHXxPzCeDt6rNELY4XYwim9r5QM77_6Cdc');
    expect(parseUpsPush(Buffer.from('{"trackingNumber":"1ZCIETST0111111114"} ')).id).not.toBe(id);
    expect(parseUpsPush(body('push-out-for-delivery')).id).not.toBe(parseUpsPush(pushed).id);
  });

  test('it holds one activity of one package', () => {
    const { traces } = parseUpsPush(body('push-out-for-delivery'));
    expect(traces).toMatchObject([{ trackingNumber: '1ZCIETST0111111114', carrier: undefined }]);
    const [trace] = traces.map(({ raw, trackingNumber }) => translateUps(raw, { trackingNumber, dispatchedAt: 0 }));
    expect(trace).toEqual({
      nodes: [
        {
          orderNo: '1ZCIETST0111111114',
          address: 'Fremont, CA, US',
          content: 'Out for Delivery',
          status: 'OT',
          adminStatus: 'In Delivery',
          createTime: '2026-11-12 08:31:05',
          times: '(GMT-08:00)',
          zoneBasis: 'given',
        },
      ],
      undated: [],
      unknownCodes: [],
      leftOut: [],
    });
  });

  test('its offset is written with a point, its status code may be a number, and its photo is left out', () => {
    const [trace] = parseUpsPush(pushed).traces;
    expect(translateUps(trace?.raw, { trackingNumber: '1ZCIETST0422222228', dispatchedAt: 0 }).nodes).toMatchObject([
      { adminStatus: 'Delivery Success', createTime: '2026-11-12 14:22:10', times: '(GMT-08:00)', zoneBasis: 'given' },
    ]);
    expect(JSON.stringify(trace)).not.toContain('iVBORw0KGgo');
  });

  test('an event without a status is left out later and costs no push', () => {
    for (const activityStatus of [undefined, null, 'D', []]) {
      const [trace] = parseUpsPush(bodyOf({ trackingNumber: '1ZCIETST0111111114', activityStatus })).traces;
      expect(translateUps(trace?.raw, { trackingNumber: '1ZCIETST0111111114', dispatchedAt: 0 }).leftOut).toEqual([
        'An activity has no status',
      ]);
    }
  });

  test('what is no push of UPS is refused', () => {
    for (const wrong of [null, 1, 'x', [], {}, { trackingNumber: '' }, { trackingNumber: {} }, { trackingNumber: '__proto__' }])
      expect(() => parseUpsPush(bodyOf(wrong))).toThrow('no tracking number');
    expect(() => parseUpsPush(bodyOf({ trackingNumber: '1'.repeat(35) }))).toThrow('no tracking number');
    expect(() => parseUpsPush(Buffer.from('trackingNumber=1ZCIETST0111111114'))).toThrow('not JSON');
  });
});
