import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RateDecision, RateLimiter } from '@parcelway/cache/rate-limiter';
import type { Principal } from '@parcelway/contracts/principal';
import { TRACEPARENT_HEADER } from '@parcelway/http/follow-request';
import { REQUEST_ID_HEADER } from '@parcelway/http/response';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { refusalOf } from '../domain/admission.ts';
import { encodingErrors } from '../domain/percent-encoding.ts';
import type { RouteTable, TableRoute } from '../domain/route-table.ts';
import type { ActiveKey, KeyBucket, KeyRing } from '../key-ring.ts';
import type { LastUse } from '../last-use.ts';
import { Exchange, type ExchangeSettings } from './exchange.ts';
import { headFault, readHead } from './request-head.ts';
import { type RequestTarget, readTarget } from './request-target.ts';
import type { Upstreams } from './upstreams.ts';

/** What the edge works with. */
export interface EdgeOptions {
  readonly table: RouteTable;
  readonly keyRing: KeyRing;
  readonly rateLimiter: Pick<RateLimiter, 'take'>;
  /** False lets every request pass, and responses have no rate headers. */
  readonly limitRates: boolean;
  readonly upstreams: Upstreams;
  readonly lastUse: Pick<LastUse, 'note'>;
  readonly clock: Clock;
  readonly settings: ExchangeSettings;
}

/** Continues with the routes that the gateway responds itself. */
export type RespondHere = () => void;

const exchanges = new WeakMap<IncomingMessage, Exchange>();
const awaitingContinue = new WeakSet<IncomingMessage>();

/** Says that the client of a request waits for `100 Continue`; call it before the edge sees the request. */
export function markContinueExpected(req: IncomingMessage): void {
  awaitingContinue.add(req);
}

/** The exchange of a request that the edge has admitted. */
export function exchangeOf(req: IncomingMessage): Exchange {
  const exchange = exchanges.get(req);
  if (exchange === undefined) throw new AppError('50000', 'The request did not come through the edge');
  return exchange;
}

/** Who makes a request that the edge has admitted to a keyed route. */
export function principalOfExchange(req: IncomingMessage): Principal {
  const { key } = exchangeOf(req);
  if (key === null) throw new AppError('50000', 'The route takes no key');
  return key.principal;
}

/** Probes of an orchestrator reach the process directly, without the proxy that ends TLS. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/**
 * The checks in front of every service, in the order in which a caller meets them: HTTPS, route and method, key, tenant,
 * permission, rate. What passes goes to the service that responds with the route.
 */
export class Edge {
  readonly #options: EdgeOptions;
  /**
   * Connections whose last request has come. Node's parser stops at the end of a request with `Upgrade`: it loses what came in
   * the same write, and takes what comes next for the beginning of a request, be it the body of the one that was lost. So such a
   * request is handled as if the header was absent (RFC 9110, 7.8), its response ends the connection, and nothing after it counts.
   */
  readonly #ended = new WeakSet<Socket>();

  constructor(options: EdgeOptions) {
    this.#options = options;
  }

  /** Takes a request. @param here called for routes that the gateway responds itself */
  handle(req: IncomingMessage, res: ServerResponse, here: RespondHere): void {
    const { socket } = req;
    if (this.#ended.has(socket)) {
      socket.pause();
      return;
    }
    const exchange = new Exchange(req, res, readHead(req.rawHeaders), this.#options.settings);
    const fault = headFault(exchange.head, req);
    exchange.endsConnection = fault !== undefined || exchange.head.upgrade;
    if (exchange.endsConnection) this.#ended.add(socket);
    if (awaitingContinue.has(req)) exchange.continueExpected = true;
    try {
      if (fault !== undefined) throw new AppError('40001', fault);
      this.#route(exchange, here);
    } catch (error) {
      exchange.fail(error);
    }
  }

  #route(exchange: Exchange, here: RespondHere): void {
    const { req, head } = exchange;
    const target = readTarget(req.url as string);
    if (exchange.settings.behindProxy && head.forwardedProto !== 'https' && !PROBES.has(target?.path ?? '')) throw new AppError('40002');
    if (target === undefined) throw new AppError('40402', 'The path is not well-formed');
    const match = this.#options.table.match(req.method as string, target.path);
    if (match === undefined) throw new AppError('40402');
    if (!('route' in match)) throw new AppError('40501', `Use ${match.allow}`, { headers: { Allow: match.allow } });
    const { route } = match;
    exchange.route = route;
    if (route.access === 'public') {
      this.#pass(exchange, route, target, here);
      return;
    }
    if (head.keyCount > 1) throw new AppError('40003', 'Send exactly one X-Api-Key header');
    if (head.apiKey === null) throw new AppError('40101');
    const key = this.#options.keyRing.authenticate(head.apiKey, exchange.address);
    if (key instanceof Promise) {
      key.then((found) => this.#admit(exchange, route, found, target, here)).catch((error: unknown) => exchange.fail(error));
    } else {
      this.#admit(exchange, route, key, target, here);
    }
  }

  #admit(exchange: Exchange, route: TableRoute, key: ActiveKey, target: RequestTarget, here: RespondHere): void {
    const { clock, limitRates, rateLimiter, lastUse } = this.#options;
    const now = clock.now();
    exchange.key = key;
    const refusal = refusalOf(key.known, route, now);
    if (refusal !== undefined) throw refusal;
    lastUse.note(key.principal.keyId, now);
    const bucket = limitRates ? key.buckets[route.rateClass] : null;
    if (bucket === null) {
      this.#pass(exchange, route, target, here);
      return;
    }
    const decision = rateLimiter.take(bucket.name, bucket.rule);
    if (decision instanceof Promise) {
      decision.then((taken) => this.#rate(exchange, route, bucket, taken, target, here)).catch((error: unknown) => exchange.fail(error));
    } else {
      this.#rate(exchange, route, bucket, decision, target, here);
    }
  }

  #rate(exchange: Exchange, route: TableRoute, bucket: KeyBucket, decision: RateDecision, target: RequestTarget, here: RespondHere): void {
    exchange.rate = decision;
    if (!decision.allowed) {
      const seconds = decision.retryAfterSeconds;
      throw new AppError('42901', `Too many requests: ${bucket.rule.perSecond} a second with bursts to ${bucket.rule.burst}`, {
        retryAfterSeconds: seconds,
        data: { limit: decision.limit, retry_after_seconds: seconds },
      });
    }
    this.#pass(exchange, route, target, here);
  }

  #pass(exchange: Exchange, route: TableRoute, target: RequestTarget, here: RespondHere): void {
    if (exchange.res.destroyed) return;
    const errors = encodingErrors(route.path, target);
    if (errors.length > 0) throw AppError.validation(errors);
    if (route.service !== 'gateway') {
      this.#options.upstreams.forward(exchange, route.service, target.full);
      return;
    }
    exchanges.set(exchange.req, exchange);
    // Handlers log and forward the id that the client receives in the response, not the header that it sent.
    exchange.req.headers[REQUEST_ID_HEADER] = exchange.head.requestId;
    exchange.req.headers[TRACEPARENT_HEADER] = exchange.span.traceparent;
    exchange.wantBody();
    const common = exchange.addCommonHeaders([]);
    for (let index = 0; index < common.length; index += 2) exchange.res.setHeader(common[index] as string, common[index + 1] as string);
    here();
  }
}
