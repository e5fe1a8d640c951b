import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { ConcurrencyLimit } from '../domain/concurrency-limit.ts';
import { ServiceTurns, type TurnTaker } from './service-turns.ts';

const CAPACITY = 12;
const LONGEST_PAUSE_MS = 500;
const HOLDERS = ['a', 'b', 'c', 'd'] as const;

/** A request as the connections see it. */
interface Followed extends TurnTaker {
  state: 'waiting' | 'sent' | 'over';
  stopWaiting: () => void;
}

/** What the connections do with turns, in their order: a request is taken or waits, is sent, perhaps responded, and is over. */
class Connections {
  loopUse = 0;
  readonly turns = new ServiceTurns(
    { capacity: CAPACITY, part: 1 },
    new ConcurrencyLimit({ most: 8, measured: 0.5, least: 0.25, loopUse: () => this.loopUse }),
  );
  readonly requests: Followed[] = [];
  /** When a request of a holder ended last while the limit was below one. */
  readonly #endedAt = new Map<string, number>();

  in(state: Followed['state']): Followed[] {
    return this.requests.filter((request) => request.state === state);
  }

  ask(holder: string): void {
    const request: Followed = { holder, kind: 'GET /', sentAt: 0, isSlow: false, state: 'waiting', stopWaiting: () => undefined };
    this.requests.push(request);
    const send = (): void => {
      expect(request.state).toBe('waiting');
      request.state = 'sent';
      this.turns.sent(request);
    };
    if (this.turns.take(request)) send();
    else request.stopWaiting = this.turns.wait(request, send);
  }

  /** True of a holder that may pause between two requests. */
  mayPause(holder: string): boolean {
    const endedAt = this.#endedAt.get(holder);
    return endedAt !== undefined && performance.now() - endedAt <= LONGEST_PAUSE_MS;
  }

  end(request: Followed): void {
    request.state = 'over';
    if ((this.turns.limit ?? 1) < 1) this.#endedAt.set(request.holder, performance.now());
    this.turns.ended(request);
  }

  leave(request: Followed): void {
    request.state = 'over';
    request.stopWaiting();
  }
}

type Step =
  | { readonly does: 'ask'; readonly holder: string; readonly times: number }
  | { readonly does: 'respond'; readonly which: number; readonly status: number }
  | { readonly does: 'end' | 'leave' | 'stop waiting twice'; readonly which: number }
  | { readonly does: 'pass'; readonly ms: number }
  | { readonly does: 'work'; readonly loopUse: number };

const which = fc.nat();
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('ask' as const), holder: fc.constantFrom(...HOLDERS), times: fc.integer({ min: 1, max: 8 }) }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('respond' as const), which, status: fc.constantFrom(200, 304, 404, 503) }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constantFrom('end' as const, 'leave' as const, 'stop waiting twice' as const), which }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('work' as const), loopUse: fc.constantFrom(0, 0.8, 1) }) },
  // Below and above the time of a window, of a slow request, of a measurement, and of sharing.
  { weight: 2, arbitrary: fc.record({ does: fc.constant('pass' as const), ms: fc.constantFrom(1, 120, 260, 1100, 11_000, 61_000) }) },
);

function play(connections: Connections, done: Step): void {
  if (done.does === 'ask') for (let time = 0; time < done.times; time += 1) connections.ask(done.holder);
  else if (done.does === 'pass') jest.advanceTimersByTime(done.ms);
  else if (done.does === 'work') connections.loopUse = done.loopUse;
  else {
    const among = connections.in(done.does === 'leave' ? 'waiting' : done.does === 'stop waiting twice' ? 'over' : 'sent');
    const request = among[done.which % among.length];
    if (request === undefined) return;
    if (done.does === 'respond') connections.turns.responded(request, done.status);
    else if (done.does === 'end') connections.end(request);
    else if (done.does === 'leave') connections.leave(request);
    else request.stopWaiting();
  }
}

describe('turns, whatever is taken, waited for, responded, left and ended', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const holds = (connections: Connections): void => {
    const sent = connections.in('sent');
    expect(connections.turns.underWay).toBe(sent.length);
    expect(sent.length).toBeLessThanOrEqual(CAPACITY);
    if (sent.length === CAPACITY) return;
    // Nobody waits who has nothing and does not pause, as long as there is a place.
    const having = new Set(sent.map(({ holder }) => holder));
    expect(connections.in('waiting').filter(({ holder }) => !having.has(holder) && !connections.mayPause(holder))).toEqual([]);
  };

  test('no place is lost, none is given twice, and everybody who waits goes in the end', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const connections = new Connections();
        for (const done of steps) {
          play(connections, done);
          holds(connections);
        }
        while (connections.in('sent').length + connections.in('waiting').length > 0) {
          for (const request of connections.in('sent')) connections.end(request);
          holds(connections);
          // Whoever pauses goes on after that.
          if (connections.in('sent').length === 0) {
            jest.advanceTimersByTime(LONGEST_PAUSE_MS);
            expect(connections.in('sent').length > 0 || connections.in('waiting').length === 0).toBe(true);
          }
        }
        expect(connections.in('waiting')).toEqual([]);
        expect(connections.turns.underWay).toBe(0);
        // All of it is there for one alone, once it is the only one that came for a minute.
        connections.ask('a');
        for (const request of connections.in('sent')) connections.end(request);
        jest.advanceTimersByTime(60_000);
        for (let count = 0; count < CAPACITY; count += 1) connections.ask('a');
        expect(connections.in('sent')).toHaveLength(CAPACITY / 2);
        connections.turns.close();
      }),
      { numRuns: 400 },
    );
  });
});
