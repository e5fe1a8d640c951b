import { describe, expect, test } from '@jest/globals';
import { acceptedForecasts, batchOf, failedForecasts, validatedForecasts } from './batch.ts';
import type { ForecastBatchResult, ForecastBatchResults } from './generated/types.ts';
import { fail, succeed, useApiServer } from './testing/api-server.ts';

const api = useApiServer(0);

const queryOf = (url: string | undefined) => Object.fromEntries(new URL(url ?? '', 'http://x').searchParams);

describe('a list', () => {
  /** Three pages of two. */
  const serve = (): void =>
    api.server.respondWith((req, res) => {
      const page = Number(queryOf(req.url)['cursor'] ?? '0');
      const forecasts = [1, 2].map((index) => ({ po_number: `P${page * 2 + index}` }));
      succeed(res, { forecasts, next_cursor: page === 2 ? null : String(page + 1) });
    });

  test('is its first page when it is awaited', async () => {
    serve();
    const page = await api.parcelway.forecasts.list({ limit: 2 });
    expect(page).toEqual({ forecasts: [{ po_number: 'P1' }, { po_number: 'P2' }], next_cursor: '1' });
    expect(api.server.seen).toHaveLength(1);
  });

  test('is all its items in a loop, with the filters on every page', async () => {
    serve();
    const found: string[] = [];
    for await (const { po_number } of api.parcelway.forecasts.list({ status: 3, limit: 2 })) found.push(po_number);
    expect(found).toEqual(['P1', 'P2', 'P3', 'P4', 'P5', 'P6']);
    expect(api.server.seen.map(({ url }) => queryOf(url))).toEqual([
      { status: '3', limit: '2' },
      { status: '3', limit: '2', cursor: '1' },
      { status: '3', limit: '2', cursor: '2' },
    ]);
  });

  test('asks for no page that is not needed', async () => {
    serve();
    for await (const { po_number } of api.parcelway.forecasts.list()) if (po_number === 'P2') break;
    expect(api.server.seen).toHaveLength(1);
  });

  test('can be gone through more than once', async () => {
    serve();
    const list = api.parcelway.forecasts.list();
    const count = async (): Promise<number> => {
      let pages = 0;
      for await (const page of list.pages()) pages += page.forecasts.length;
      return pages;
    };
    expect([await count(), await count()]).toEqual([6, 6]);
  });

  test('that leads back to itself ends with an error instead of never', async () => {
    api.server.respondWith((_req, res) => succeed(res, { deliveries: [{}], next_cursor: 'same' }));
    const walk = async (): Promise<void> => {
      for await (const _ of api.parcelway.deliveries.list('ep_1'));
    };
    await expect(walk()).rejects.toThrow('same cursor again');
  });

  test('rejects as a call does', async () => {
    api.server.respondWith((_req, res) => fail(res, 401, '40003'));
    await expect(api.parcelway.forecasts.list()).rejects.toMatchObject({ code: '40003' });
  });
});

const forecast = { po_number: 'PO-1', warehouse_code: 'SZ01', items: [] };

const fault = { field: 'items', rule: 'min_items', message: 'items must have at least 1 item' };

const acceptance = {
  forecast_no: 'FC1',
  po_number: 'PO-1',
  item_count: 1,
  status: 'ACCEPTED',
  create_time: '2026-11-21T08:00:00Z',
  warnings: [],
} as const;

const resultsOf = (...results: Omit<ForecastBatchResult, 'index'>[]): ForecastBatchResults => ({
  results: results.map((result, index) => ({ index, ...result })),
  accepted: 0,
  failed: 0,
  warnings: [],
});

const mixed = resultsOf(
  { code: '42201', message: 'Field validation failed', data: { errors: [fault] } },
  { code: '0', message: 'success', data: { ...acceptance, replayed: true } },
  { code: '50000', message: 'Internal error', data: null },
);

test('a batch is made of a list, and a body is sent as it is', () => {
  expect(batchOf([forecast])).toEqual({ forecasts: [forecast] });
  const body = { forecasts: [forecast] };
  expect(batchOf(body)).toBe(body);
});

test('the accepted and the failed forecasts of a batch are distinguished', () => {
  expect(acceptedForecasts(mixed)).toEqual([{ ...acceptance, replayed: true }]);
  expect(failedForecasts(mixed)).toEqual([
    { index: 0, code: '42201', message: 'Field validation failed', errors: [fault], data: { errors: [fault] } },
    { index: 2, code: '50000', message: 'Internal error', errors: [], data: {} },
  ]);
  expect(validatedForecasts(mixed)).toEqual([null, null, null]);
});

test('the results of a validation are validations, and nothing is accepted', () => {
  const validation = { valid: false, existing_forecast_no: null, errors: [{ code: '42201', ...fault }], warnings: [] };
  const validated = resultsOf({ code: '0', message: 'success', data: validation }, { code: '50301', message: 'Busy', data: null });
  expect(validatedForecasts(validated)).toEqual([validation, null]);
  expect(acceptedForecasts(validated)).toEqual([]);
  expect(failedForecasts(validated).map(({ code }) => code)).toEqual(['50301']);
});

const weighed = (event_id: string) => ({ type: 'parcel.weighed', timestamp: '2026-11-24T01:15:03Z', data: { event_id } });

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
