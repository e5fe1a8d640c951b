import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '@parcelway/contracts/principal';
import type { ServiceName } from '@parcelway/contracts/service-name';
import { attachPrincipal } from '@parcelway/http/app';
import { adoptPrototypes, MAX_WRITE_BYTES, onEnd } from '@parcelway/http/app-prototypes';
import { followRequest, TRACEPARENT_HEADER } from '@parcelway/http/follow-request';
import { REQUEST_ID_HEADER } from '@parcelway/http/response';
import { setFallback } from '@parcelway/http/route-fallback';
import { FairShares } from '@parcelway/kernel/fair-shares';
import type { LocalService } from '@parcelway/platform/service';
import type { Metrics } from '@parcelway/telemetry/metrics';
import type { Express, Request, Response } from 'express';
import { upstreamLimits, waitingRoutes } from '../domain/client-shares.ts';
import { pushRoute } from '../domain/route-table.ts';
import type { Exchange } from './exchange.ts';
import { PASSING } from './request-head.ts';
import { type BodyKind, bodyOf, ServicePlaces, tooMany } from './service-places.ts';
import { holderOf, type Services } from './services.ts';

/** Headers of a request that say what its body is, apart from those that pass anyway. */
const CODING = 'transfer-encoding';

/** What the services of this process are handed requests with. */
export interface LocalServicesOptions {
  readonly serviceOf: (service: ServiceName) => LocalService;
  /** The app whose server receives the requests. */
  readonly app: Express;
  /** Acts for callers without a key on public routes. */
  readonly anonymous: Principal;
  /** A request waits for its turn no longer than this; milliseconds. */
  readonly timeoutMs: number;
  readonly metrics: Metrics;
}

/** The services that run in the process of the gateway: each is handed the request itself. */
export class LocalServices implements Services {
  readonly #options: LocalServicesOptions;
  readonly #open = new Map<ServiceName, LocalService & { readonly places: ServicePlaces }>();
  readonly #unread = new FairShares(upstreamLimits.unreadBytes);

  constructor(options: LocalServicesOptions) {
    this.#options = options;
  }

  forward(exchange: Exchange, name: ServiceName, path: string): void {
    const service = this.#serviceOf(name);
    const body = bodyOf(exchange);
    exchange.holder = holderOf(exchange);
    prepare(exchange, path, body !== 'none');
    service.places.admit(exchange, body, (giveBack) => this.#pass(exchange, service, body, giveBack));
  }

  report(): void {
    for (const { places } of this.#open.values()) places.report();
  }

  async close(): Promise<void> {
    this.#open.clear();
  }

  /** @param giveBack called when the service has responded: it goes on with a request whose client has gone away */
  #pass(exchange: Exchange, service: LocalService, body: BodyKind, giveBack: () => void): void {
    const { req, res, route } = exchange;
    let isHeld = true;
    const release = (): void => {
      if (isHeld) giveBack();
      isHeld = false;
    };
    onEnd(res, (content) => {
      release();
      if (typeof content === 'string' || content instanceof Uint8Array) this.#hear(exchange, content);
    });
    res.once('close', () => {
      if (!isHeld) return;
      // What the service stops with its client: a body that does not come whole, a response under way, and waiting for something to happen.
      const isOver = res.headersSent || (body !== 'none' && !req.complete) || waitingRoutes.includes(route?.id ?? '');
      if (res.writableEnded || isOver) release();
      else setTimeout(release, this.#options.timeoutMs).unref();
    });
    attachPrincipal(req, exchange.key?.principal ?? this.#options.anonymous);
    for (const [header, value] of commonHeaders(exchange)) res.setHeader(header, value);
    exchange.isPassedOn = body === 'none';
    exchange.awaitsBody = body !== 'none';
    exchange.wantBody();
    const { fallback } = route ?? {};
    if (fallback !== undefined) setFallback(res, () => callApp(this.#serviceOf(fallback), req, res));
    callApp(service, req, res);
  }

  /** Notes what a response says, and what it takes until its client has read it. @throws AppError 42901 for one too much of its holder */
  #hear(exchange: Exchange, body: string | Uint8Array): void {
    const { res, holder, settings } = exchange;
    const bytes = Buffer.byteLength(body);
    // A failure is never refused: whoever sends it could not handle another one.
    if (bytes > MAX_WRITE_BYTES && res.statusCode < 400 && !res.destroyed) {
      if (!this.#unread.take(holder, bytes)) {
        settings.limits.reached('unread_responses', holder);
        throw tooMany('unread responses');
      }
      res.once('close', () => this.#unread.give(holder, bytes));
    }
    if (exchange.wantsContent(res.statusCode)) exchange.content = Buffer.from(body as string);
  }

  #serviceOf(name: ServiceName): LocalService & { readonly places: ServicePlaces } {
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    const { serviceOf, app, timeoutMs, metrics } = this.#options;
    const service = { ...serviceOf(name), places: new ServicePlaces(name, timeoutMs, metrics) };
    adoptPrototypes(service.app, app);
    this.#open.set(name, service);
    return service;
  }
}

function callApp({ app, telemetry }: LocalService, req: IncomingMessage, res: ServerResponse): void {
  followRequest(telemetry, req, res);
  app(req as Request, res as Response);
}

/** Leaves of a request what a service may see. */
function prepare({ req, head, span, route }: Exchange, path: string, takesBody: boolean): void {
  const seen: IncomingMessage['headers'] = {};
  for (const [name, value] of Object.entries(req.headers)) if (PASSING.has(name) || (takesBody && name === CODING)) seen[name] = value;
  if (!takesBody && seen['content-length'] !== undefined) seen['content-length'] = '0';
  // Some sources prove their pushes by a secret in this header, which is no key of ours.
  if (route === pushRoute && head.keyCount === 1 && head.apiKey !== null) seen['x-api-key'] = head.apiKey;
  seen[REQUEST_ID_HEADER] = head.requestId;
  seen[TRACEPARENT_HEADER] = span.traceparent;
  req.headers = seen;
  req.url = path;
}

function* commonHeaders(exchange: Exchange): Iterable<readonly [string, string]> {
  const common = exchange.addCommonHeaders([]);
  for (let index = 0; index < common.length; index += 2) yield [common[index] as string, common[index + 1] as string];
}
