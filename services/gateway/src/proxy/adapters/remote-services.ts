import { PassThrough, type Readable } from 'node:stream';
import type { Principal } from '@parcelway/contracts/principal';
import type { ServiceName } from '@parcelway/contracts/service-name';
import { discardBody } from '@parcelway/http/discard-body';
import { TRACEPARENT_HEADER } from '@parcelway/http/follow-request';
import { clientKeepAlive } from '@parcelway/http/keep-alive';
import { PRINCIPAL_HEADER, type PrincipalSigner } from '@parcelway/http/principal-token';
import { REQUEST_ID_HEADER } from '@parcelway/http/response';
import { FairShares } from '@parcelway/kernel/fair-shares';
import type { Metrics } from '@parcelway/telemetry/metrics';
import { RoundRobinPool } from 'undici';
import { slowRoutes, streamedRoutes, upstreamLimits } from '../domain/client-shares.ts';
import { pushRoute } from '../domain/route-table.ts';
import type { Exchange } from './exchange.ts';
import { ProxiedResponse } from './proxied-response.ts';
import { bodyOf, ServicePlaces } from './service-places.ts';
import { holderOf, type Services } from './services.ts';

/** How long an upload may wait for the service, which stores it before it responds. */
const UPLOAD_TIMEOUT_MS = 120_000;

/** What forwarding works with. */
export interface RemoteServicesOptions {
  readonly originOf: (service: ServiceName) => string;
  readonly signer: PrincipalSigner;
  /** Acts for callers without a key on public routes. */
  readonly anonymous: Principal;
  /** A service that has a request and does not begin its response within this time is out, but for {@link slowRoutes} and uploads; milliseconds. */
  readonly silenceMs: number;
  /** A request waits for its turn no longer than this, and for more of a response, but for {@link streamedRoutes}; milliseconds. */
  readonly timeoutMs: number;
  readonly metrics: Metrics;
}

/** A service that is reached over HTTP. */
interface Remote {
  readonly name: ServiceName;
  readonly places: ServicePlaces;
  /** Each replica behind the address has its part of the requests. */
  readonly pool: RoundRobinPool;
  /** Responses that come as their clients read them. */
  readonly streams: FairShares;
}

/** The services in processes of their own. */
export class RemoteServices implements Services {
  readonly #options: RemoteServicesOptions;
  readonly #open = new Map<ServiceName, Remote>();

  constructor(options: RemoteServicesOptions) {
    this.#options = options;
  }

  forward(exchange: Exchange, name: ServiceName, path: string): void {
    const service = this.#serviceOf(name);
    exchange.path = path;
    exchange.holder = holderOf(exchange);
    const body = bodyOf(exchange);
    const admit = (content: () => Buffer | Readable | null): void =>
      service.places.admit(exchange, body, (giveBack) => this.#send(exchange, service, content(), giveBack));
    if (body === 'none') admit(() => null);
    else if (body === 'large') admit(() => uploadOf(exchange));
    // The service never waits for a slow client.
    else readSmallBody(exchange, (content) => admit(() => content));
  }

  report(): void {
    for (const { places } of this.#open.values()) places.report();
  }

  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(open.map(({ pool }) => pool.destroy()));
  }

  /** Sends a GET that the service of its route left to another one to that one. */
  #fallBack(exchange: Exchange, name: ServiceName): void {
    const service = this.#serviceOf(name);
    service.places.admit(exchange, 'none', (giveBack) => this.#send(exchange, service, null, giveBack));
  }

  #send(exchange: Exchange, service: Remote, body: Buffer | Readable | null, giveBack: () => void): void {
    const { path, req, route } = exchange;
    const { name, streams, pool } = service;
    const { fallback } = route ?? {};
    // Only the service of the route may pass its request on, and only where the route says to whom.
    const fallBack = fallback === undefined || name === fallback ? undefined : () => this.#fallBack(exchange, fallback);
    const response = new ProxiedResponse(exchange, { service: name, streams, giveBack, fallBack });
    pool.dispatch(
      { path, method: req.method as 'GET', body, ...this.#timeouts(exchange), headers: this.#headersFor(exchange, body) },
      response,
    );
  }

  /** The headers that pass, and those by which a service knows caller, request and trace. */
  #headersFor({ head, key, span, route }: Exchange, body: Buffer | Readable | null): string[] {
    const { signer, anonymous } = this.#options;
    const headers = [...head.forward];
    if (body === null) announceNoBody(headers);
    // Some sources prove their pushes by a secret in this header, which is no key of ours.
    if (route === pushRoute && head.keyCount === 1 && head.apiKey !== null) headers.push('x-api-key', head.apiKey);
    headers.push(PRINCIPAL_HEADER, signer.sign(key?.principal ?? anonymous), REQUEST_ID_HEADER, head.requestId);
    headers.push(TRACEPARENT_HEADER, span.traceparent);
    return headers;
  }

  #timeouts({ route }: Exchange): { readonly headersTimeout: number; readonly bodyTimeout: number } {
    const { silenceMs, timeoutMs } = this.#options;
    const id = route?.id ?? '';
    const waitMs = route?.rateClass === 'upload' ? UPLOAD_TIMEOUT_MS : timeoutMs;
    const isSlow = route?.rateClass === 'upload' || slowRoutes.has(id);
    return { headersTimeout: isSlow ? waitMs : Math.min(silenceMs, waitMs), bodyTimeout: streamedRoutes[id] ?? waitMs };
  }

  #serviceOf(name: ServiceName): Remote {
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    const { originOf, timeoutMs, metrics } = this.#options;
    const { connections, uploads, streams } = upstreamLimits;
    const service = {
      name,
      places: new ServicePlaces(name, timeoutMs, metrics),
      pool: new RoundRobinPool(originOf(name), {
        ...clientKeepAlive,
        // Whoever has a place finds a connection.
        connections: connections.capacity + uploads.capacity + streams.capacity,
        connect: { timeout: 2000 },
      }),
      streams: new FairShares(streams),
    };
    this.#open.set(name, service);
    return service;
  }
}

/**
 * A request's body on its way to a service: read no faster than it is taken. Destroying it, as the client of the
 * service does when the service has responded early, leaves the connection of the merchant alone: the rest of the body
 * is thrown away and the response reaches him.
 */
function uploadOf(exchange: Exchange): Readable {
  const { req, res } = exchange;
  exchange.wantBody();
  const body = req.pipe(new PassThrough({ highWaterMark: 32 * 1024 }));
  // An error without a listener would end the process.
  body.on('error', () => undefined).on('close', () => discardBody(req));
  // What has come and was not read is lost with the connection.
  req.on('close', () => !req.readableEnded && body.destroy(new Error('The client stopped sending')));
  // Nobody reads the rest of it.
  res.once('finish', () => body.destroy());
  return body;
}

/** Reads a body of known, small size whole. Calls `done` once it is complete; never when the client goes away before. */
function readSmallBody(exchange: Exchange, done: (body: Buffer) => void): void {
  const { req, head } = exchange;
  exchange.wantBody();
  const body = Buffer.allocUnsafe(head.contentLength as number);
  let filled = 0;
  req.on('data', (chunk: Buffer) => {
    filled += chunk.copy(body, filled);
  });
  req.on('end', () => done(body.subarray(0, filled)));
}

/** A request whose body is not passed on must not announce one. */
function announceNoBody(headers: string[]): void {
  for (let index = 0; index < headers.length; index += 2) if (headers[index] === 'content-length') headers[index + 1] = '0';
}
