import type { Principal } from '@parcelway/contracts/principal';
import type { ServiceName } from '@parcelway/contracts/service-name';
import { REQUEST_ID_HEADER } from '@parcelway/http/answer';
import { TRACEPARENT_HEADER } from '@parcelway/http/follow-request';
import { clientKeepAlive } from '@parcelway/http/keep-alive';
import { PRINCIPAL_HEADER, type PrincipalSigner } from '@parcelway/http/principal-token';
import { AppError } from '@parcelway/kernel/app-error';
import { AnswerBatch } from './answer-batch.ts';
import type { Exchange } from './exchange.ts';
import { ProxyExchange } from './proxy-exchange.ts';
import { readSmallBody, UploadBody } from './upload-body.ts';
import { UpstreamConnections } from './upstream-connections.ts';

/** Connections kept to one service. */
const CONNECTIONS = 256;
/** Further ones for bodies that arrive no faster than their clients send them: slow clients hold up each other at most. */
const STREAM_CONNECTIONS = 512;
/** What one merchant or warehouse may take of those: the others keep their half. More than a key's burst. */
const MAX_STREAMS_PER_HOLDER = STREAM_CONNECTIONS / 2;
/** Requests under way over either kind of connections, those that wait for one included; the next one is told to come again. */
const MAX_UNDER_WAY = 2048;
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
  readonly requests: UpstreamConnections;
  readonly streams: UpstreamConnections;
  /** Streamed bodies under way, by holder. */
  readonly streaming: Map<string, number>;
}

function holderOf({ key }: Exchange): string {
  const { tenantId, warehouseCode } = key?.principal ?? {};
  return `${tenantId ?? ''}/${warehouseCode ?? ''}`;
}

/** Counts a streamed body in. @returns what counts it out; undefined when the holder has too many already */
function admitStream(streaming: Map<string, number>, holder: string): (() => void) | undefined {
  const count = streaming.get(holder) ?? 0;
  if (count >= MAX_STREAMS_PER_HOLDER) return undefined;
  streaming.set(holder, count + 1);
  return () => {
    const left = (streaming.get(holder) ?? 1) - 1;
    if (left > 0) streaming.set(holder, left);
    else streaming.delete(holder);
  };
}

/** The services behind the gateway. */
export class Upstreams {
  readonly #deps: UpstreamsDeps;
  readonly #open = new Map<ServiceName, Upstream>();
  readonly #answers = new AnswerBatch();

  constructor(deps: UpstreamsDeps) {
    this.#deps = deps;
  }

  /**
   * Passes a request on and its answer back. Ends the exchange in every case.
   * @param path with query, well-formed
   */
  forward(exchange: Exchange, service: ServiceName, path: string): void {
    const upstream = this.#upstreamOf(service);
    const { head, req } = exchange;
    const method = req.method as string;
    const takesBody = (method === 'POST' || method === 'PATCH') && (head.chunked || (head.contentLength ?? 0) > 0);
    const isSmall = !takesBody || (!head.chunked && (head.contentLength as number) <= SMALL_BODY_BYTES);
    if ((isSmall ? upstream.requests : upstream.streams).full) {
      exchange.fail(AppError.unavailable(`The ${service} service is busy; try again`));
    } else if (!takesBody) {
      this.#dispatch(exchange, upstream.requests, path, null);
    } else if (isSmall) {
      exchange.wantBody();
      readSmallBody(req, head.contentLength as number, (body) => this.#dispatch(exchange, upstream.requests, path, body));
    } else {
      this.#stream(exchange, upstream, path);
    }
  }

  /** Cuts the connections; requests that are not answered yet fail. */
  async close(): Promise<void> {
    const sets = [...this.#open.values()].flatMap(({ requests, streams }) => [requests, streams]);
    this.#open.clear();
    await Promise.all(sets.map((set) => set.close()));
  }

  #stream(exchange: Exchange, upstream: Upstream, path: string): void {
    const leave = admitStream(upstream.streaming, holderOf(exchange));
    if (leave === undefined) {
      const message = `Too many uploads at the same time: at most ${MAX_STREAMS_PER_HOLDER}`;
      exchange.fail(new AppError('42901', message, { retryAfterSeconds: 1, data: { retry_after_seconds: 1 } }));
      return;
    }
    exchange.wantBody();
    this.#dispatch(exchange, upstream.streams, path, new UploadBody(exchange.req), leave);
  }

  #dispatch(
    exchange: Exchange,
    connections: UpstreamConnections,
    path: string,
    body: Buffer | UploadBody | null,
    settled?: () => void,
  ): void {
    const { head, req, route, key } = exchange;
    const deps = this.#deps;
    const headers = head.forward;
    headers.push(PRINCIPAL_HEADER, deps.signer.sign(key?.principal ?? deps.anonymous), REQUEST_ID_HEADER, head.requestId);
    headers.push(TRACEPARENT_HEADER, exchange.span.traceparent);
    const isUpload = route?.rateClass === 'upload';
    const timeout = isUpload ? deps.uploadTimeoutMs : deps.timeoutMs;
    connections.dispatch(
      {
        path,
        method: req.method as 'GET',
        headers: body === null ? withoutBodyHeaders(headers) : headers,
        body,
        headersTimeout: timeout,
        bodyTimeout: timeout,
      },
      new ProxyExchange(exchange, this.#answers, settled),
    );
  }

  #upstreamOf(service: ServiceName): Upstream {
    let upstream = this.#open.get(service);
    if (upstream === undefined) {
      const origin = this.#deps.originOf(service);
      const client = { pipelining: 1, ...clientKeepAlive, connect: { timeout: 2000 } };
      const options = { origin, client, maxUnderWay: MAX_UNDER_WAY };
      upstream = {
        requests: new UpstreamConnections({ ...options, connections: CONNECTIONS }),
        streams: new UpstreamConnections({ ...options, connections: STREAM_CONNECTIONS }),
        streaming: new Map(),
      };
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
