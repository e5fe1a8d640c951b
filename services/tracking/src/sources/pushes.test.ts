// The pushes of every vendor: who is believed, and what is read. `fixtures/pushes.json` of a vendor has bodies with the numbers that they are about, or
// why they are no push.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { type CodedSource, codedSources } from '../testing/vendor-rows.ts';
import { isProved, type PushHeaders } from './push.ts';
import { pushSecrets, type SourcePushes, type TrackingSource } from './source.ts';
import { trackingSources } from './source-list.ts';
import { sourceUps } from './ups/source.ts';

/** A push that somebody else has signed, and the header that proves it. */
interface Signed {
  readonly body: string | Buffer;
  readonly secret: string;
  readonly header: string;
  readonly proof: string;
  /** The proof with an empty secret. */
  readonly ofNothing: string;
  readonly others?: PushHeaders;
}

const file = (source: string, name: string): Buffer => readFileSync(new URL(`./${source}/fixtures/${name}`, import.meta.url));

/** Computed with sha256sum and openssl, or published by the vendor. */
const signed: Readonly<Record<CodedSource, Signed>> = {
  '17track': {
    body: '{"event":"TRACKING_STOPPED"}',
    secret: 'key',
    header: 'sign',
    proof: '02f3153264c785cc687e3880add03f4345a8608b7bc67c9ea95d4ef6b42fa973',
    ofNothing: 'c2efcb5c167070d0129857fdc5fd5956f4479a26ad9cf8814e243d70d7ba6633',
  },
  aftership: {
    body:
      '{"event":"tracking_update","event_id":"7d2f3a10-52c4-4e1b-9a37-0c6be1f4a9d2","is_tracking_first_tag":false,' +
      '"msg":{"tracking_number":"TEST0001"},"ts":1764057600}',
    secret: 'sécret-für-Tests',
    header: 'aftership-hmac-sha256',
    proof: '/ceMZtZkLl+4aZ4voFy2r7535EEIhExfCy7wq2ZFg5c=',
    ofNothing: 'wMJm/rp0fZUoZg/naHaxCLs4vNOH5D4FgdEystJPz/c=',
  },
  easypost: {
    // The file ends with a line feed that is not signed.
    body: file('easypost', 'published-event-body.txt').subarray(0, 3550),
    secret: 's\u00e9cret',
    header: 'x-hmac-signature',
    proof: 'hmac-sha256-hex=38f3f53c103713df81616a0a186d77141957323ec21d5fe9363db93840f527db',
    ofNothing: 'hmac-sha256-hex=389c196a7021992a90e81c2f2018d77eb1325684d3b1c59a67badfea051d16ae',
  },
  ups: { body: file('ups', 'push-delivered.json'), secret: 'Secret', header: 'x-api-key', proof: 'Secret', ofNothing: '' },
  dhl: { body: file('dhl', 'push.json'), secret: 'Secret', header: 'x-parcelway-push-token', proof: 'Secret', ofNothing: '' },
  yunexpress: {
    body: '{"data_code":"tisPushData","data":{}}',
    secret: 'own key of these tests',
    header: 'x-openapi-signature',
    proof: '4659fe90e33357846aff24ff4931c32921dc27da449bbe6f45e86fa428607f8a',
    ofNothing: '5296cfcc14ac9495b1d4d3a84b0bb739862f39e7e614782ec72be42f5d9053c0',
    others: { 'x-openapi-request-timestamp': '1794873600417' },
  },
};

