import type { IncomingMessage } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import type { Principal } from '@parcelway/contracts/principal';
import type { ServiceName } from '@parcelway/contracts/service-name';
import { discardBody } from '@parcelway/http/discard-body';
import { TRACEPARENT_HEADER } from '@parcelway/http/follow-request';
import { clientKeepAlive } from '@parcelway/http/keep-alive';
import { PRINCIPAL_HEADER, type PrincipalSigner } from '@parcelway/http/principal-token';
import { REQUEST_ID_HEADER } from '@parcelway/http/response';
import { AppError } from '@parcelway/kernel/app-error';
import { FairShares } from '@parcelway/kernel/fair-shares';
import type { Metrics } from '@parcelway/telemetry/metrics';
import { slowRoutes, streamedRoutes, upstreamLimits } from '../domain/client-shares.ts';
import type { ContentRange } from '../domain/content-range.ts';
import { pushRoute } from '../domain/route-table.ts';
import type { Exchange } from './exchange.ts';
import { ProxyExchange, type ProxyShares } from './proxy-exchange.ts';
import { holderOf, type Services } from './services.ts';
import { UpstreamConnections, type UpstreamRequest } from './upstream-connections.ts';

/**
 * A request's body on its way to a service: read no faster than it is taken. Destroying it, as the client of the
 * service does when the service has responded early, leaves the connection of the merchant alone: the rest of the body
 * is thrown away and the response reaches him.
 */
function uploadOf(req: IncomingMessage): Readable {
  const body = req.pipe(new PassThrough({ highWaterMark: 32 * 1024 }));
  // Who reads it hears of it as well. While it waits for its turn nobody does, and an error without a listener would end the process.
  body.on('error', () => undefined).on('close', () => discardBody(req));
  // What has come and was not read is lost with the connection.
  req.on('close', () => !req.readableEnded && body.destroy(new Error('The client stopped sending')));
  return body;
}

/** How long an upload may wait for its turn and for the service, which stores it before it responds. */
const UPLOAD_TIMEOUT_MS = 120_000;

/** What forwarding works with. */
export interface UpstreamsOptions {
  readonly originOf: (service: ServiceName) => string;
  readonly signer: PrincipalSigner;
  /** Acts for callers without a key on public routes. */
  readonly anonymous: Principal;
  /** A service that has a request and does not begin its response within this time is out, but for {@link slowRoutes} and uploads; milliseconds. */
  readonly silenceMs: number;
  /** A request waits for its turn and for the response no longer than this, and for more of a response, but for {@link streamedRoutes}; milliseconds. */
  readonly timeoutMs: number;
  readonly metrics: Metrics;
}

interface Upstream {
  readonly requests: UpstreamConnections;
  /** For streamed bodies. */
  readonly streams: UpstreamConnections;
  readonly shares: ProxyShares;
}

/** The services in processes of their own. */
export class Upstreams implements Services {
  readonly #options: UpstreamsOptions;
  readonly #open = new Map<ServiceName, Upstream>();
  readonly #readAhead = new FairShares(upstreamLimits.readAheadBytes);

  constructor(options: UpstreamsOptions) {
    this.#options = options;
  }

  forward(exchange: Exchange, service: ServiceName, path: string): void {
    const upstream = this.#upstreamOf(service);
    const { head, req } = exchange;
    exchange.path = path;
    exchange.holder = holderOf(exchange);
    const method = req.method as string;
    const takesBody = (method === 'POST' || method === 'PATCH') && (head.coding !== null || (head.contentLength ?? 0) > 0);
    const isSmall = !takesBody || (head.coding === null && (head.contentLength as number) <= upstreamLimits.smallBodyBytes);
    const connections = isSmall ? upstream.requests : upstream.streams;
    if (!connections.underWay.allows(exchange.holder)) {
      this.#refuse(exchange, connections, service, isSmall ? 'requests' : 'uploads');
    } else if (!takesBody) {
      this.#send(exchange, upstream, null);
    } else if (isSmall) {
      if (exchange.continueExpected) exchange.wantBody();
      readSmallBody(req, head.contentLength as number, (body) => this.#send(exchange, upstream, body));
    } else {
      this.#stream(exchange, upstream);
    }
  }

  /** Sends a GET that the service of its route left to another one to that one. It was signed for the first. */
  #fallBack(exchange: Exchange): void {
    const service = exchange.route?.fallback as ServiceName;
    const upstream = this.#upstreamOf(service);
    if (!upstream.requests.underWay.allows(exchange.holder)) {
      this.#refuse(exchange, upstream.requests, service, 'requests');
      return;
    }
    const { path, req, head } = exchange;
    const headers = withoutBodyHeaders(head.forward);
    const request = { path, method: req.method as 'GET', body: null, ...this.#timeouts(exchange), headers };
    upstream.requests.dispatch(request, new ProxyExchange(exchange, upstream.shares));
  }

  report(): void {
    const { metrics } = this.#options;
    for (const [upstream, { requests, streams }] of this.#open) {
      for (const [body, { given, limit }] of [['small', requests] as const, ['large', streams] as const]) {
        metrics.set('parcelway_upstream_requests', { upstream, body }, given);
        metrics.set('parcelway_upstream_requests_limit', { upstream, body }, limit);
      }
    }
  }

  async close(): Promise<void> {
    const sets = [...this.#open.values()].flatMap(({ requests, streams }) => [requests, streams]);
    this.#open.clear();
    await Promise.all(sets.map((set) => set.close()));
  }

  /** A client with many requests under way has too many itself; for any other client, the others have. */
  #refuse(exchange: Exchange, connections: UpstreamConnections, service: ServiceName, what: 'requests' | 'uploads'): void {
    const { holder, settings } = exchange;
    if (connections.underWay.heldBy(holder) === 0) {
      exchange.fail(AppError.unavailable(`The ${service} service is busy; try again`));
    } else {
      settings.limits.reached(what === 'requests' ? 'requests_under_way' : 'upload_streams', holder);
      exchange.fail(tooMany(what));
    }
  }

  #stream(exchange: Exchange, upstream: Upstream): void {
    exchange.wantBody();
    const body = uploadOf(exchange.req);
    // Nobody reads the rest of it, or any of it when its turn did not come.
    exchange.res.once('finish', () => body.destroy());
    this.#send(exchange, upstream, body);
  }

