import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as turnOfEvents } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import fc from 'fast-check';
import type { Client } from 'undici';
import { ends } from '../../testing/ends.ts';
import { type Asked, ask, holding, startUpstream } from '../../testing/held-upstream.ts';
import { UpstreamConnections } from './upstream-connections.ts';

function openConnections(
  origin: string,
  limits: { connections?: number; underWay?: number } = {},
  client: Client.Options = {},
): UpstreamConnections {
  // One holder may have all of it: shares have tests of their own below.
  const share = (capacity: number) => ({ capacity, part: capacity });
  const connections = new UpstreamConnections({
    origin,
    connections: share(limits.connections ?? 256),
    underWay: share(limits.underWay ?? 2048),
    client: { headersTimeout: 5000, ...client },
  });
  ends.push(() => connections.close());
  return connections;
}

describe('connections to a service', () => {
  test('requests one after the other share them all, and open no more', async () => {
    const used = new Set<Socket>();
    const upstream = await startUpstream((req, res) => {
      used.add(req.socket);
      res.end('ok');
    });
    const connections = openConnections(upstream.origin);
    await Promise.all(Array.from({ length: 10 }, () => ask(connections).response));
    expect(upstream.sockets.size).toBe(10);
    used.clear();
    for (let round = 0; round < 100; round += 1) expect(await ask(connections).response).toBe(200);
    expect(used.size).toBeGreaterThan(3);
    expect(upstream.sockets.size).toBe(10);
  });

  test('who waits for a connection waits no longer than for a response', async () => {
    const { origin } = await startUpstream(() => undefined);
    const connections = new UpstreamConnections({
      origin,
      connections: { capacity: 1, part: 1 },
      underWay: { capacity: 100, part: 1 },
      client: { headersTimeout: 1500 },
    });
    ends.push(() => connections.close());
    const startedAt = performance.now();
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => ask(connections).response));
    expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 'rejected'));
    // Without the bound each of them would wait for the one before: 12 s.
    expect(performance.now() - startedAt).toBeLessThan(6000);
  });

  test('who waits fails with the requests of a service that nobody hears of', async () => {
    const { origin } = await startUpstream(() => undefined);
    const connections = openConnections(origin, { connections: 1 });
    const silent = ask(connections, '/', 'one', { headersTimeout: 100, waitMs: 60_000 });
    const waiting = Array.from({ length: 3 }, () => ask(connections, '/', 'one', { headersTimeout: 50_000, waitMs: 60_000 }));
    for (const { response } of [silent, ...waiting]) await expect(response).rejects.toThrow('Headers Timeout Error');
  });

  test('a request that is aborted while it waits never reaches the service', async () => {
    const upstream = holding();
    const { origin } = await startUpstream(upstream.listener);
    const connections = openConnections(origin, { connections: 1 });
    const first = ask(connections, '/first');
    const given = ask(connections, '/aborted');
    const last = ask(connections, '/last');
    given.abort();
    for (const { response } of [first, last]) {
      await until(() => upstream.held.length > 0, { what: 'the next one' });
      expect(upstream.held.splice(0)).not.toContain('/aborted');
      upstream.respondAll();
      expect(await response).toBe(200);
    }
  });

  test('a service that is gone fails all who wait, and responds again once it is back', async () => {
    const { origin, server } = await startUpstream((_req, res) => res.end('ok'));
    const connections = openConnections(origin, { connections: 2 });
    expect(await ask(connections).response).toBe(200);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const lost = await Promise.allSettled(Array.from({ length: 20 }, () => ask(connections).response));
    expect(lost.map(({ status }) => status)).toEqual(Array(20).fill('rejected'));
    await startUpstream((_req, res) => res.end('ok'), Number(new URL(origin).port));
    expect(await ask(connections).response).toBe(200);
  });
});

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
