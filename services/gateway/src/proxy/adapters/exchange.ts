import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RateDecision } from '@parcelway/cache/rate-limiter';
import { deprecationHeaders } from '@parcelway/contracts/deprecation';
import type { ClientLimits } from '@parcelway/http/client-limits';
import { discardBody } from '@parcelway/http/discard-body';
import { CLIENT_GONE, methodLabel, recordRequest } from '@parcelway/http/follow-request';
import { failureOf, writeFailure } from '@parcelway/http/response';
import { type AppError, toAppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import type { ServiceTelemetry } from '@parcelway/telemetry/telemetry';
import { traceIdOf } from '@parcelway/telemetry/trace-parent';
import type { Span } from '@parcelway/telemetry/tracer';
import type { RequestHead } from '../domain/request-head.ts';
import type { TableRoute } from '../domain/route-table.ts';
import type { ActiveKey } from '../key-ring.ts';
import type { AnnouncedCall, CallEnd, CallObserver, TenantCall } from '../ports.ts';

/** What all requests of a gateway share. */
export interface ExchangeSettings {
  readonly logger: Logger;
  /** True logs every request; otherwise only failures of the platform (5xx) are logged. */
  readonly accessLog: boolean;
  readonly telemetry: ServiceTelemetry;
  /** Records clients that reach a limit. */
  readonly limits: ClientLimits;
  /** Default: calls are not observed. */
  readonly observer?: CallObserver | undefined;
  /** True when TLS ends in front of the gateway: the proxy there says what the client is. */
  readonly behindProxy: boolean;
  /** Proxies in a row in front of the gateway, each of which appends to X-Forwarded-For the address that it sees; at least 1. */
  readonly trustedProxyHops: number;
  /** Requests without a response. */
  underWay: number;
  /** True once the gateway stops: responses then close their connections. */
  draining: boolean;
}

/**
 * A drain closes connections of clients that have been idle for this long. Clients out there have their own idea of when to give one up: the
 * longer, the rarer is one closed under a request.
 */
export const DRAIN_IDLE_MS = 5000;

/**
 * Shorter than the gateway really waits: clients that honour it (Node, undici, Firefox) close an idle connection before a drain does, which
 * could hit a request. Load balancers ignore it, and find the connection open for as long as they keep it.
 */
const KEEP_ALIVE = `timeout=${(DRAIN_IDLE_MS - 1000) / 1000}`;

/** Behind proxies the address of the connection says nothing. Of X-Forwarded-For only what they have added counts; the first of them saw the client. */
function addressOf(req: IncomingMessage, { forwardedFor }: RequestHead, { behindProxy, trustedProxyHops }: ExchangeSettings): string {
  const seen = req.socket.remoteAddress ?? '';
  if (!behindProxy || forwardedFor === null) return seen;
  const entries = forwardedFor.split(',');
  // A request that came past the first proxies has fewer entries.
  return (entries.at(-trustedProxyHops) ?? entries[0])?.trim() || seen;
}

/** One request and its response, from the first byte to metrics, trace and access log. */
export class Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly head: RequestHead;
  readonly settings: ExchangeSettings;
  /** Address of the client. */
  readonly address: string;
  /** Its `traceparent` is what goes on to the services. */
  readonly span: Span;
  readonly #startedAt = performance.now();
  route: TableRoute | null = null;
  key: ActiveKey | null = null;
  /** How a rate limit was met; goes into the response's headers. */
  rate: RateDecision | null = null;
  /** Who shares with others what this request takes at a service: the tenant or warehouse of its key, or else the network of its client. */
  holder = '';
  /** Path with query, as it goes to a service. */
  path = '';
  /** Set when the client waits for `100 Continue` before it sends the body. */
  continueExpected = false;
  /** True when the response ends the connection. */
  endsConnection = false;
  /** Set when the request changes something that is to be known. */
  announced: AnnouncedCall | undefined;
  /** What a response of the gateway's own has created. */
  createdId: string | undefined;
  /** True when a response of a service repeats that of a former request. */
  isRepetition = false;
  /** True once a service may have heard of the request, or a handler of the gateway that reads no body was given it. */
  isPassedOn = false;
  /** True when a handler of the gateway works on the request once its body has come whole. */
  awaitsBody = false;
  /** The bytes of a response of a service, if it {@link wantsContent}. */
  content: Buffer | undefined;
  #ended = false;

  constructor(req: IncomingMessage, res: ServerResponse, head: RequestHead, settings: ExchangeSettings) {
    this.req = req;
    this.res = res;
    this.head = head;
    this.settings = settings;
    this.address = addressOf(req, head, settings);
    this.span = settings.telemetry.tracer.start('request', { kind: 'server', parent: head.traceparent ?? undefined });
    settings.underWay += 1;
    // Wherever the request was when its client went away: waiting for its key, its rate or the rest of its body, nobody else would end it.
    res.once('close', () => this.end(res.writableFinished ? res.statusCode : CLIENT_GONE));
  }

  /**
   * Adds the headers that every response carries to a flat list of names and values.
   * @param cacheable true when the list has a `Cache-Control` already; any other response is stored by no cache
   */
  addCommonHeaders(headers: string[], cacheable = false): string[] {
    if (!cacheable) headers.push('Cache-Control', 'no-store');
    headers.push('X-Request-Id', this.head.requestId, 'X-Content-Type-Options', 'nosniff', 'Strict-Transport-Security', 'max-age=31536000');
    const { rate, route } = this;
    if (route?.deprecated !== undefined) headers.push(...deprecationHeaders(route.deprecated));
    if (rate !== null) {
      headers.push(
        'RateLimit-Limit',
        String(rate.limit),
        'RateLimit-Remaining',
        String(rate.remaining),
        'RateLimit-Reset',
        String(rate.resetSeconds),
      );
    }
    if (this.settings.draining || this.endsConnection) headers.push('Connection', 'close');
    else headers.push('Keep-Alive', KEEP_ALIVE);
    return headers;
  }

  /** Sets the common headers on the response, for handlers in this process. They may replace `Cache-Control`. */
  setCommonHeaders(): void {
    const common = this.addCommonHeaders([]);
    for (let index = 0; index < common.length; index += 2) this.res.setHeader(common[index] as string, common[index + 1] as string);
  }

  /** The call, as observers see it; undefined when it has no key of an active tenant. */
  get call(): TenantCall | undefined {
    const { key, head, req, route, address } = this;
    if (key?.known.tenantStatus !== 'active') return undefined;
    const { tenantId, keyId } = key.principal;
    const path = head.target?.path ?? '';
    const session = key.session?.kind ?? null;
    return { tenantId: tenantId as string, keyId, session, address, requestId: head.requestId, method: req.method as string, route, path };
  }

  /** Whether somebody wants the bytes of a small response of a service. */
  wantsContent(status: number): boolean {
    return this.settings.observer !== undefined && (status >= 400 || this.announced !== undefined);
  }

  /** Asks the client for the body, when it waits to be asked. */
  wantBody(): void {
    if (!this.continueExpected) return;
    this.continueExpected = false;
    this.res.writeContinue();
  }

  /** Responds with a failure in the envelope. No response may have begun yet; otherwise the connection is cut. */
  fail(error: unknown): void {
    const failure = toAppError(error);
    const { req, res } = this;
    if (res.headersSent) {
      res.destroy();
    } else {
      // A client that still waits for leave to send its body may send it or not: the connection cannot be used again.
      this.endsConnection ||= this.continueExpected;
      this.setCommonHeaders();
      writeFailure(res, failure);
      discardBody(req);
    }
    this.end(failure.httpStatus, failure);
  }

  /** The request is over: counts and times it, ends its span and writes its line if it has one, once. */
  end(status: number, failure?: AppError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.settings.underWay -= 1;
    const seconds = (performance.now() - this.#startedAt) / 1000;
    const method = methodLabel(this.req.method);
    recordRequest(this.settings.telemetry, this.span, { method, route: this.route?.path ?? null, status, seconds });
    if (this.settings.observer !== undefined) this.#report(this.settings.observer, status, seconds, failure);
    // Most requests have no line, and so do not pay for one.
    if (status >= 500 || this.settings.accessLog) this.#log(status, seconds, failure);
  }

  #report(observer: CallObserver, status: number, seconds: number, failure: AppError | undefined): void {
    const { call, announced, content, createdId, req, res } = this;
    if (call === undefined) return;
    const isPassedOn = this.isPassedOn || (this.awaitsBody && req.complete);
    const isRepetition = this.isRepetition || res.hasHeader('Idempotent-Replayed');
    const end: CallEnd = { status, seconds, failure: failure ?? failureOf(res), content, createdId, isRepetition, isPassedOn };
    announced?.end(end);
    observer.ended(call, end);
  }

  /** Writes the line of the access log. Never a key, never a query: a path may hold a po_number, so the route's name stands for it. */
  #log(status: number, seconds: number, failure: AppError | undefined): void {
    const { logger } = this.settings;
    const principal = this.key?.principal;
    const line = {
      method: this.req.method,
      route: this.route?.id ?? null,
      status,
      code: failure?.code,
      ms: Math.round(seconds * 100_000) / 100,
      tenant_id: principal?.tenantId,
      warehouse_code: principal?.warehouseCode,
      key_id: principal?.keyId,
      request_id: this.head.requestId,
      trace_id: traceIdOf(this.span.traceparent),
      err: status >= 500 ? failure?.cause : undefined,
    };
    if (status >= 500) logger.warn(line, 'request failed');
    else logger.info(line, 'request');
  }
}
