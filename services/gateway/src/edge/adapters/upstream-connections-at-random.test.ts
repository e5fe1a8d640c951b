import type { ServerResponse } from 'node:http';
import { setImmediate as turnOfEvents } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import fc from 'fast-check';
import { type Asked, ask, ends, startUpstream } from '../../testing/held-upstream.ts';
import { ConcurrencyLimit } from '../domain/concurrency-limit.ts';
import { UpstreamConnections } from './upstream-connections.ts';

const HOLDERS = ['a', 'b', 'c'] as const;

type Step =
  | { readonly does: 'ask'; readonly holder: string; readonly times: number }
  | { readonly does: 'respond' | 'respond and close' | 'cut' | 'begin a response' | 'abort'; readonly which: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('ask' as const), holder: fc.constantFrom(...HOLDERS), times: fc.integer({ min: 1, max: 5 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constantFrom(
        'respond' as const,
        'respond and close' as const,
        'cut' as const,
        'begin a response' as const,
        'abort' as const,
      ),
      which: fc.nat(),
    }),
  },
);

/** How what is still under way after the steps ends: the service responds, never does, or the gateway stops. */
const ending = fc.constantFrom('responses' as const, 'responses' as const, 'deadlines' as const, 'close' as const);

function play({ does, which }: Extract<Step, { which: number }>, held: ServerResponse[], asked: readonly Asked[]): void {
  if (does === 'abort') {
    asked[which % asked.length]?.abort();
    return;
  }
  const [res] = held.splice(which % held.length, 1);
  if (res === undefined) return;
  if (does === 'respond and close' && !res.headersSent) res.setHeader('Connection', 'close');
  if (does === 'cut') res.destroy();
  else if (does === 'begin a response') {
    res.write('begun');
    held.push(res);
  } else res.end('ok');
}

test('whatever becomes of requests, no place is lost and each of them ends', async () => {
  const held: ServerResponse[] = [];
  const { origin } = await startUpstream((req, res) => {
    if (req.url === '/quick') res.end('ok');
    else held.push(res);
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), ending, async (steps, end) => {
      held.length = 0;
      const connections = new UpstreamConnections({
        origin,
        connections: { capacity: 6, part: 1 },
        underWay: { capacity: 16, part: 1 },
        limit: new ConcurrencyLimit({ most: 5, measured: 2, least: 0.5, loopUse: () => 0 }),
        client: { headersTimeout: end === 'deadlines' ? 300 : 20_000, bodyTimeout: end === 'deadlines' ? 300 : 20_000 },
      });
      ends.push(() => connections.close());
      const asked: Asked[] = [];
      for (const done of steps) {
        if (done.does === 'ask') {
          for (let time = 0; time < done.times; time += 1) asked.push(ask(connections, '/', done.holder));
        } else play(done, held, asked);
        // Some of it arrives, some does not.
        for (let turn = 0; turn < 5; turn += 1) await turnOfEvents();
        expect(connections.given).toBeLessThanOrEqual(6);
        expect(connections.given).toBeLessThanOrEqual(connections.underWay.used);
      }
      if (end === 'close') await connections.close();
      const outcomes = Promise.allSettled(asked.map(({ response }) => response));
      if (end === 'close') {
        await outcomes;
        return;
      }
      await until(
        () => {
          if (end === 'responses') for (const res of held.splice(0)) res.end();
          return connections.underWay.used === 0;
        },
        { what: 'the end of all', everyMs: 5 },
      );
      await outcomes;
      expect(connections.given).toBe(0);
      for (const holder of HOLDERS) expect(await ask(connections, '/quick', holder).response).toBe(200);
      await connections.close();
    }),
    { numRuns: 8, endOnFailure: true },
  );
}, 120_000);
