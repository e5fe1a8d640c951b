import { expect, test } from '@jest/globals';
import { SourceRefusal } from '../../sources/source-refusal.ts';
import { carrierUnavailable } from './carrier-unavailable.ts';
import { failureCause } from './failure-cause.ts';

const coded = (code: string): Error => Object.assign(new Error(`of ${code}`), { code });

test.each([
  ['ENOTFOUND', 'the host name does not resolve'],
  ['EAI_AGAIN', 'the host name does not resolve'],
  ['ECONNREFUSED', 'the connection was refused'],
  ['EHOSTUNREACH', 'no route leads to the host'],
  ['UND_ERR_CONNECT_TIMEOUT', 'the call timed out'],
  ['UND_ERR_HEADERS_TIMEOUT', 'the call timed out'],
  ['UND_ERR_SOCKET', 'the connection was closed before the response'],
  ['HPE_INVALID_CONSTANT', 'what came back is no HTTP'],
  ['CERT_HAS_EXPIRED', 'TLS failed (CERT_HAS_EXPIRED)'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS failed (DEPTH_ZERO_SELF_SIGNED_CERT)'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'TLS failed (ERR_TLS_CERT_ALTNAME_INVALID)'],
  ['EOPENBREAKER', 'the calls before this one failed, so that none is made for a moment'],
  ['EACCES', undefined],
])('%s means: %s', (code, words) => {
  const refusal = new SourceRefusal('unavailable', 'The call failed', { cause: coded(code) });
  for (const error of [coded(code), refusal, carrierUnavailable(1000, refusal)]) expect(failureCause(error)).toBe(words);
});

test('what is no error, has no cause or is its own cause has no words', () => {
  const own = new Error('own');
  own.cause = own;
  for (const error of ['ENOTFOUND', undefined, new Error('ENOTFOUND'), own]) expect(failureCause(error)).toBeUndefined();
});
