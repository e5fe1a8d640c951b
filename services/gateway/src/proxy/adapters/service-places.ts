import type { ServiceName } from '@parcelway/contracts/service-name';
import { AppError } from '@parcelway/kernel/app-error';
import { FairShares, FairTurns } from '@parcelway/kernel/fair-shares';
import type { Metrics } from '@parcelway/telemetry/metrics';
import { responseTimeoutMs, upstreamLimits } from '../domain/client-shares.ts';
import type { Exchange } from './exchange.ts';

/** The body of a request: none, small enough to read before the service is called, or large. */
export type BodyKind = 'none' | 'small' | 'large';

/** The body that a service receives. Only POST and PATCH have one. */
export function bodyOf({ req, head }: Exchange): BodyKind {
  const takesBody = (req.method === 'POST' || req.method === 'PATCH') && (head.coding !== null || (head.contentLength ?? 0) > 0);
  if (!takesBody) return 'none';
  return head.coding === null && (head.contentLength as number) <= upstreamLimits.smallBodyBytes ? 'small' : 'large';
}

/** The error for a client that exceeds its share. */
export function tooMany(what: 'requests' | 'uploads' | 'unread responses'): AppError {
  const message = `Too many ${what} at the same time: wait until some of yours have ended`;
  return new AppError('42901', message, { retryAfterSeconds: 1, data: { retry_after_seconds: 1 } });
}

/** A place at a service. */
export interface Place {
  /** Frees it. Later calls do nothing. */
  readonly giveBack: () => void;
  /** How long the request waited for it, milliseconds. */
  readonly waitedMs: number;
}

/** The places at one service. Requests beyond the share of their holder wait; beyond the share of waiting requests, they are refused. */
export class ServicePlaces {
  readonly #service: ServiceName;
  readonly #timeoutMs: number;
  readonly #metrics: Metrics;
  /** Requests that the service handles. */
  readonly #turns = new FairTurns(upstreamLimits.connections);
  /** Those, and the ones that wait. */
  readonly #underWay = new FairShares(upstreamLimits.underWay);
  /** Requests with a large body. They do not wait. */
  readonly #uploads = new FairShares(upstreamLimits.uploads);
  /** Ends each wait with an error. */
  readonly #waits = new Set<() => void>();

  /** @param timeoutMs bound on the wait, milliseconds */
  constructor(service: ServiceName, timeoutMs: number, metrics: Metrics) {
    this.#service = service;
    this.#timeoutMs = timeoutMs;
    this.#metrics = metrics;
  }

  /** Calls `go` once the request has a place, or ends its exchange. Does neither when the client disconnects before. */
  admit(exchange: Exchange, body: BodyKind, go: (place: Place) => void): void {
    const { holder } = exchange;
    const isUpload = body === 'large';
    const shares = isUpload ? this.#uploads : this.#underWay;
    if (!shares.take(holder)) this.#refuse(exchange, shares, isUpload);
    else if (isUpload) start(exchange, () => shares.give(holder), 0, go);
    else if (this.#turns.take(holder)) start(exchange, () => this.#giveBack(holder), 0, go);
    else this.#wait(exchange, go);
  }

  /** Ends all waits with 50301, because the service does not respond. */
  failWaiting(): void {
    for (const fail of [...this.#waits]) fail();
  }

  /** Sets the gauges of the places in use, and their limits. */
  report(): void {
    const upstream = this.#service;
    for (const [body, shares, { capacity }] of [
      ['small', this.#turns, upstreamLimits.connections],
      ['large', this.#uploads, upstreamLimits.uploads],
    ] as const) {
      this.#metrics.set('parcelway_upstream_requests', { upstream, body }, shares.used);
      this.#metrics.set('parcelway_upstream_requests_limit', { upstream, body }, capacity);
    }
  }

  #giveBack(holder: string): void {
    this.#underWay.give(holder);
    this.#turns.give(holder);
  }

  #wait(exchange: Exchange, go: (place: Place) => void): void {
    const { holder, res } = exchange;
    const since = performance.now();
    const end = (): number => {
      clearTimeout(expiry);
      this.#waits.delete(fail);
      res.off('close', leave);
      const waitedMs = performance.now() - since;
      this.#metrics.observe('parcelway_upstream_wait_seconds', { upstream: this.#service }, waitedMs / 1000);
      return waitedMs;
    };
    const forget = this.#turns.wait(holder, () => {
      const waitedMs = end();
      // Starts on an empty stack: a request that ends at once starts the next one.
      setImmediate(() => (res.destroyed ? this.#giveBack(holder) : start(exchange, () => this.#giveBack(holder), waitedMs, go)));
    });
    const leave = (): void => {
      end();
      forget();
      this.#underWay.give(holder);
    };
    const fail = (): void => {
      leave();
      exchange.fail(this.#busy());
    };
    const expiry = setTimeout(fail, responseTimeoutMs(exchange.route, this.#timeoutMs));
    this.#waits.add(fail);
    res.once('close', leave);
  }

  /** A client with requests in progress has too many itself. Any other client meets those of others. */
  #refuse(exchange: Exchange, shares: FairShares, isUpload: boolean): void {
    const { holder, settings } = exchange;
    if (shares.heldBy(holder) === 0) {
      exchange.fail(this.#busy());
      return;
    }
    settings.limits.reached(isUpload ? 'upload_streams' : 'requests_under_way', holder);
    exchange.fail(tooMany(isUpload ? 'uploads' : 'requests'));
  }

  #busy(): AppError {
    return AppError.unavailable(`The ${this.#service} service is busy; try again`);
  }
}

/** Starts a request. An error gives the place back, and ends the exchange. */
function start(exchange: Exchange, giveBack: () => void, waitedMs: number, go: (place: Place) => void): void {
  let isHeld = true;
  const place = {
    waitedMs,
    giveBack: () => {
      if (!isHeld) return;
      isHeld = false;
      giveBack();
    },
  };
  try {
    go(place);
  } catch (error) {
    place.giveBack();
    exchange.fail(error);
  }
}
