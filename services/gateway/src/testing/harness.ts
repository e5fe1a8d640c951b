import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { createMemoryRateLimiter } from '@parcelway/cache/memory-rate-limiter';
import type { Environment } from '@parcelway/contracts/environment';
import { type ServiceName, serviceNames } from '@parcelway/contracts/service-name';
import { createApp } from '@parcelway/http/app';
import { localServices, remoteServices } from '@parcelway/http/other-services';
import { PrincipalSigner, PrincipalVerifier } from '@parcelway/http/principal-token';
import { drainServer, listen } from '@parcelway/http/server';
import { ManualClock, systemClock } from '@parcelway/kernel/clock';
import { type Logger, silentLogger } from '@parcelway/kernel/logger';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { noTelemetry, openTelemetry, type Telemetry } from '@parcelway/telemetry/telemetry';
import { Agent, request } from 'undici';
import { loadGatewayConfig } from '../config.ts';
import { issueKey, type KeyRequest, type NewKey } from '../keys/manage-keys.ts';
import { selfSignedMaterial, type TlsMaterial } from '../proxy/adapters/certificate.ts';
import { createGatewayServer, type GatewayServerOptions } from '../proxy/adapters/gateway-server.ts';
import { tenants } from '../tenants/tenants.ts';
import { addWarehouse } from '../tenants/warehouses.ts';
import { ends } from './ends.ts';
import { storesIn } from './set-up-stores.ts';

/** A gateway on a free port, with one upstream that stands for every service. */
export type TestGateway = Awaited<ReturnType<typeof startGateway>>;

export interface CallOptions {
  readonly method?: string;
  readonly key?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer;
  /** Sent with a length that is not announced. */
  readonly chunks?: readonly string[];
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  readonly json: { code: string; message: string; data: Record<string, unknown> | null };
}

/** Secret between the gateway and the services behind it. */
export const TEST_SECRET = 'a-secret-for-tests-of-at-least-32-characters';

async function callWhole(url: string, agent: Agent, options: CallOptions = {}): Promise<TestResponse> {
  const response = await request(url, {
    method: (options.method ?? 'GET') as 'GET',
    headers: { ...(options.key === undefined ? {} : { 'x-api-key': options.key }), ...options.headers },
    body: options.chunks ? Readable.from(options.chunks) : (options.body ?? null),
    dispatcher: agent,
  });
  const text = await response.body.text();
  return {
    status: response.statusCode,
    headers: response.headers,
    text,
    get json() {
      return JSON.parse(text) as TestResponse['json'];
    },
  };
}

/** A connection on which a test speaks HTTP by hand. */
export type RawClient = ReturnType<typeof openRawClient>;

/** Connects to a gateway over TLS, or in the clear, until the end of the test. */
export function openRawClient({ port, tls }: { readonly port: number; readonly tls: TlsMaterial | null }, clear = tls === null) {
  const to = { port, host: '127.0.0.1' };
  const socket = clear ? connect(to) : connectTls({ ...to, servername: 'localhost', ca: tls?.cert });
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += String(chunk);
  });
  socket.on('error', () => undefined);
  ends.push(() => socket.destroy());
  /** Everything received so far, as latin1. */
  const received = (): string => text;
  return { socket, received, closed: () => socket.closed };
}

/** The head of an upload of a PDF. @param length announced length of the body. @param more further header lines, each ending in CRLF */
export function uploadHead(key: string, length: number, more = ''): string {
  return `POST /open/v1/files/pdf HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n${more}\r\n`;
}

const signer = new PrincipalSigner(TEST_SECRET, systemClock);

/** Services of other processes on loopback. */
export const remoteServicesAt = (portOf: (service: ServiceName) => number) =>
  remoteServices({ originOf: (service) => `http://127.0.0.1:${portOf(service)}`, signer });

/** Services of this process, all served by one listener. */
function localServicesOf(upstream: RequestListener) {
  const services = localServices();
  for (const name of serviceNames)
    services.add(name, { app: createApp(silentLogger, [upstream]), telemetry: noTelemetry, ready: async () => undefined });
  return services;
}

