import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { createListener } from './listen.ts';
import type { EventFeed } from './ports.ts';

const forever = { after: 'begin', endpointId: null, types: null, waitMs: 10_000 };

/** A listener on a feed that answers at once, and has always more of what nobody wants to hear. */
function listenerOn(looked: { pages: number }) {
  const feed: EventFeed = {
    async page() {
      looked.pages += 1;
      return { events: [], next: String(looked.pages), more: true };
    },
    end: async () => '0',
  };
  const endpoints = { get: async () => undefined };
  return createListener({ feed, endpoints, sign: () => 'v1,x', clock: new ManualClock(0), masterSecret: 'x' });
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
      if (tenant === 0) expect(await codeOf(listener.listen('tnt_0', forever, ended))).toBe('42901');
      if (tenant === 0) expect(await codeOf(listener.listen('tnt_other', forever, ended))).toBeUndefined();
    }
    expect(await codeOf(listener.listen('tnt_other', forever, ended))).toBe('50301');
    gone.abort();
    await Promise.all(waiting);
    expect(await codeOf(listener.listen('tnt_0', forever, ended))).toBeUndefined();
    expect(await codeOf(listener.listen('tnt_other', forever, ended))).toBeUndefined();
  });
});
