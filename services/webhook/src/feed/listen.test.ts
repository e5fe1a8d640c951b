import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import { sign } from '../endpoints/domain/signed-headers.ts';
import { endpointFor, T0 } from '../testing/webhook-fixtures.ts';
import type { EventFeed, FeedEvent } from './event-feed.ts';
import { createListener, type ListenRequest } from './listen.ts';

const forever = { after: 'begin', endpointId: null, types: null, waitMs: 10_000 };

/** A listener on a feed that responds at once, and has always more of what nobody wants to hear. */
function listenerOn(looked: { pages: number }) {
  const feed: EventFeed = {
    async page() {
      looked.pages += 1;
      return { events: [], next: String(looked.pages), more: true };
    },
    end: async () => '0',
  };
  const endpoints = { get: async () => undefined };
  return createListener({ feed, endpoints, clock: new ManualClock(0), masterSecret: 'x' });
}

describe('a listener that has a long feed to read', () => {
  test('leaves the process to others between two pages, and ends when the caller goes away', async () => {
    const looked = { pages: 0 };
    const gone = new AbortController();
    setImmediate(() => gone.abort());
    await listenerOn(looked).listen('tnt_one', forever, gone.signal);
    expect(looked.pages).toBeLessThan(10);
  });
});

describe('the places of listeners', () => {
  const ended = AbortSignal.abort();
  const codeOf = (call: Promise<unknown>): Promise<string | undefined> =>
    call.then(
      () => undefined,
      (error: { readonly code: string }) => error.code,
    );

  test('are ten of a tenant and a hundred of all, and free again afterwards', async () => {
    const gone = new AbortController();
    const listener = listenerOn({ pages: 0 });
    const waiting: Promise<unknown>[] = [];
    for (let tenant = 0; tenant < 10; tenant += 1) {
      for (let place = 0; place < 10; place += 1) waiting.push(listener.listen(`tnt_${tenant}`, forever, gone.signal));
      if (tenant === 0) {
        await expect(listener.listen('tnt_0', forever, ended)).rejects.toMatchObject({
          code: '42901',
          message: expect.stringMatching(/^10 of your listeners are waiting, which is the maximum/),
          retryAfterSeconds: 1,
          data: { limit: 10, retry_after_seconds: 1 },
        });
      }
      if (tenant === 0) expect(await codeOf(listener.listen('tnt_other', forever, ended))).toBeUndefined();
    }
    expect(await codeOf(listener.listen('tnt_other', forever, ended))).toBe('50301');
    gone.abort();
    await Promise.all(waiting);
    // Each response makes room for exactly one more.
    const again = Array.from({ length: 11 }, () => codeOf(listener.listen('tnt_0', forever, ended)));
    expect(await Promise.all(again)).toEqual([...Array(10).fill(undefined), '42901']);
    expect(await codeOf(listener.listen('tnt_other', forever, ended))).toBeUndefined();
  });
});

describe('what a listener hears', () => {
  const endpoint = endpointFor('tnt_one', {
    endpointId: 'ep_1',
    headers: { 'x-key': '1' },
    formerSecret: 'whsec_bbbb',
    formerSecretUntil: T0 + 1,
  });
  const weighed: FeedEvent = { eventId: 'evt_1', type: 'parcel.weighed', body: '{"data":{}}' };
  const changed: FeedEvent = { eventId: 'evt_2', type: 'tracking.changed', body: '{"data":{}}' };

  /** A listener on a feed of pages, of which each is the only one that has something at its time. */
  function world(pages: readonly (readonly FeedEvent[])[], masterSecret = 'master') {
    const asked: unknown[] = [];
    const feed: EventFeed = {
      async page(tenantId, from, { types }, limit) {
        asked.push([tenantId, from, types, limit]);
        return { events: pages[asked.length - 1] ?? [], next: `p${asked.length}`, more: asked.length < pages.length };
      },
      end: async () => 'end',
    };
    const get = async (tenantId: string, id: string): Promise<Endpoint | undefined> =>
      tenantId === 'tnt_one' && id === 'ep_1' ? endpoint : undefined;
    const listener = createListener({ feed, endpoints: { get }, clock: new ManualClock(T0), masterSecret });
    const request: ListenRequest = { after: 'p0', endpointId: null, types: null, waitMs: 0 };
    const listen = (given: Partial<ListenRequest> = {}, tenantId = 'tnt_one', gone = new AbortController().signal) =>
      listener.listen(tenantId, { ...request, ...given }, gone);
    return { listener, listen, asked };
  }

  test('begins at the end of the feed, without a look', async () => {
    const { listen, asked } = world([[weighed]]);
    expect(await listen({ after: null })).toEqual({ secret: expect.any(String), messages: [], next: 'end' });
    expect(asked).toEqual([]);
  });

  test('is signed with a secret of the tenant, which every process derives alike', async () => {
    const { listen, asked } = world([[weighed]]);
    const { secret, messages, next } = await listen({ types: ['parcel.weighed'] });
    expect(asked).toEqual([['tnt_one', { after: 'p0' }, ['parcel.weighed'], 100]]);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const signature = sign(secret ?? '', 'evt_1', T0 / 1000, weighed.body);
    expect(messages).toEqual([{ ...weighed, headers: expect.objectContaining({ 'webhook-id': 'evt_1', 'webhook-signature': signature }) }]);
    expect(messages[0]?.headers).not.toHaveProperty('x-key');
    expect(next).toBe('p1');
    expect((await world([]).listen()).secret).toBe(secret);
    // Listeners have configured it: no release may derive another.
    expect(secret).toMatch(/^whsec_kPgQaOfd/);
    expect((await world([]).listen({}, 'tnt_two')).secret).not.toBe(secret);
    expect((await world([], 'other').listen()).secret).not.toBe(secret);
  });

  test('is what an endpoint would be sent, with its secrets and headers', async () => {
    const { listen } = world([[weighed, changed]]);
    const { secret, messages } = await listen({ endpointId: 'ep_1' });
    expect(secret).toBeNull();
    expect(messages.map(({ eventId }) => eventId)).toEqual(['evt_1']);
    expect(messages[0]?.headers).toMatchObject({ 'x-key': '1' });
    expect(messages[0]?.headers['webhook-signature']).toMatch(/^v1,.+ v1,/);
  });

  test('is nothing when there is no such endpoint', async () => {
    await expect(world([]).listen({ endpointId: 'ep_9' })).rejects.toMatchObject({ code: '40403' });
  });

  test('comes from a later page when nobody wants what is before', async () => {
    const { listen, asked } = world([[changed], [weighed]]);
    const { messages, next } = await listen({ endpointId: 'ep_1', waitMs: 60_000 });
    expect([messages.length, next]).toEqual([1, 'p2']);
    // Only the streams of what the endpoint receives are read.
    expect(asked[1]).toEqual(['tnt_one', { after: 'p1' }, ['parcel.weighed', 'endpoint.disabled'], 100]);
  });

  test('is one look when nobody waits, the caller is gone, or the service ends', async () => {
    const { listen, asked, listener } = world([[], []]);
    expect((await listen()).messages).toEqual([]);
    await listen({ waitMs: 60_000 }, 'tnt_one', AbortSignal.abort());
    listener.endWaiting();
    await listen({ waitMs: 60_000 });
    expect(asked).toHaveLength(3);
  });
});
