import type { Server } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Principal } from '@parcelway/contracts/principal';
import { AppError } from '@parcelway/kernel/app-error';
import { systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { createServiceApp, principalOf, tenantOf } from './app.ts';
import { jsonBody, MAX_JSON_BYTES } from './json-body.ts';
import { PRINCIPAL_HEADER, PrincipalSigner, PrincipalVerifier } from './principal-token.ts';
import { sendOk } from './response.ts';
import { createServiceServer, drainServer, listen } from './server.ts';

const secret = 's'.repeat(32);
const signer = new PrincipalSigner(secret, systemClock);
const tenant: Principal = {
  kind: 'tenant',
  tenantId: 'tnt_1',
  warehouseCode: null,
  keyId: 'key_1',
  scopes: ['forecasts:write'],
  environment: 'sandbox',
};

let server: Server;
/** What has to be on the disk before a success. */
let settled: () => Promise<void>;
let port: number;

beforeEach(async () => {
  settled = async () => undefined;
  const app = createServiceApp({
    logger: silentLogger,
    verifier: new PrincipalVerifier([secret], systemClock, 'sandbox'),
    settled: () => settled(),
    routes(router) {
      router.post('/echo', jsonBody(), (req, res) => sendOk(res, { body: req.body, tenant: tenantOf(req) }));
      router.post('/partly', jsonBody(), (_req, res) => sendOk(res, { warnings: [{ field: 'own' }] }, { isFinal: false }));
      router.get('/who', (req, res) => sendOk(res, { ...principalOf(req) }));
      router.get('/defect', async () => {
        throw new Error('secret detail');
      });
    },
  });
  server = createServiceServer(app, async () => undefined);
  port = await listen(server, '127.0.0.1', 0);
});

afterEach(async () => {
  await drainServer(server, 100);
});

const post = (path: string, body: string | Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    body: body as RequestInit['body'],
    headers: { [PRINCIPAL_HEADER]: signer.sign(tenant), 'x-request-id': 'req_1', ...headers },
  });

describe('a service app', () => {
  test('refuses a call without a principal and responds to probes without one', async () => {
    const response = await fetch(`http://127.0.0.1:${port}/who`);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: '40101', data: null });
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  });

  test('says no success of a request that may write before that is on the disk', async () => {
    settled = () => Promise.reject(AppError.unavailable('The disk is out'));
    expect([(await post('/echo', '{"a":1}')).status, (await post('/partly', '{}')).status]).toEqual([503, 503]);
    const read = await fetch(`http://127.0.0.1:${port}/who`, { headers: { [PRINCIPAL_HEADER]: signer.sign(tenant) } });
    expect(read.status).toBe(200);
  });

  test('responds in the envelope with the request id', async () => {
    const response = await post('/echo', '{"a":1}');
    expect(response.headers.get('x-request-id')).toBe('req_1');
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual({ code: '0', message: 'success', data: { body: { a: 1 }, tenant: 'tnt_1' } });
    const { data } = (await (await post('/partly?limit=2', '{}')).json()) as { data: { warnings: object[] } };
    expect(data.warnings).toMatchObject([{ field: 'own' }, { field: 'limit' }]);
  });

  test.each([
    ['no media type', '{}', { 'content-type': '' }, '41501'],
    ['another media type', '{}', { 'content-type': 'text/plain' }, '41501'],
    ['another charset', '{}', { 'content-type': 'application/json; charset=gbk' }, '41501'],
    ['a compressed body', gzipSync('{}'), { 'content-type': 'application/json', 'content-encoding': 'gzip' }, '41501'],
    ['a large body', `"${'x'.repeat(MAX_JSON_BYTES)}"`, undefined, '41301'],
    ['broken JSON', '{', undefined, '40001'],
  ] as const)('refuses %s', async (_what, body, headers, code) => {
    const response = await post('/echo', body, headers);
    expect(await response.json()).toMatchObject({ code });
    expect(String(response.status)).toBe(code.slice(0, 3));
  });

  test('refuses a large body of unknown length while it streams, and the client sees the response', async () => {
    const text = await new Promise<string>((resolve, reject) => {
      let received = '';
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(
          `POST /echo HTTP/1.1\r\nHost: x\r\n${PRINCIPAL_HEADER}: ${signer.sign(tenant)}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
        );
        for (let chunk = 0; chunk < 6; chunk += 1) socket.write(`100000\r\n${'x'.repeat(0x100000)}\r\n`);
      });
      socket.on('data', (data) => {
        received += data.toString();
        if (received.includes('}')) socket.destroy();
      });
      socket.on('close', () => resolve(received));
      socket.on('error', reject);
    });
    expect(text).toContain('HTTP/1.1 413');
    expect(text).toContain('"code":"41301"');
  });

  test('hides the text of a defect', async () => {
    const defect = await fetch(`http://127.0.0.1:${port}/defect`, { headers: { [PRINCIPAL_HEADER]: signer.sign(tenant) } });
    expect(defect.status).toBe(500);
    expect(await defect.text()).toBe('{"code":"50000","message":"Internal error","data":null}');
  });
});
