import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { dial, echo, startGateway, type TestGateway } from '../../testing/harness.ts';
import { selfSignedMaterial } from './certificate.ts';

/** Long enough for a connection to be made on a slow machine. */
const ARRIVE_SOON = { headersMs: 300, requestMs: 1000 };

let gateway: TestGateway;

describe('the public port', () => {
  test('responds to plain HTTP with 40002 and closes', async () => {
    gateway = await startGateway(echo);
    const response = await gateway.raw('GET /open/v1/forecasts HTTP/1.1\r\nHost: x\r\n\r\n', { clear: true });
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(response).toContain('Connection: close');
    expect(JSON.parse(response.slice(response.indexOf('{')))).toMatchObject({ code: '40002', data: null });
  });

  test('reads every header that fits, however many there are', async () => {
    gateway = await startGateway(echo);
    const { key } = await gateway.issue();
    const head = `GET /open/v1/forecasts HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n${'A:\r\n'.repeat(2500)}`;
    expect(await gateway.raw(`${head}Connection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await gateway.raw(`${head}Host: y\r\nConnection: close\r\n\r\n`)).toContain('"code":"40001"');
    expect(await gateway.raw(`${head}X-Api-Key: ${key}\r\nConnection: close\r\n\r\n`)).toContain('"code":"40003"');
  });

  // e2e/src/scenarios/raw-requests.test.ts has the heads that nobody can understand.
  test('drops a handshake that is none, and serves others meanwhile', async () => {
    gateway = await startGateway(echo);
    dial(gateway);
    const broken = await gateway.raw('\x16\x03\x01\x00\x05aaaaa', { clear: true });
    expect(broken).not.toContain('HTTP');
    const { key } = await gateway.issue();
    expect((await gateway.call('/open/v1/forecasts', { key })).status).toBe(200);
  });

  test('closes a connection whose request does not arrive in time, with a word', async () => {
    gateway = await startGateway(echo, { arrivalTimeouts: ARRIVE_SOON });
    const started = once(gateway.gateway.server, 'clientError');
    const response = gateway.raw('GET /files/a HTTP/1.1\r\nHost: a\r\nX-Slow');
    await started;
    expect(await response).toContain('did not arrive in time');
  }, 15_000);

  test.each([false, true])(
    'closes a connection on which nothing was asked without a word, behind a proxy: %s',
    async (clear) => {
      gateway = await startGateway(echo, { clear, arrivalTimeouts: ARRIVE_SOON });
      const started = once(gateway.gateway.server, 'clientError');
      const response = gateway.raw('');
      await started;
      expect(await response).toBe('');
    },
    15_000,
  );
});

describe('behind a proxy that ends TLS', () => {
  test('requires X-Forwarded-Proto: https, except for probes', async () => {
    gateway = await startGateway(echo, { clear: true });
    const { key } = await gateway.issue();
    expect(await gateway.call('/open/v1/forecasts', { key })).toMatchObject({ status: 400, json: { code: '40002' } });
    expect((await gateway.call('/open/v1/forecasts', { key, headers: { 'x-forwarded-proto': 'http' } })).json.code).toBe('40002');
    expect((await gateway.call('/open/v1/forecasts', { key, headers: { 'x-forwarded-proto': 'https' } })).status).toBe(200);
    // Not a route of this bare server, but past the check.
    expect((await gateway.call('/healthz')).json.code).toBe('40402');
  });

  test.each([
    [1, { 'x-forwarded-for': '6.6.6.6, 203.0.113.7, 198.51.100.1' }, '198.51.100.1'],
    [2, { 'x-forwarded-for': '6.6.6.6, 203.0.113.7, 198.51.100.1' }, '203.0.113.7'],
    [2, { 'x-forwarded-for': ['6.6.6.6, 203.0.113.7', '198.51.100.1'] }, '203.0.113.7'],
    [3, { 'x-forwarded-for': '203.0.113.7, 198.51.100.1' }, '203.0.113.7'],
    [2, { 'x-forwarded-for': '203.0.113.7' }, '203.0.113.7'],
    [2, {}, '127.0.0.1'],
    [2, { 'x-forwarded-for': ' , 198.51.100.1' }, '127.0.0.1'],
  ])('takes the client from before %s trusted proxies: %j', async (trustedProxyHops, headers, client) => {
    gateway = await startGateway(echo, { clear: true, trustedProxyHops });
    const { key } = await gateway.issue({ allowedAddresses: ['192.0.2.1'] });
    const { json } = await gateway.call('/open/v1/forecasts', { key, headers: { 'x-forwarded-proto': 'https', ...headers } });
    expect(json.message).toContain(` ${client}`);
  });
});

describe('certificates', () => {
  test('are made once, for this machine, and made again before they expire', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'tls-'));
    const now = Date.UTC(2026, 10, 21);
    const first = await selfSignedMaterial(join(directory, 'tls'), now);
    const certificate = new X509Certificate(first.cert);
    expect(certificate.ca).toBe(true);
    for (const name of ['localhost']) expect(certificate.checkHost(name)).toBe(name);
    for (const address of ['127.0.0.1', '::1']) expect(certificate.checkIP(address)).toBe(address);
    expect(certificate.publicKey.asymmetricKeyType).toBe('ec');
    expect((await stat(join(directory, 'tls', 'key.pem'))).mode & 0o777).toBe(0o600);
    expect((await selfSignedMaterial(join(directory, 'tls'), now + 86_400_000)).cert).toBe(first.cert);
    const renewed = await selfSignedMaterial(join(directory, 'tls'), new Date(certificate.validTo).getTime() - 86_400_000);
    expect(renewed.cert).not.toBe(first.cert);
    expect(await readFile(first.certFile, 'utf8')).toBe(renewed.cert);
    await rm(directory, { recursive: true });
  });

  test('are made again when certificate and key do not belong together, or are spoilt', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'tls-'));
    const now = Date.now();
    const [one, other] = [join(directory, 'one'), join(directory, 'other')];
    await Promise.all([selfSignedMaterial(one, now), selfSignedMaterial(other, now)]);
    // What a start leaves behind that was killed between the two files.
    await copyFile(join(other, 'key.pem'), join(one, 'key.pem'));
    const repaired = await selfSignedMaterial(one, now);
    expect(new X509Certificate(repaired.cert).checkPrivateKey(createPrivateKey(repaired.key))).toBe(true);
    await writeFile(join(one, 'cert.pem'), '');
    expect((await selfSignedMaterial(one, now)).cert).toContain('BEGIN CERTIFICATE');
    await rm(directory, { recursive: true });
  });
});
