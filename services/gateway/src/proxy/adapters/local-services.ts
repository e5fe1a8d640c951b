import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '@parcelway/contracts/principal';
import type { ServiceName } from '@parcelway/contracts/service-name';
import { attachPrincipal } from '@parcelway/http/app';
import { adoptPrototypes, followResponse, MAX_WRITE_BYTES } from '@parcelway/http/app-prototypes';
import { followRequest, TRACEPARENT_HEADER } from '@parcelway/http/follow-request';
import type { LocalService } from '@parcelway/http/local-call';
import { REQUEST_ID_HEADER } from '@parcelway/http/response';
import { setFallback } from '@parcelway/http/route-fallback';
import { AppError } from '@parcelway/kernel/app-error';
import { FairShares } from '@parcelway/kernel/fair-shares';
import type { Metrics } from '@parcelway/telemetry/metrics';
import type { Express, Request, Response } from 'express';
import { responseTimeoutMs, upstreamLimits, waitingRoutes } from '../domain/client-shares.ts';
import { PASSING } from '../domain/request-head.ts';
import type { Exchange } from './exchange.ts';
import { type BodyKind, bodyOf, type Place, ServicePlaces, tooMany } from './service-places.ts';
import { holderOf, pushSecretOf, readSmallBody, type Services } from './services.ts';

/** What the gateway needs to call services of its process. */
export interface LocalServicesOptions {
  readonly serviceOf: (service: ServiceName) => LocalService;
  /** The app of the public server. */
  readonly app: Express;
  /** The caller on public routes. */
  readonly anonymous: Principal;
  /** Bound on the wait for a turn and for the head of the response, milliseconds. */
  readonly timeoutMs: number;
  readonly metrics: Metrics;
}

interface Local extends LocalService {
  readonly name: ServiceName;
  readonly places: ServicePlaces;
  /** Responses that last as long as their clients read. */
  readonly streams: FairShares;
}

/** Services in the process of the gateway. Each receives the request and response objects themselves. */
export class LocalServices implements Services {
  readonly #options: LocalServicesOptions;
  readonly #open = new Map<ServiceName, Local>();
  readonly #unread = new FairShares(upstreamLimits.unreadBytes);
  /** Requests that a service handles. */
  #running = 0;
  #onIdle: (() => void) | undefined;

  constructor(options: LocalServicesOptions) {
    this.#options = options;
  }

  forward(exchange: Exchange, name: ServiceName, path: string): void {
    const service = this.#serviceOf(name);
    const body = bodyOf(exchange);
    exchange.holder = holderOf(exchange);
    prepare(exchange, path, body !== 'none');
    const admit = (): void => service.places.admit(exchange, body, (place) => this.#pass(exchange, service, body, place));
    if (body !== 'small') admit();
    else {
      readSmallBody(exchange, (content) => {
        exchange.req.unshift(content);
        // The stream leaves paused mode in the next tick.
        process.nextTick(() => exchange.res.destroyed || admit());
      });
    }
  }

  report(): void {
    for (const { places } of this.#open.values()) places.report();
  }

  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      this.#end(0);
    });
  }

  async close(): Promise<void> {
    this.#open.clear();
  }

  /** Calls the service. The request keeps its place until the service responds, even if the client disconnects. */
  #pass(exchange: Exchange, service: Local, body: BodyKind, place: Place): void {
    const { req, res, route, holder } = exchange;
    this.#running += 1;
    let giveBack: (() => void) | undefined = place.giveBack;
    const release = (): void => {
      if (giveBack === undefined) return;
      clearTimeout(deadline);
      giveBack();
      giveBack = undefined;
      this.#end(1);
    };
    const leftMs = Math.max(1, responseTimeoutMs(route, this.#options.timeoutMs) - place.waitedMs);
    const deadline = setTimeout(() => {
      release();
      if (!res.destroyed) exchange.fail(AppError.unavailable(`The ${service.name} service does not respond; try again`));
    }, leftMs).unref();
    followResponse(res, {
      streams: () => {
        clearTimeout(deadline);
        if (res.destroyed) release();
        else if (giveBack === place.giveBack && service.streams.take(holder)) {
          giveBack();
          giveBack = () => service.streams.give(holder);
        }
      },
      ends: (content) => {
        release();
        if (typeof content === 'string' || content instanceof Uint8Array) this.#hear(exchange, content);
      },
    });
    res.once('close', () => {
      // The service stops such requests with their client.
      const hasStopped = res.headersSent || (body !== 'none' && !req.complete) || waitingRoutes.includes(route?.id ?? '');
      if (hasStopped) release();
    });
    attachPrincipal(req, exchange.key?.principal ?? this.#options.anonymous);
    exchange.setCommonHeaders();
    if (body === 'large') exchange.awaitsBody = true;
    else exchange.isPassedOn = true;
    exchange.wantBody();
    const { fallback } = route ?? {};
    if (fallback !== undefined) setFallback(res, () => callApp(this.#serviceOf(fallback), req, res));
    callApp(service, req, res);
  }

  /** Counts the unread bytes of a response, and keeps what observers want. @throws AppError 42901 when they exceed the holder's share */
  #hear(exchange: Exchange, body: string | Uint8Array): void {
    const { req, res, holder, settings } = exchange;
    const bytes = req.method === 'HEAD' ? 0 : Buffer.byteLength(body);
    // Errors always pass: their sender cannot handle another error.
    if (bytes > MAX_WRITE_BYTES && res.statusCode < 400 && !res.destroyed) {
      if (!this.#unread.take(holder, bytes)) {
        settings.limits.reached('unread_responses', holder);
        throw tooMany('unread responses');
      }
      res.once('close', () => this.#unread.give(holder, bytes));
    }
    if (exchange.wantsContent(res.statusCode)) exchange.content = Buffer.from(body as string);
  }

  #end(count: number): void {
    this.#running -= count;
    if (this.#running === 0) this.#onIdle?.();
  }

  #serviceOf(name: ServiceName): Local {
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    const { serviceOf, app, timeoutMs, metrics } = this.#options;
    const places = new ServicePlaces(name, timeoutMs, metrics);
    const service = { ...serviceOf(name), name, places, streams: new FairShares(upstreamLimits.streams) };
    adoptPrototypes(service.app, app);
    this.#open.set(name, service);
    return service;
  }
}

function callApp({ app, telemetry }: LocalService, req: IncomingMessage, res: ServerResponse): void {
  followRequest(telemetry, req, res);
  app(req as Request, res as Response);
}

/** Removes the headers that a service may not see, and adds the gateway's own. */
function prepare(exchange: Exchange, path: string, takesBody: boolean): void {
  const { req, head, span } = exchange;
  const seen: IncomingMessage['headers'] = {};
  for (const [name, value] of Object.entries(req.headers)) if (PASSING.has(name)) seen[name] = value;
  if (takesBody && head.coding !== null) seen['transfer-encoding'] = head.coding;
  if (!takesBody && seen['content-length'] !== undefined) seen['content-length'] = '0';
  const secret = pushSecretOf(exchange);
  if (secret !== undefined) seen['x-api-key'] = secret;
  seen[REQUEST_ID_HEADER] = head.requestId;
  seen[TRACEPARENT_HEADER] = span.traceparent;
  req.headers = seen;
  req.url = path;
}
