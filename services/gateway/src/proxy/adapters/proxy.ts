import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RateDecision, RateLimiter } from '@parcelway/cache/rate-limiter';
import type { Principal } from '@parcelway/contracts/principal';
import { TRACEPARENT_HEADER } from '@parcelway/http/follow-request';
import { REQUEST_ID_HEADER } from '@parcelway/http/response';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { assertOneKey, refusalOf, routeOf } from '../domain/admission.ts';
import { encodingErrors } from '../domain/percent-encoding.ts';
import { RequestHead, type RequestTarget } from '../domain/request-head.ts';
import type { RouteTable, TableRoute } from '../domain/route-table.ts';
import type { ActiveKey, KeyBucket, KeyRing } from '../key-ring.ts';
import type { LastUse } from '../last-use.ts';
import type { AnnouncedCall } from '../ports.ts';
import { Exchange, type ExchangeSettings } from './exchange.ts';
import type { Services } from './services.ts';

/** What the proxy works with. */
export interface ProxyOptions {
  readonly table: RouteTable;
  readonly keyRing: KeyRing;
  readonly rateLimiter: Pick<RateLimiter, 'take'>;
  /** False lets every request pass, and responses have no rate headers. */
  readonly limitRates: boolean;
  readonly services: Services;
  readonly lastUse: Pick<LastUse, 'note'>;
  readonly clock: Clock;
  readonly settings: ExchangeSettings;
}

const exchanges = new WeakMap<IncomingMessage, Exchange>();
const awaitingContinue = new WeakSet<IncomingMessage>();

/** Marks a request whose client waits for `100 Continue`. Call it before the proxy handles the request. */
export function markContinueExpected(req: IncomingMessage): void {
  awaitingContinue.add(req);
}

/** The exchange of a request that the proxy has admitted. */
export function exchangeOf(req: IncomingMessage): Exchange {
  const exchange = exchanges.get(req);
  if (exchange === undefined) throw new AppError('50000', 'The request did not come through the proxy');
  return exchange;
}

/** The key of a request that the proxy has admitted to a keyed route, as it was a few seconds ago at most. */
export function activeKeyOf(req: IncomingMessage): ActiveKey {
  const { key } = exchangeOf(req);
  if (key === null) throw new AppError('50000', 'The route takes no key');
  return key;
}

/** Who makes a request that the proxy has admitted to a keyed route. */
export const principalOfExchange = (req: IncomingMessage): Principal => activeKeyOf(req).principal;

/** Routes a request, authenticates, admits and forwards it. Look-ups that are cached are not waited for. */
async function handle(exchange: Exchange, here: () => void, options: ProxyOptions): Promise<void> {
  const { table, keyRing, rateLimiter, limitRates, services, lastUse, clock, settings } = options;
  const { req, res, head } = exchange;
  try {
    const match = head.target && table.match(req.method as string, head.target.path);
    const route = routeOf(head, match, settings.behindProxy);
    exchange.route = route;
    if (route.access !== 'public') {
      assertOneKey(head);
      const found = keyRing.authenticate(head.apiKey as string, exchange.address);
      const key = found instanceof Promise ? await found : found;
      const now = clock.now();
      exchange.key = key;
      const refusal = refusalOf(key, route, exchange.address, now);
      if (refusal !== undefined) throw refusal;
      lastUse.note(key.principal.keyId, now);
      const bucket = key.buckets[route.rateClass];
      if (limitRates && bucket !== null) {
        const taken = rateLimiter.take(bucket.name, bucket.rule);
        const decision = taken instanceof Promise ? await taken : taken;
        exchange.rate = decision;
        if (!decision.allowed) throw tooManyRequests(bucket, decision);
      }
    }
    const announcing = announce(exchange, route);
    if (announcing !== undefined) await hold(exchange, announcing);
    if (res.destroyed) return;
    if (route.service === 'gateway') respondHere(exchange, here);
    else services.forward(exchange, route.service, (head.target as RequestTarget).full);
  } catch (error) {
    exchange.fail(error);
  }
}

/**
 * Makes the checks in front of every service, in the order of ../domain/admission.ts. A request that passes goes to the service of the route, or to `here` for
 * routes that the gateway handles itself.
 * @returns handles a request: resolves once it is forwarded, passed to `here` or refused, and never rejects
 */
export function createProxy(options: ProxyOptions) {
  /**
   * Connections whose last request has come. Node's parser stops at the end of a request with `Upgrade`: it loses what came in
   * the same write, and takes what comes next for the beginning of a request, be it the body of the one that was lost. So such a
   * request is handled as if the header was absent (RFC 9110, 7.8), its response ends the connection, and nothing after it counts.
   */
  const ended = new WeakSet<Socket>();
  return async (req: IncomingMessage, res: ServerResponse, here: () => void): Promise<void> => {
    if (ended.has(req.socket)) {
      req.socket.pause();
      return;
    }
    const head = new RequestHead(req);
    const exchange = new Exchange(req, res, head, options.settings);
    exchange.endsConnection = head.isLast;
    if (head.isLast) ended.add(req.socket);
    exchange.continueExpected = awaitingContinue.has(req);
    return handle(exchange, here, options);
  };
}

/** Says to the observer that an admitted request goes on. */
function announce(exchange: Exchange, route: TableRoute): Promise<AnnouncedCall> | undefined {
  const target = exchange.head.target as RequestTarget;
  // Without a percent sign nothing can be encoded wrongly.
  const errors = target.full.includes('%') ? encodingErrors(route.path, target) : [];
  if (errors.length > 0) throw AppError.validation(errors);
  const { observer } = exchange.settings;
  // The client may have gone away meanwhile.
  if (observer === undefined || route.access !== 'tenant' || exchange.res.destroyed) return undefined;
  const { call } = exchange;
  return call && observer.announce(call);
}

/** Waits until the observer knows of a request. */
async function hold(exchange: Exchange, announcing: Promise<AnnouncedCall>): Promise<void> {
  const announced = await announcing;
  // The client may have gone away meanwhile: the request does not go on then.
  if (exchange.res.destroyed) announced.cancel();
  else exchange.announced = announced;
}

function tooManyRequests({ rule }: KeyBucket, { limit, retryAfterSeconds }: RateDecision): AppError {
  return new AppError('42901', `Too many requests: ${rule.perSecond} a second with bursts to ${rule.burst}`, {
    retryAfterSeconds,
    data: { limit, retry_after_seconds: retryAfterSeconds },
  });
}

/** Continues with the gateway's own routes. */
function respondHere(exchange: Exchange, here: () => void): void {
  const { req, head, span } = exchange;
  exchanges.set(req, exchange);
  // Handlers log and forward the id that the client receives in the response, not the header that it sent.
  req.headers[REQUEST_ID_HEADER] = head.requestId;
  req.headers[TRACEPARENT_HEADER] = span.traceparent;
  // Its handlers read a body whole before they change anything.
  if (exchange.route?.body === undefined) exchange.isPassedOn = true;
  else exchange.awaitsBody = true;
  exchange.wantBody();
  exchange.setCommonHeaders();
  here();
}
