import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Agent } from 'undici';
import { callSource } from '../../sources/source-http.ts';
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

describe('a call of', () => {
  let silent: Server;
  let dispatcher: Agent;
  let port: number;
  beforeAll(async () => {
    silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    port = (silent.address() as AddressInfo).port;
    dispatcher = new Agent();
  });
  afterAll(async () => {
    await dispatcher.destroy();
    silent.closeAllConnections();
    silent.close();
  });
  const causeOf = async (url: string): Promise<string | undefined> =>
    failureCause(await callSource(dispatcher, { method: 'GET', url, signal: AbortSignal.timeout(5000) }).catch((error: unknown) => error));

  test('a name that nobody has', async () => {
    expect(await causeOf('http://nobody.invalid/')).toBe('the host name does not resolve');
  });

  test('a port on which nobody listens', async () => {
    expect(await causeOf('http://127.0.0.1:1/')).toBe('the connection was refused');
  });

  test('a server that speaks no TLS', async () => {
    expect(await causeOf(`https://127.0.0.1:${port}/`)).toMatch(/^TLS failed \([A-Z_]+\)$/);
  });

  test('a server that does not respond', async () => {
    const signal = AbortSignal.timeout(50);
    const url = `http://127.0.0.1:${port}/`;
    expect(failureCause(await callSource(dispatcher, { method: 'GET', url, signal }).catch((error: unknown) => error))).toBe(
      'the call timed out',
    );
  });
});
