import { expect, test } from '@jest/globals';
import { RefusedAddressError } from './guarded-connect.ts';
import { failureReply } from './send-failure.ts';

const withCode = (code: string, message = 'it says so'): Error => Object.assign(new Error(message), { code });

test.each<[string, unknown, string, string | RegExp]>([
  ['a port where nobody listens', withCode('ECONNREFUSED'), 'connection_refused', 'The connection was refused'],
  ['a name that does not exist', withCode('ENOTFOUND'), 'name_not_resolved', 'The host name does not resolve'],
  ['a name server that is silent', withCode('EAI_AGAIN'), 'name_not_resolved', /its name server does not respond/],
  ['a host that drops packets', withCode('UND_ERR_CONNECT_TIMEOUT'), 'connect_timeout', 'The connection could not be opened in time'],
  [
    'a certificate that has expired',
    withCode('CERT_HAS_EXPIRED'),
    'tls',
    /^The TLS connection could not be made: CERT_HAS_EXPIRED: it says so$/,
  ],
  ['a certificate of one’s own', withCode('DEPTH_ZERO_SELF_SIGNED_CERT'), 'tls', /DEPTH_ZERO/],
  ['a certificate of another name', withCode('ERR_TLS_CERT_ALTNAME_INVALID'), 'tls', /ALTNAME/],
  ['a server that speaks no TLS', withCode('ERR_SSL_WRONG_VERSION_NUMBER'), 'tls', /WRONG_VERSION/],
  [
    'a private address',
    new RefusedAddressError('10.0.0.1 is private'),
    'address_not_allowed',
    'The address is not allowed: 10.0.0.1 is private',
  ],
  ['anything else', withCode('EWHATEVER'), 'failed', 'EWHATEVER: it says so'],
  ['what says nothing', {}, 'failed', 'The request failed'],
])('%s has a code for programs and a sentence for people', (_name, error, errorCode, sentence) => {
  const reply = failureReply(error);
  expect(reply).toMatchObject({ statusCode: null, errorCode, responseBody: null, retryAfter: null });
  expect(reply.error).toEqual(typeof sentence === 'string' ? sentence : expect.stringMatching(sentence));
});
