import type { Principal } from '@parcelway/contracts/principal';
import type { ServiceName } from '@parcelway/contracts/service-name';
import { REQUEST_ID_HEADER } from '@parcelway/http/answer';
import { PRINCIPAL_HEADER, type PrincipalSigner } from '@parcelway/http/principal-token';
import { AppError } from '@parcelway/kernel/app-error';
import { Pool } from 'undici';
import type { Exchange } from './exchange.ts';
import { ProxyExchange } from './proxy-exchange.ts';
import { readSmallBody, UploadBody } from './upload-body.ts';

/** Connections kept to one service. */
const CONNECTIONS = 256;
/** Requests under way at one service; the next one is told to come again. */
const MAX_IN_FLIGHT = 2048;
/** Bodies up to this size are read whole before the service hears of the request: it never waits for a slow client. */
const SMALL_BODY_BYTES = 64 * 1024;

/** What forwarding works with. */
export interface UpstreamsDeps {
  readonly originOf: (service: ServiceName) => string;
  readonly signer: PrincipalSigner;
  /** Acts for callers without a key on public routes. */
  readonly anonymous: Principal;
  /** A service that says nothing for this long is out; milliseconds. */
  readonly timeoutMs: number;
  /** The same for uploads, which the service first writes to its store. */
  readonly uploadTimeoutMs: number;
}

interface Upstream {
  readonly pool: Pool;
  inFlight: number;
}

/** The services behind the gateway. */
export class Upstreams {
  readonly #deps: UpstreamsDeps;
  readonly #open = new Map<ServiceName, Upstream>();

  constructor(deps: UpstreamsDeps) {
    this.#deps = deps;
  }

  /**
   * Passes a request on and its answer back. Ends the exchange in every case.
   * @param path with query, well-formed
   */
  forward(exchange: Exchange, service: ServiceName, path: string): void {
    const upstream = this.#upstreamOf(service);
    if (upstream.inFlight >= MAX_IN_FLIGHT) {
      exchange.fail(AppError.unavailable(`The ${service} service is busy; try again`));
      return;
    }
    const { head, req } = exchange;
    const method = req.method as string;
    const takesBody = (method === 'POST' || method === 'PATCH') && (head.chunked || (head.contentLength ?? 0) > 0);
    if (!takesBody) {
      this.#dispatch(exchange, upstream, path, null);
    } else if (!head.chunked && (head.contentLength as number) <= SMALL_BODY_BYTES) {
      exchange.wantBody();
      readSmallBody(req, head.contentLength as number, (body) => this.#dispatch(exchange, upstream, path, body));
    } else {
      exchange.wantBody();
      this.#dispatch(exchange, upstream, path, new UploadBody(req));
    }
  }

  /** Ends the connections once their requests are answered. */
  async close(): Promise<void> {
    const pools = [...this.#open.values()].map((upstream) => upstream.pool);
    this.#open.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  #dispatch(exchange: Exchange, upstream: Upstream, path: string, body: Buffer | UploadBody | null): void {
    const { head, req, route, key } = exchange;
    const deps = this.#deps;
    const headers = head.forward;
    headers.push(PRINCIPAL_HEADER, deps.signer.sign(key?.principal ?? deps.anonymous), REQUEST_ID_HEADER, head.requestId);
    const isUpload = route?.rateClass === 'upload';
    const timeout = isUpload ? deps.uploadTimeoutMs : deps.timeoutMs;
    upstream.inFlight += 1;
    const handler = new ProxyExchange(exchange, () => {
      upstream.inFlight -= 1;
    });
    upstream.pool.dispatch(
      {
        path,
        method: req.method as 'GET',
        headers: body === null ? withoutBodyHeaders(headers) : headers,
        body,
        headersTimeout: timeout,
        bodyTimeout: timeout,
      },
      handler,
    );
  }

  #upstreamOf(service: ServiceName): Upstream {
    let upstream = this.#open.get(service);
    if (upstream === undefined) {
      const pool = new Pool(this.#deps.originOf(service), {
        connections: CONNECTIONS,
        pipelining: 1,
        keepAliveTimeout: 30_000,
        connect: { timeout: 2000 },
      });
      upstream = { pool, inFlight: 0 };
      this.#open.set(service, upstream);
    }
    return upstream;
  }
}

/** A request whose body is not passed on must not announce one. */
function withoutBodyHeaders(headers: string[]): string[] {
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string;
    if (name === 'content-length') headers[index + 1] = '0';
  }
  return headers;
}
