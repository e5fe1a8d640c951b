import { describe, expect, test } from '@jest/globals';
import { fail, succeed, useApiServer } from './testing/api-server.ts';

const api = useApiServer(0);

const weighed = (event_id: string) => ({ type: 'parcel.weighed', timestamp: '2026-11-24T01:15:03Z', data: { event_id } });
const queryOf = (url: string | undefined) => Object.fromEntries(new URL(url ?? '', 'http://x').searchParams);

describe('the feed', () => {
  /** Ten events in pages of four; what comes later is appended. */
  function serve(count = 10): { events: unknown[]; away: boolean } {
    const state = { events: Array.from({ length: count }, (_, index) => weighed(`evt_${index}`)) as unknown[], away: false };
    api.server.respondWith((req, res) => {
      if (state.away) return fail(res, 503, '50301', { headers: { 'retry-after': '0' } });
      const from = Number(queryOf(req.url)['after'] ?? '0');
      const events = state.events.slice(from, from + 4);
      succeed(res, { events, next_cursor: String(from + events.length), has_more: from + events.length < state.events.length });
    });
    return state;
  }

  test('ends with the newest event, and its cursor leads on from there', async () => {
    const state = serve();
    const feed = api.parcelway.events.list({ since: '2026-11-01T00:00:00Z' });
    const seen: string[] = [];
    for await (const event of feed) seen.push(event.data.event_id);
    expect(seen).toHaveLength(10);
    expect(queryOf(api.server.seen[0]?.url)).toEqual({ since: '2026-11-01T00:00:00Z' });
    expect(queryOf(api.server.seen[1]?.url)).toEqual({ after: '4' });
    expect(feed.cursor).toBe('10');
    state.events.push(weighed('evt_10'));
    const page = await api.parcelway.events.list({ after: feed.cursor ?? '' });
    expect(page.events.map((event) => event.data.event_id)).toEqual(['evt_10']);
  });

  test('does not move its cursor past a page that is not processed', async () => {
    serve();
    const feed = api.parcelway.events.list();
    for await (const event of feed) if (event.data.event_id === 'evt_5') break;
    expect(feed.cursor).toBe('4');
  });

  test('is followed through silence and outages until the signal', async () => {
    const state = serve(3);
    const controller = new AbortController();
    const seen: string[] = [];
    let outages = 0;
    const options = {
      signal: controller.signal,
      onRetry: () => {
        outages += 1;
        state.away = false;
      },
    };
    const follow = async (): Promise<void> => {
      for await (const event of api.parcelway.events.list({ follow: true, pollMs: 100 }, options)) {
        seen.push(event.data.event_id);
        if (event.data.event_id === 'evt_2') {
          // Nothing more for now; then the platform is away; then there is more.
          state.away = true;
          state.events.push(weighed('evt_3'));
        }
        if (event.data.event_id === 'evt_3') controller.abort(new Error('enough'));
      }
    };
    await expect(follow()).rejects.toThrow('enough');
    expect(seen).toEqual(['evt_0', 'evt_1', 'evt_2', 'evt_3']);
    expect(outages).toBe(1);
  });

  test('fails after an outage that does not end, and at once after a refusal', async () => {
    const state = serve(0);
    state.away = true;
    const walk = async (): Promise<void> => {
      for await (const _ of api.parcelway.events.list({ follow: true, maxOutageMs: 600 }));
    };
    await expect(walk()).rejects.toMatchObject({ code: '50301' });
    api.server.respondWith((_req, res) => fail(res, 401, '40003'));
    const before = api.server.seen.length;
    await expect(walk()).rejects.toMatchObject({ code: '40003' });
    expect(api.server.seen.length - before).toBe(1);
  });
});
