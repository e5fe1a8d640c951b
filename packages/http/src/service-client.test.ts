import type { Server, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Principal } from '@parcelway/contracts/principal';
import { AppError } from '@parcelway/kernel/app-error';
import { systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { noTelemetry } from '@parcelway/telemetry/telemetry';
import type { Router } from 'express';
import { createServiceApp, principalOf, requestIdOf, type ServiceApp } from './app.ts';
import { traceparentOf } from './follow-request.ts';
import { jsonBody } from './json-body.ts';
import { localServices, remoteServices } from './other-services.ts';
import { PrincipalSigner, PrincipalVerifier } from './principal-token.ts';
import { sendOk } from './response.ts';
import { createServiceServer, drainServer, listen } from './server.ts';
import { type ServiceClient, textOf } from './service-client.ts';

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
const CHUNK = 64 * 1024;
const CHUNKS = 100;

let held: ServerResponse[];
/** Chunks of the long response that were made so far. */
let made: number;
let isReady: boolean;

function* longBody(): Generator<Buffer> {
  for (made = 0; made < CHUNKS; ) {
    made += 1;
    yield Buffer.alloc(CHUNK, made);
  }
}

function routes(router: Router): void {
  router.post('/echo', jsonBody(), (req, res) => {
    sendOk(res, { body: req.body, caller: principalOf(req), id: requestIdOf(req), trace: traceparentOf(req)?.split('-')[1] });
  });
  router.get('/who', (req, res) => sendOk(res, { ...principalOf(req) }));
  router.get('/held', (_req, res) => void held.push(res));
  router.get('/cut', (_req, res) => void res.destroy());
  router.get('/cut-short', (_req, res) => {
    res.write('{"code":"0"', () => res.destroy());
  });
  router.get('/uneven', async (_req, res) => {
    res.setHeader('Content-Type', 'application/pdf');
    await pipeline(Readable.from([Buffer.alloc(3 * CHUNK), ...Array.from({ length: 20 }, () => Buffer.alloc(1))]), res);
  });
  router.get('/long', async (_req, res) => {
    res.writeHead(200, { 'Content-Type': 'application/pdf' });
    await pipeline(Readable.from(longBody()), res).catch(() => undefined);
  });
  router.get('/refused', () => {
    throw new AppError('40902', 'Not now', { data: { status: 3 } });
  });
}

async function openRemote(app: ServiceApp) {
  const server: Server = createServiceServer(app, async () => {
    if (!isReady) throw new Error('The store is out');
  });
  const port = await listen(server, '127.0.0.1', 0);
  const services = remoteServices({ originOf: (service) => `http://127.0.0.1:${service === 'file' ? 9 : port}`, signer });
  return {
    client: services.openClient(),
    async close() {
      await services.close();
      await drainServer(server, 0);
    },
  };
}

async function openLocal(app: ServiceApp) {
  const services = localServices();
  const ready = async (): Promise<void> => {
    if (!isReady) throw new Error('The store is out');
  };
  services.add('forecast', { app, telemetry: noTelemetry, ready });
  return { client: services.openClient(), close: async () => undefined };
}

describe.each([
  ['another process', openRemote],
  ['this process', openLocal],
])('a client of a service of %s', (_where, open) => {
  let client: ServiceClient;
  let close: () => Promise<void>;

  beforeEach(async () => {
    held = [];
    isReady = true;
    const verifier = new PrincipalVerifier([secret], systemClock, 'sandbox');
    ({ client, close } = await open(createServiceApp({ logger: silentLogger, verifier, routes })));
  });
  afterEach(() => close());

  const get = (path: string) => ({ service: 'forecast', method: 'GET', path, principal: tenant }) as const;

  test('sends the body on behalf of its caller, with the ids of what causes the call', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const ids = { requestId: 'req_1', traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    const call = { ...get('/echo'), method: 'POST', body: { name: 'grün 🟢' }, ...ids } as const;
    expect(await client.call(call)).toEqual({ body: { name: 'grün 🟢' }, caller: tenant, id: 'req_1', trace: traceId });
    const raw = { ...call, body: Buffer.from('{"a":1}'), contentType: 'application/json' };
    expect(await client.call(raw)).toMatchObject({ body: { a: 1 } });
    await expect(client.call({ ...raw, contentType: 'text/plain' })).rejects.toMatchObject({ code: '41501' });
  });

  test('throws the code and data of a refusal, and refuses a path with dot segments', async () => {
    await expect(client.call(get('/refused'))).rejects.toMatchObject({ code: '40902', message: 'Not now', data: { status: 3 } });
    await expect(client.call(get('/none'))).rejects.toMatchObject({ code: '40402' });
    await expect(client.call(get('/long/../who'))).rejects.toMatchObject({ code: '40402', message: expect.stringContaining('must not') });
  });

  test('reads no more of a response than it is asked to', async () => {
    const bytes = Buffer.byteLength(JSON.stringify({ code: '0', message: 'success', data: tenant }));
    expect(await client.call({ ...get('/who'), maxBytes: bytes })).toEqual(tenant);
    await expect(client.call({ ...get('/who'), maxBytes: bytes - 1 })).rejects.toMatchObject({ code: '41301' });
    await expect(client.call({ ...get('/long'), maxBytes: CHUNK })).rejects.toMatchObject({ code: '41301' });
    expect(made).toBeLessThan(CHUNKS);
  });

  test.each([
    ['/long', CHUNKS * CHUNK],
    ['/uneven', 3 * CHUNK + 20],
  ])('gets the whole response of %s as it reads it', async (path, length) => {
    const response = await client.send(get(path));
    expect(response).toMatchObject({ statusCode: 200, headers: { 'content-type': 'application/pdf' } });
    let bytes = 0;
    for await (const chunk of response.body) {
      bytes += (chunk as Buffer).length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(bytes).toBe(length);
  });

  test('ends a call at its deadline, and the service sees that', async () => {
    await expect(client.call({ ...get('/held'), timeoutMs: 50 })).rejects.toMatchObject({ code: '50301' });
    await until(() => held[0]?.destroyed === true, { what: 'the response to be closed' });
    const { body } = await client.send({ ...get('/long'), timeoutMs: 300 });
    await until(() => body.destroyed, { what: 'the body to be cut' });
    await expect(textOf('forecast', body)).rejects.toMatchObject({ code: '50301' });
  });

  test('gives 50301 when there is no response, or it breaks off', async () => {
    for (const path of ['/cut', '/cut-short']) await expect(client.call(get(path))).rejects.toMatchObject({ code: '50301' });
    await expect(client.call({ ...get('/who'), service: 'file' })).rejects.toMatchObject({ code: '50301' });
  });

  test('says whether the service is ready', async () => {
    await client.ready('forecast', 1000);
    isReady = false;
    await expect(client.ready('forecast', 1000)).rejects.toThrow();
  });
});

test('a client of another process keeps the deadline of a call that waits for a connection', async () => {
  held = [];
  const app = createServiceApp({ logger: silentLogger, verifier: new PrincipalVerifier([secret], systemClock, 'sandbox'), routes });
  const { client, close } = await openRemote(app);
  const call = (timeoutMs: number) =>
    client.call({ service: 'forecast', method: 'GET', path: '/held', principal: tenant, timeoutMs }).catch((error: AppError) => error.code);
  const waiting = Array.from({ length: 16 }, () => call(1000));
  await until(() => held.length === 16, { what: 'every connection to be used' });
  expect(await Promise.race([call(50), ...waiting.map(async (one) => `a former one: ${await one}`)])).toBe('50301');
  await Promise.all(waiting);
  await close();
});
