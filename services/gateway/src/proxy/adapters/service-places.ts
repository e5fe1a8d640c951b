import type { ServiceName } from '@parcelway/contracts/service-name';
import { AppError } from '@parcelway/kernel/app-error';
import { FairShares, FairTurns } from '@parcelway/kernel/fair-shares';
import type { Metrics } from '@parcelway/telemetry/metrics';
import { upstreamLimits } from '../domain/client-shares.ts';
import type { Exchange } from './exchange.ts';

/** What the body of a request means for its service: none, read at once, or as slow as its client. */
export type BodyKind = 'none' | 'small' | 'large';

/** The body that a service gets of a request. Only POST and PATCH have one. */
export function bodyOf({ req, head }: Exchange): BodyKind {
  const takesBody = (req.method === 'POST' || req.method === 'PATCH') && (head.coding !== null || (head.contentLength ?? 0) > 0);
  if (!takesBody) return 'none';
  return head.coding === null && (head.contentLength as number) <= upstreamLimits.smallBodyBytes ? 'small' : 'large';
}

/** The refusal of what a client has too many of under way. */
export function tooMany(what: 'requests' | 'uploads' | 'unread responses'): AppError {
  const message = `Too many ${what} at the same time: wait until some of yours have ended`;
  return new AppError('42901', message, { retryAfterSeconds: 1, data: { retry_after_seconds: 1 } });
}

/**
 * The places that a service has for requests. A holder has a share of them: beyond it, its requests wait in turn, and beyond what may wait, they are refused.
 * So a service that is slow for one holder has room for the others.
 */
export class ServicePlaces {
  readonly #service: ServiceName;
  readonly #waitMs: number;
  readonly #metrics: Metrics;
  /** Requests that are worked on. */
  readonly #turns = new FairTurns(upstreamLimits.connections);
  /** Those, and the ones that wait for their turn. */
  readonly #underWay = new FairShares(upstreamLimits.underWay);
  /** Requests with a large body, which have their turn at once. */
  readonly #uploads = new FairShares(upstreamLimits.uploads);

  /** @param waitMs a request waits for its turn no longer than this, milliseconds */
  constructor(service: ServiceName, waitMs: number, metrics: Metrics) {
    this.#service = service;
    this.#waitMs = waitMs;
    this.#metrics = metrics;
  }

  /**
   * Gives a request its place, perhaps after a wait, or ends its exchange.
   * @param go called with what gives the place back, unless the request is refused or its client leaves
   */
  admit(exchange: Exchange, body: BodyKind, go: (giveBack: () => void) => void): void {
    const { holder } = exchange;
    const isUpload = body === 'large';
    const shares = isUpload ? this.#uploads : this.#underWay;
    if (!shares.take(holder)) this.#refuse(exchange, shares, isUpload);
    else if (isUpload) go(() => shares.give(holder));
    else if (this.#turns.take(holder)) go(() => this.#giveBack(holder));
    else this.#wait(exchange, () => go(() => this.#giveBack(holder)));
  }

  /** Sets the gauges of what the service has been given, and may be given. */
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

  #wait(exchange: Exchange, go: () => void): void {
    const { holder, res } = exchange;
    const since = performance.now();
    const over = (): void => {
      clearTimeout(expiry);
      res.off('close', leave);
      const seconds = (performance.now() - since) / 1000;
      this.#metrics.observe('parcelway_upstream_wait_seconds', { upstream: this.#service }, seconds);
    };
    const forget = this.#turns.wait(holder, () => {
      over();
      // Not in the call that gave the turn back: each request that has its response at once would add to its stack.
      setImmediate(() => (res.destroyed ? this.#giveBack(holder) : go()));
    });
    const leave = (): void => {
      over();
      forget();
      this.#underWay.give(holder);
    };
    const expiry = setTimeout(() => {
      leave();
      exchange.fail(this.#busy());
    }, this.#waitMs);
    res.once('close', leave);
  }

  /** A client with many requests under way has too many itself; for any other client, the others have. */
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
