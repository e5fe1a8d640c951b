import { describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { type Asked, ask, ends, holding, startUpstream } from '../../testing/held-upstream.ts';
import { ConcurrencyLimit } from '../domain/concurrency-limit.ts';
import { UpstreamConnections } from './upstream-connections.ts';

describe('holders of connections to a service', () => {
  const limits = { connections: { capacity: 8, part: 1 }, underWay: { capacity: 20, part: 1 }, client: { headersTimeout: 5000 } };
  const askMany = (connections: UpstreamConnections, count: number, holder: string): Asked[] =>
    Array.from({ length: count }, () => ask(connections, `/${holder}`, holder));
  const countOf = (held: readonly string[], holder: string): number => held.filter((path) => path === `/${holder}`).length;

  test('have a part of them each, and one that comes later waits for nobody', async () => {
    const upstream = holding();
    const { origin } = await startUpstream(upstream.listener);
    const connections = new UpstreamConnections({ origin, ...limits });
    ends.push(() => connections.close());
    const asked = [...askMany(connections, 10, 'a'), ...askMany(connections, 5, 'b')];
    // a has 4 of 8; b has 2, which is all that is free then.
    await until(() => upstream.held.length === 6, { what: 'the first of them' });
    expect([countOf(upstream.held, 'a'), countOf(upstream.held, 'b')]).toEqual([4, 2]);
    asked.push(ask(connections, '/c', 'c'));
    await until(() => countOf(upstream.held, 'c') === 1, { what: 'the newcomer, while the others wait' });
    await until(
      () => {
        upstream.respondAll();
        return upstream.held.length === asked.length;
      },
      { what: 'the rest' },
    );
    upstream.respondAll();
    expect(await Promise.all(asked.map(({ response }) => response))).toEqual(asked.map(() => 200));
    for (const holder of ['a', 'b', 'c']) expect(connections.underWay.heldBy(holder)).toBe(0);
  });

  test('are refused when they have too many that wait; others are not', async () => {
    const upstream = holding();
    const { origin } = await startUpstream(upstream.listener);
    const connections = new UpstreamConnections({ origin, ...limits });
    ends.push(() => connections.close());
    const asked = askMany(connections, 10, 'a');
    expect(connections.underWay.allows('a')).toBe(false);
    expect(connections.underWay.allows('b')).toBe(true);
    await expect(ask(connections, '/a', 'a').response).rejects.toThrow('Too many requests of a');
    await until(() => upstream.held.length === 4, { what: 'those that do not wait' });
    // However each of them ends, its place is given back.
    for (const { abort } of asked) abort();
    expect(await Promise.allSettled(asked.map(({ response }) => response))).toMatchObject(asked.map(() => ({ status: 'rejected' })));
    await until(() => connections.underWay.heldBy('a') === 0, { what: 'room' });
    expect(upstream.held).toHaveLength(4);
  });

  test('share what the service works on at once, and one that has nothing there waits for nobody', async () => {
    const upstream = holding();
    const { origin } = await startUpstream(upstream.listener);
    const limit = new ConcurrencyLimit({ most: 128, measured: 4, least: 4, loopUse: () => 0 });
    const connections = new UpstreamConnections({ origin, ...limits, connections: { capacity: 64, part: 1 }, limit });
    ends.push(() => connections.close());
    const first = ask(connections, '/b', 'b');
    await until(() => upstream.held.length === 1, { what: 'the first' });
    upstream.respondAll();
    await first.response;
    const asked = askMany(connections, 8, 'a');
    await until(() => countOf(upstream.held, 'a') === 4, { what: 'those that go at once' });
    asked.push(ask(connections, '/b', 'b'), ask(connections, '/c', 'c'));
    await until(() => countOf(upstream.held, 'b') + countOf(upstream.held, 'c') === 3, { what: 'other holders, at once' });
    expect(countOf(upstream.held, 'a')).toBe(4);
    // They do not respond for a second: what holds them up is no lack of turns.
    await until(() => countOf(upstream.held, 'a') === 8, { what: 'further ones beside the slow ones' });
    upstream.respondAll();
    expect(await Promise.all(asked.map(({ response }) => response))).toEqual(asked.map(() => 200));
    for (const holder of ['a', 'b', 'c']) expect(connections.underWay.heldBy(holder)).toBe(0);
  });
});
