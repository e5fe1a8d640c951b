// The pushes of every vendor: who is believed, and what is read. `fixtures/pushes.json` of a vendor has bodies with the numbers that they are about, or
// why they are no push; `fixtures/signed.json` has a push with its proof.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { codedSources } from '../testing/vendor-rows.ts';
import { isProved, type PushHeaders } from './push.ts';
import { pushSecrets, type SourcePushes, type TrackingSource } from './source.ts';
import { trackingSources } from './source-list.ts';
import { sourceUps } from './ups/source.ts';

/** A push that somebody else has signed, with sha256sum and openssl or as the vendor publishes it, and the header that proves it. */
interface Signed {
  /** Or in a file, without the line feed at its end. */
  readonly body?: string;
  readonly file?: string;
  readonly secret: string;
  readonly header: string;
  readonly proof: string;
  /** The proof with an empty secret. */
  readonly ofNothing: string;
  readonly others?: PushHeaders;
}

const file = (source: string, name: string): Buffer => readFileSync(new URL(`./${source}/fixtures/${name}`, import.meta.url));

function signedOf(source: string) {
  const signed = JSON.parse(file(source, 'signed.json').toString()) as Signed;
  return {
    ...signed,
    body:
      signed.body ??
      file(source, signed.file ?? '')
        .toString()
        .trimEnd(),
  };
}

describe.each(codedSources)('%s', (name) => {
  const { credentials, pushes } = trackingSources.get(name) as TrackingSource & { readonly pushes: SourcePushes };
  const { body, secret, header, proof, ofNothing, others } = signedOf(name);
  const isTrue = (given: { body?: string; proof?: unknown; more?: PushHeaders; by?: readonly string[] } = {}): boolean => {
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
    for (const changed of [`${body} `, body.slice(1), '{}', '']) expect(isTrue({ body: changed })).toBe(['ups', 'dhl'].includes(name));
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
  const { body, secret, header, proof } = signedOf('easypost');
  for (const form of ['NFC', 'NFD', 'NFKD'])
    expect(isProved(pushes.proof, Buffer.from(body), { [header]: proof }, [secret.normalize(form)])).toBe(true);
  expect(pushes.parse(Buffer.from(body))).toMatchObject([{ trackingNumber: '1' }]);
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
