import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { CLIENT_IDLE_MS } from '@parcelway/http/keep-alive';
import { seededRandom } from '../../testing/seeded-random.ts';
import { upstreamLimits } from '../domain/client-shares.ts';
import { ConcurrencyLimit } from '../domain/concurrency-limit.ts';
import { countedMs, FreeConnections, type TimedConnection } from '../domain/free-connections.ts';
import { ServiceTurns, type TurnTaker } from './service-turns.ts';

/** A process of a service with one processor, which works on requests one after the other, and then waits for its store. Times in milliseconds. */
interface Replica {
  readonly workMs: number;
  readonly storeMs: number;
  /** It responds to nothing that comes from then on. */
  readonly hangsAt: number;
  /** Of all its responses. */
  readonly status: number;
  /** When its processor is free. */
  freeAt: number;
}

interface PlayedConnection extends TimedConnection {
  replica: Replica;
}

/** After so long a request fails. */
const DEADLINE_MS = 30_000;

/** A gateway, and replicas of a service behind one address: which one a new connection reaches is chance, as with a Kubernetes Service. */
class PlayedGateway {
  readonly #replicas: readonly Replica[];
  readonly #random: () => number;
  readonly #free: FreeConnections<PlayedConnection>;
  readonly #turns = new ServiceTurns(upstreamLimits.connections, new ConcurrencyLimit({ ...upstreamLimits.atOnce, loopUse: () => 0 }));
  #isOver = false;
  /** Requests that got no response. */
  failed = 0;
  /** Requests that got another response than 200. */
  refused = 0;
  /** Requests whose connection had to be opened anew. */
  reopened = 0;

  constructor(replicas: readonly Replica[], seed: number) {
    this.#replicas = replicas;
    this.#random = seededRandom(seed);
    this.#free = new FreeConnections({ idleMs: CLIENT_IDLE_MS, random: this.#random });
  }

  /** A holder that always has so many requests open. @returns how many were responded */
  busy(holder: string, open: number): { done: number } {
    const counted = { done: 0 };
    const next = (): void =>
      this.#ask(holder, () => {
        counted.done += 1;
        if (!this.#isOver) next();
      });
    for (let index = 0; index < open; index += 1) next();
    return counted;
  }

  /** A holder that asks now and then. @returns how long each request took */
  quiet(holder: string, everyMs: number): number[] {
    const times: number[] = [];
    const timer = setInterval(() => {
      const begun = performance.now();
      if (this.#isOver) clearInterval(timer);
      else this.#ask(holder, () => times.push(performance.now() - begun));
    }, everyMs);
    return times;
  }

  /** So many requests at once. */
  burst(holder: string, count: number): void {
    for (let index = 0; index < count; index += 1) this.#ask(holder, () => undefined);
  }

  stop(): void {
    this.#isOver = true;
    this.#turns.close();
  }

  #ask(holder: string, done: () => void): void {
    const request: TurnTaker = { holder, kind: 'POST /forecasts', sentAt: 0, isSlow: false };
    if (this.#turns.take(request)) this.#send(request, done);
    else this.#turns.wait(request, () => this.#send(request, done));
  }

  #send(request: TurnTaker, done: () => void): void {
    this.#turns.sent(request);
    const connection = this.#connection();
    const { replica } = connection;
    if (performance.now() >= replica.hangsAt) {
      setTimeout(() => {
        this.failed += 1;
        this.#turns.ended(request);
        done();
      }, DEADLINE_MS);
      return;
    }
    replica.freeAt = Math.max(performance.now(), replica.freeAt) + replica.workMs;
    setTimeout(
      () => {
        const now = performance.now();
        connection.tookMs = countedMs(replica.status, now - request.sentAt);
        if (replica.status !== 200) this.refused += 1;
        this.#turns.responded(request, replica.status);
        this.#free.put(connection, now);
        this.#free.surplus(now);
        this.#turns.ended(request);
        done();
      },
      replica.freeAt + replica.storeMs - performance.now(),
    );
  }

  #connection(): PlayedConnection {
    const connection = this.#free.take(performance.now()) ?? { replica: this.#anyReplica(), tookMs: 0, freeSince: performance.now() };
    if (performance.now() - connection.freeSince > CLIENT_IDLE_MS) {
      this.reopened += 1;
      connection.replica = this.#anyReplica();
    }
    return connection;
  }

  #anyReplica(): Replica {
    return this.#replicas[Math.floor(this.#random() * this.#replicas.length)] as Replica;
  }
}

const SECONDS = 25;

/** Of a replica. */
type Shape = readonly [workMs: number, storeMs: number, fault?: { readonly hangsAfterMs?: number; readonly status?: number }];