/** Starts a gateway, which ends with the test. `upstream` responds for every service, over HTTP unless `isLocal`. */
export async function startGateway(
  upstream: RequestListener,
  overrides: Partial<GatewayServerOptions> & { readonly clear?: boolean; readonly isLocal?: boolean } = {},
) {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-'));
  const db = new SqliteDatabase(':memory:');
  const stores = storesIn(db);
  const context = {
    environment: 'sandbox',
    store: stores.store,
    keys: stores.keys,
    clock: systemClock,
    fileSecrets: [TEST_SECRET],
  } as const;
  await stores.store.apply([{ in: tenants, insert: { tenantId: 'tnt_1', name: 'Merchant', status: 'active', createdAt: Date.now() } }]);
  await addWarehouse(context, { code: 'W1', name: 'Warehouse' });
  const upstreamServer = createServer(upstream);
  const upstreamPort = await listen(upstreamServer, '127.0.0.1', 0);
  const tls = overrides.clear ? null : await selfSignedMaterial(directory, Date.now());
  const environment: Environment = overrides.environment ?? 'sandbox';
  const gateway = createGatewayServer({
    ...loadGatewayConfig({}),
    environment,
    keys: stores.keys,
    lastUse: { note: () => undefined },
    // Its buckets never refill, so that a test can use one up.
    rateLimiter: createMemoryRateLimiter({ clock: new ManualClock(0) }),
    signer,
    otherServices: overrides.isLocal ? localServicesOf(upstream) : remoteServicesAt(() => upstreamPort),
    clock: systemClock,
    logger: silentLogger,
    tls,
    ...overrides,
  });
  const serverSockets = new Set<Socket>();
  gateway.server.on('connection', (socket: Socket) => serverSockets.add(socket));
  const port = await listen(gateway.server, '127.0.0.1', 0);
  const agent = new Agent(tls ? { connect: { ca: tls.cert } } : {});
  ends.push(async () => {
    await agent.destroy();
    await drainServer(gateway.server, 200);
    await gateway.close();
    await drainServer(upstreamServer, 200);
    db.close();
    await rm(directory, { recursive: true, force: true });
  });
  const origin = `${tls ? 'https' : 'http'}://localhost:${port}`;
  return {
    origin,
    port,
    tls,
    stores,
    gateway,
    upstream: upstreamServer,
    verifier: new PrincipalVerifier([TEST_SECRET], systemClock, environment),
    agent,
    /** The gateway's side of every connection. */
    serverSockets: serverSockets as ReadonlySet<Socket>,
    /** A key of the one tenant `tnt_1` or the one warehouse `W1`. */
    issue: (given: Partial<KeyRequest> = {}): Promise<NewKey> =>
      issueKey({ ...context, environment }, { holder: { kind: 'tenant', tenantId: 'tnt_1' }, ...given }),
    /** A request over TLS; the response read whole. */
    call: (path: string, options?: CallOptions): Promise<TestResponse> => callWhole(`${origin}${path}`, agent, options),
    /** Sends bytes over TLS, or in the clear, and reads until the connection ends. */
    async raw(bytes: string, { clear }: { readonly clear?: boolean } = {}): Promise<string> {
      const { socket, received } = openRawClient({ port, tls }, clear);
      socket.write(bytes, 'latin1');
      await once(socket, 'close');
      return received();
    },
  };
}

/** Connects to a gateway in the clear, until the end of the test. */
export function dial({ port }: Pick<TestGateway, 'port'>, localAddress = '127.0.0.1'): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  ends.push(() => socket.destroy());
  return socket;
}

/** Sends the head of a request in the clear, as from a proxy that ends TLS. @param more further header lines, each with its end */
export function sendHead(gateway: Pick<TestGateway, 'port'>, line: string, key: string, more = ''): Socket {
  const socket = dial(gateway);
  socket.write(`${line} HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: https\r\nX-Api-Key: ${key}\r\n${more}\r\n`);
  return socket;
}

/** A logger that keeps its warnings in `lines`. */
export function noting() {
  const lines: unknown[] = [];
  return { lines, logger: { ...silentLogger, warn: (line: unknown) => lines.push(line) } as Logger };
}

/** Telemetry that shows every change at once, until the end of the test. */
export async function startTelemetry(): Promise<Telemetry> {
  const telemetry = await openTelemetry({ version: '1', logger: silentLogger, freshMs: 5 });
  ends.push(() => telemetry.close());
  return telemetry;
}

/** A service that responds with what reached it. */
export function echo(req: IncomingMessage, res: ServerResponse): void {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const data = { url: req.url, method: req.method, headers: req.headers, body: Buffer.concat(chunks).toString() };
    const body = JSON.stringify({ code: '0', message: 'success', data });
    res.writeHead(200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'X-Request-Id': 'not-this-one',
      'X-Powered-By': 'echo',
      'X-Service': 'echo',
      ...(req.url?.endsWith('?cache') ? { 'Cache-Control': 'private, immutable' } : {}),
    });
    res.end(req.method === 'HEAD' ? undefined : body);
  });
}
