import type { Socket } from 'node:net';
import { describe, expect, jest, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import type { Client } from 'undici';
import { ask, ends, holding, startUpstream } from '../../testing/held-upstream.ts';
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

  test('those that were idle for too long end once one of them is used again', async () => {
    const { origin, sockets, server } = await startUpstream((_req, res) => res.end('ok'));
    // Neither side closes them itself.
    server.keepAliveTimeout = 0;
    const keepAlive = { keepAliveTimeout: 600_000, keepAliveMaxTimeout: 600_000 };
    const connections = openConnections(origin, {}, keepAlive);
    await Promise.all(Array.from({ length: 10 }, () => ask(connections).response));
    const { now } = performance;
    let laterMs = 600_000;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + laterMs);
    ends.push(async () => clock.mockRestore());
    const openOnes = (): number => [...sockets].filter(({ destroyed }) => !destroyed).length;
    expect([await ask(connections).response, sockets.size]).toEqual([200, 10]);
    await until(() => openOnes() === 1, { what: 'the end of the others' });
    laterMs += 500_000;
    expect([await ask(connections).response, sockets.size, openOnes()]).toEqual([200, 10, 1]);
  });

  test('a replica that fails at once is not preferred to those that work', async () => {
    const sockets: Socket[] = [];
    const upstream = await startUpstream((req, res) => {
      if (!sockets.includes(req.socket)) sockets.push(req.socket);
      // Every third connection leads to it.
      if (sockets.indexOf(req.socket) % 3 === 0) res.writeHead(500).end();
      else setTimeout(() => res.end('ok'), 5);
    });
    const connections = openConnections(upstream.origin);
    await Promise.all(Array.from({ length: 9 }, () => ask(connections).response));
    const statuses: number[] = [];
    for (let round = 0; round < 100; round += 1) statuses.push(await ask(connections).response);
    expect(sockets).toHaveLength(9);
    // About 11 of 100; if it passed for the quick one, 55.
    expect(statuses.filter((status) => status === 500).length).toBeLessThan(33);
  });

  test('a slow service makes nobody wait for another', async () => {
    const upstream = holding();
    const { origin, sockets } = await startUpstream(upstream.listener);
    const connections = openConnections(origin);
    const asked = Array.from({ length: 100 }, () => ask(connections));
    await until(() => upstream.held.length === 100, { what: 'all of them at the service, none of them responded' });
    upstream.respondAll();
    expect(await Promise.all(asked.map(({ response }) => response))).toEqual(Array(100).fill(200));
    expect(sockets.size).toBe(100);
  });

  test('beyond the limit requests wait in turn', async () => {
    const upstream = holding();
    const { origin, sockets } = await startUpstream(upstream.listener);
    const connections = openConnections(origin, { connections: 1 });
    const asked = ['/1', '/2', '/3'].map((path) => ask(connections, path));
    for (const count of [1, 2, 3]) {
      await until(() => upstream.held.length === count, { what: 'the next one' });
      upstream.respondAll();
    }
    await Promise.all(asked.map(({ response }) => response));
    expect(upstream.held).toEqual(['/1', '/2', '/3']);
    expect(sockets.size).toBe(1);
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

  test('one too many fails at once, and its place is given again', async () => {
    const upstream = holding();
    const { origin } = await startUpstream(upstream.listener);
    const connections = openConnections(origin, { connections: 1, underWay: 2 });
    const first = ask(connections);
    const second = ask(connections);
    expect(connections.underWay.allows('one')).toBe(false);
    await expect(ask(connections).response).rejects.toThrow('Too many requests of one');
    second.abort();
    expect(connections.underWay.allows('one')).toBe(true);
    await expect(second.response).rejects.toThrow('aborted');
    await until(() => upstream.held.length === 1, { what: 'the first' });
    upstream.respondAll();
    expect(await first.response).toBe(200);
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

  test('a request that is aborted in flight frees its place for those that wait', async () => {
    const upstream = holding();
    const { origin } = await startUpstream(upstream.listener);
    const connections = openConnections(origin, { connections: 1 });
    const first = ask(connections, '/aborted');
    const second = ask(connections, '/next');
    await until(() => upstream.held.length === 1, { what: 'the first' });
    first.abort();
    await expect(first.response).rejects.toThrow();
    await until(() => upstream.held.length === 2, { what: 'the second' });
    upstream.respondAll();
    expect(await second.response).toBe(200);
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

  test('connections that the service closes after each response are replaced', async () => {
    const { origin, sockets } = await startUpstream((_req, res) => res.setHeader('Connection', 'close').end('ok'));
    const connections = openConnections(origin, { connections: 3 });
    expect(await Promise.all(Array.from({ length: 12 }, () => ask(connections).response))).toEqual(Array(12).fill(200));
    expect(sockets.size).toBe(12);
  });

  test('the close fails what is under way, what waits and what comes', async () => {
    const upstream = holding();
    const { origin } = await startUpstream(upstream.listener);
    const connections = openConnections(origin, { connections: 1 });
    const asked = [ask(connections), ask(connections)];
    await until(() => upstream.held.length === 1, { what: 'the first' });
    await connections.close();
    for (const { response } of [...asked, ask(connections)]) await expect(response).rejects.toThrow('closed');
    expect(upstream.held).toHaveLength(1);
  });
});