  #send(exchange: Exchange, upstream: Upstream, body: Buffer | Readable | null): void {
    const connections = body instanceof Readable ? upstream.streams : upstream.requests;
    const { path, req, head } = exchange;
    const forward = body === null ? withoutBodyHeaders(head.forward) : head.forward;
    const request = { path, method: req.method as 'GET', body, ...this.#timeouts(exchange), headers: this.#sign(exchange, forward) };
    connections.dispatch(request, new ProxyExchange(exchange, upstream.shares));
  }

  /** Sends a GET again, for a part of its content. */
  #askForPart(connections: UpstreamConnections, exchange: Exchange, { first, last }: ContentRange, part: UpstreamRequest): void {
    const headers = this.#sign(exchange, ['range', `bytes=${first}-${last}`]);
    connections.dispatch({ path: exchange.path, method: 'GET', body: null, ...this.#timeouts(exchange), headers }, part);
  }

  /** Adds the headers by which a service knows caller, request and trace. */
  #sign({ head, key, span, route }: Exchange, headers: string[]): string[] {
    const { signer, anonymous } = this.#options;
    // Some sources prove their pushes by a secret in this header, which is no key of ours.
    if (route === pushRoute && head.keyCount === 1 && head.apiKey !== null) headers.push('x-api-key', head.apiKey);
    headers.push(PRINCIPAL_HEADER, signer.sign(key?.principal ?? anonymous), REQUEST_ID_HEADER, head.requestId);
    headers.push(TRACEPARENT_HEADER, span.traceparent);
    return headers;
  }

  #timeouts({ route }: Exchange): { readonly waitMs: number; readonly headersTimeout: number; readonly bodyTimeout: number } {
    const { silenceMs, timeoutMs } = this.#options;
    const id = route?.id ?? '';
    const isUpload = route?.rateClass === 'upload';
    const waitMs = isUpload ? UPLOAD_TIMEOUT_MS : timeoutMs;
    const headersTimeout = isUpload || slowRoutes.has(id) ? waitMs : Math.min(silenceMs, waitMs);
    return { waitMs, headersTimeout, bodyTimeout: streamedRoutes[id] ?? waitMs };
  }

  #upstreamOf(service: ServiceName): Upstream {
    let upstream = this.#open.get(service);
    if (upstream === undefined) {
      const origin = this.#options.originOf(service);
      const client = { pipelining: 1, ...clientKeepAlive, connect: { timeout: 2000 } };
      const onWaited = (seconds: number): void =>
        this.#options.metrics.observe('parcelway_upstream_wait_seconds', { upstream: service }, seconds);
      const options = { origin, client, onWaited };
      const { connections, underWay, uploads } = upstreamLimits;
      const requests = new UpstreamConnections({ ...options, connections, underWay });
      upstream = {
        requests,
        // The share of uploads is checked before, so no request waits for one of these.
        streams: new UpstreamConnections({ ...options, connections: { capacity: uploads.capacity, part: 1 }, underWay: uploads }),
        shares: {
          service,
          readAhead: this.#readAhead,
          held: new FairShares(upstreamLimits.held),
          askForPart: (exchange, range, part) => this.#askForPart(requests, exchange, range, part),
          fallBack: (exchange) => this.#fallBack(exchange),
        },
      };
      this.#open.set(service, upstream);
    }
    return upstream;
  }
}

/** The refusal of what a client has too many of under way. */
function tooMany(what: 'requests' | 'uploads'): AppError {
  const message = `Too many ${what} at the same time: wait until some of yours have ended`;
  return new AppError('42901', message, { retryAfterSeconds: 1, data: { retry_after_seconds: 1 } });
}

/** Reads a body of known, small size whole. Calls `done` once it is complete; never when the client goes away before. */
function readSmallBody(req: IncomingMessage, length: number, done: (body: Buffer) => void): void {
  const body = Buffer.allocUnsafe(length);
  let filled = 0;
  req.on('data', (chunk: Buffer) => {
    filled += chunk.copy(body, filled);
  });
  req.on('end', () => done(body.subarray(0, filled)));
}

/** A request whose body is not passed on must not announce one. */
function withoutBodyHeaders(headers: string[]): string[] {
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string;
    if (name === 'content-length') headers[index + 1] = '0';
  }
  return headers;
}
