import { describe, expect, test } from '@jest/globals';
import { maskSecrets } from './mask-secrets.ts';

const RANDOM = 'aB3-_fGhIjKlMnOpQrStUvWxYz012345678-_a';

describe('what is kept has no secret of the platform', () => {
  test.each([
    ['a key of the sandbox', `pf_test_${RANDOM}`, 'pf_test_****'],
    ['a key', `pf_live_${RANDOM}`, 'pf_live_****'],
    ['a token of a session or a link', `pfs_s1.k-1_a.${RANDOM}${RANDOM}`, 'pfs_****'],
    ['a token of an operator', `pfo_${RANDOM}`, 'pfo_****'],
    ['a secret of webhooks', 'whsec_C2FVsBQIhrscChlQIMV+b5/sYspob7oD==', 'whsec_****'],
  ])('%s', (_, secret, shown) => {
    expect(maskSecrets(secret)).toBe(shown);
    expect(maskSecrets(`/open/v1/keys/${secret}`)).toBe(`/open/v1/keys/${shown}`);
    expect(maskSecrets(`No ${secret}, and no x${secret}`)).toBe(`No ${shown}, and no x${shown}`);
    expect(JSON.parse(maskSecrets(JSON.stringify({ errors: [secret, { message: secret }] })))).toEqual({
      errors: [shown, { message: shown }],
    });
    const codes = [...secret].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
    for (const encoded of [
      encodeURIComponent(secret),
      codes,
      codes.toUpperCase(),
      encodeURIComponent(codes),
      secret.replaceAll('_', '%5F'),
    ]) {
      expect(maskSecrets(`/keys/${encoded}`)).toBe(`/keys/${shown}`);
    }
    // What is left of a key with a slip would still be most of it.
    expect(maskSecrets(`${secret.slice(0, -3)} ${secret}x`)).toBe(`${shown} ${shown}`);
  });

  test('of the id of a connection the beginning stays', () => {
    const id = `con_${RANDOM.slice(0, 24)}`;
    expect(maskSecrets(JSON.stringify({ id, push_url: `https://a.example/carriers/v1/ups/${id}` }))).toBe(
      '{"id":"con_aB3-_f…","push_url":"https://a.example/carriers/v1/ups/con_aB3-_f…"}',
    );
    expect(maskSecrets(`/open/v1/carrier-connections/%63on_${RANDOM.slice(0, 24)}/test`)).toBe(
      '/open/v1/carrier-connections/con_aB3-_f…/test',
    );
  });

  test.each([
    '/open/v1/forecasts/PO%2F1%20a',
    'Falcon_2026-11-29-000000000001',
    'con_our-own-account',
    'pf_test_abcd',
    'key_0193a5b1c0a07a1b8c2d9e3f4a5b6c7d',
    '100 %, %zz, %E7%BB',
    '',
    'pfs_',
    'whsec_…',
  ])('and stays as it is otherwise: %s', (text) => {
    expect(maskSecrets(text)).toBe(text);
  });
});