describe.each(codedSources)('%s', (name) => {
  const { credentials, pushes } = trackingSources.get(name) as TrackingSource & { readonly pushes: SourcePushes };
  const { body, secret, header, proof, ofNothing, others } = signed[name];
  const isTrue = (given: { body?: string | Buffer; proof?: unknown; more?: PushHeaders; by?: readonly string[] } = {}): boolean => {
    const headers = { ...others, [header]: ('proof' in given ? given.proof : proof) as string, ...given.more };
    return isProved(pushes.proof, Buffer.from(given.body ?? body), headers, given.by ?? [secret]);
  };

  test('two secrets prove a push during a rotation, and no other, empty or none', () => {
    for (const by of [['NEW', secret], [secret, 'NEW'], [secret]]) expect(isTrue({ by })).toBe(true);
    for (const by of [['NEW'], ['NEW', ''], [''], []])
      for (const one of [proof, ofNothing, undefined]) expect(isTrue({ proof: one, by })).toBe(false);
  });

  test('the secrets are those of the connection, the present one first', () => {
    const former = credentials.optional.find((one) => one.startsWith('previous_')) ?? '';
    const current = former.slice('previous_'.length);
    expect(pushSecrets(pushes, { [current]: 'NEW', [former]: 'OLD' })).toEqual(['NEW', 'OLD']);
    expect(pushSecrets(pushes, { [current]: '', [former]: '' })).toEqual([]);
    expect(pushSecrets(pushes, {})).toEqual([]);
  });

  test('a changed body is refused, where the vendor signs it', () => {
    const text = Buffer.from(body).toString();
    for (const changed of [`${text} `, text.slice(1), '{}', '']) expect(isTrue({ body: changed })).toBe(['ups', 'dhl'].includes(name));
  });

  test('a proof that is changed, repeated or elsewhere is refused', () => {
    const cut = [`${proof}0`, `${proof} `, ` ${proof}`, `Bearer ${proof}`, proof.slice(1), proof.slice(0, -1)];
    const odd = ['', `${proof}, ${proof}`, 'a'.repeat(100_000), [proof], [proof, proof], [], { 0: proof }, 5, null];
    const letters = [proof.toUpperCase(), proof.toLowerCase()].filter((one) => one !== proof);
    for (const wrong of [undefined, ...cut, ...odd, ...letters]) expect(isTrue({ proof: wrong })).toBe(false);
    expect(isTrue({ proof: undefined, more: { [`${header}-v2`]: proof, authorization: proof, signature: proof } })).toBe(false);
  });

  const read = (bytes: Uint8Array): readonly string[] =>
    pushes.parse(pushes.open?.(bytes, [secret]) ?? bytes).map(({ trackingNumber }) => trackingNumber);

  test.each(['', '{', '[]', 'null', '5', '"x"', '{}', '<push/>', '\u00ff{}'])('%j is no push', (text) => {
    expect(() => read(Buffer.from(text, 'latin1'))).toThrow(Error);
  });

  test.each(JSON.parse(file(name, 'pushes.json').toString()) as { body: unknown; numbers?: string[]; refused?: string }[])(
    'the body $body',
    ({ body: given, numbers, refused }) => {
      const bytes = typeof given === 'string' ? file(name, `${given}.json`) : Buffer.from(JSON.stringify(given));
      if (refused === undefined) expect(read(bytes)).toEqual(numbers);
      else expect(() => read(bytes)).toThrow(refused);
    },
  );
});

test('the secret of EasyPost counts in any Unicode form, and its published push is read', () => {
  const { pushes } = trackingSources.get('easypost') as TrackingSource & { readonly pushes: SourcePushes };
  const { body, secret, header, proof } = signed.easypost;
  for (const form of ['NFC', 'NFD', 'NFKD'])
    expect(isProved(pushes.proof, body as Buffer, { [header]: proof }, [secret.normalize(form)])).toBe(true);
  expect(pushes.parse(body as Buffer)).toMatchObject([{ trackingNumber: '1' }]);
});

test('the header of Track Alert v1 of UPS counts as well, and both together do not', () => {
  const { proof } = sourceUps.pushes as SourcePushes;
  const verify = (headers: PushHeaders) => isProved(proof, Buffer.from('{}'), headers, ['secret']);
  expect([verify({ credential: 'secret' }), verify({ 'x-api-key': 'secret', credential: 'secret' })]).toEqual([true, false]);
});

test('a push of 17TRACK is of the parcel whose carrier it names, as far as both are known', () => {
  const { pushes } = trackingSources.get('17track') as TrackingSource;
  const isOf = (carrier: string | undefined, reference: string | null) =>
    pushes?.isOf?.({ trackingNumber: 'A1', carrier, raw: null }, reference);
  expect([isOf('3011', '3011'), isOf('3011', null), isOf(undefined, '3011'), isOf('3011', '190008')]).toEqual([true, true, true, false]);
});