describe('replicas of a service behind one address', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** One holder fills the service through each gateway, another asks now and then. */
  const play = (shapes: readonly Shape[], { gateways: count = 1 } = {}) => {
    const replicas = shapes.map(([workMs, storeMs, { hangsAfterMs = Number.POSITIVE_INFINITY, status = 200 } = {}]) => ({
      workMs,
      storeMs,
      hangsAt: performance.now() + hangsAfterMs,
      status,
      freeAt: 0,
    }));
    const gateways = Array.from({ length: count }, (_, index) => new PlayedGateway(replicas, 10 * index + 1));
    const counts = gateways.map((gateway) => gateway.busy('a', 200));
    const quiet = gateways.map((gateway) => gateway.quiet('b', 90));
    const pass = (seconds: number): void => {
      for (let step = 0; step < seconds * 100; step += 1) jest.advanceTimersByTime(10);
    };
    // What came before the service was shared is over by then, and the limit is found.
    pass(5);
    for (const counted of counts) counted.done = 0;
    for (const times of quiet) times.length = 0;
    for (const gateway of gateways) gateway.refused = 0;
    pass(SECONDS);
    const refused = gateways.reduce((sum, gateway) => sum + gateway.refused, 0) / SECONDS;
    const perSecond = counts.reduce((sum, { done }) => sum + done, 0) / SECONDS;
    for (const gateway of gateways) gateway.stop();
    jest.advanceTimersByTime(2 * DEADLINE_MS);
    const times = quiet.flat().toSorted((a, b) => a - b);
    return {
      perSecond,
      /** The part of all. */
      refused: refused / perSecond,
      failed: gateways.reduce((sum, { failed }) => sum + failed, 0),
      median: times[times.length >> 1] as number,
      p95: times[Math.floor(times.length * 0.95)] as number,
    };
  };

  test('are given more at once the more of them there are', () => {
    const far = [1, 49] as const;
    const one = play([far]);
    const three = play([far, far, far]);
    expect(one.perSecond).toBeGreaterThan(0.85 * 1000);
    expect(three.perSecond).toBeGreaterThan(2.2 * one.perSecond);
    expect(three.p95).toBeLessThan(80);
  });

  test('have work, all of them, although a connection stays with one', () => {
    const near = [2, 3] as const;
    const nine = play(Array.from({ length: 9 }, () => near));
    expect(nine.perSecond).toBeGreaterThan(0.7 * 9 * 500);
    expect(nine.p95).toBeLessThan(20);
  });

  test.each([
    { name: 'one of three that takes four times as long', slow: [8, 12] as const, gateways: 1, least: 850, p95: 50 },
    { name: 'one of three that takes twenty times as long', slow: [40, 60] as const, gateways: 1, least: 600, p95: 1000 },
    { name: 'one of three behind three gateways', slow: [8, 12] as const, gateways: 3, least: 850, p95: 100 },
  ])('$name takes little from the others', ({ slow, gateways, least, p95 }) => {
    const played = play([[2, 3], [2, 3], slow], { gateways });
    // Two quick ones do 1000 a second.
    expect(played.perSecond).toBeGreaterThan(least);
    expect(played.median).toBeLessThan(25);
    expect(played.p95).toBeLessThan(p95);
  });

  test('of which one hangs cost little more than what was sent to it before', () => {
    const near = [2, 3] as const;
    const played = play([near, near, [2, 3, { hangsAfterMs: 8000 }]]);
    expect(played.failed).toBeLessThan(80);
    expect(played.perSecond).toBeGreaterThan(850);
    expect(played.p95).toBeLessThan(30);
  });

  test.each([401, 500, 503])('of which one responds with %i at once keep it from most of the work', (status) => {
    const near = [2, 3] as const;
    const played = play([near, near, [1, 0, { status }]]);
    expect(played.refused).toBeLessThan(0.2);
    expect(played.perSecond * (1 - played.refused)).toBeGreaterThan(750);
  });

  test.each([2, 5, 10, 20])('get %i requests a second after a burst, none of them over a connection that has been closed', (perSecond) => {
    const near = { workMs: 2, storeMs: 3, hangsAt: Number.POSITIVE_INFINITY, status: 200, freeAt: 0 };
    const gateway = new PlayedGateway([{ ...near }, { ...near }, { ...near }], 1);
    gateway.burst('a', 60);
    const times = gateway.quiet('b', 1000 / perSecond);
    jest.advanceTimersByTime(60_000);
    gateway.stop();
    expect([times.length, gateway.reopened]).toEqual([60 * perSecond - 1, 0]);
  });
});
