import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { fail, useApiServer } from './testing/api-server.ts';

const api = useApiServer(1);

/** Begins a table and leaves the rest to the test. */
function begin(): Promise<ServerResponse> {
  return new Promise((resolve) => {
    api.server.respondWith((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/csv', 'x-request-id': 'req_1' });
      res.write('head\r\n');
      resolve(res);
    });
  });
}

describe('a table', () => {
  test('comes as it is made', async () => {
    const begun = begin();
    let attempts = 0;
    const stream = await api.parcelway.forecasts.exportCsv({}, { onResponse: (info) => (attempts = info.attempts) });
    expect(api.server.seen[0]?.headers).toMatchObject({ accept: 'text/csv', 'x-api-key': 'pf_test_key' });
    const [first] = (await once(stream, 'data')) as [Buffer];
    expect([first.toString(), attempts]).toEqual(['head\r\n', 1]);
    (await begun).end('row\r\n');
    expect(await text(stream)).toBe('row\r\n');
  });

  test('that has begun is no matter of the deadline of the call', async () => {
    api.server.respondWith((_req, res) => {
      res.writeHead(200).write('head\r\n');
      setTimeout(() => res.end('row\r\n'), 1500);
    });
    expect(await text(await api.parcelway.forecasts.exportCsv({}, { timeoutMs: 1000 }))).toBe('head\r\nrow\r\n');
  });

  test('is asked for again until it begins', async () => {
    api.server.respondWith((_req, res, nth) => {
      if (nth === 0) fail(res, 503, '50301', { headers: { 'retry-after': '0' } });
      else res.writeHead(200).end('table');
    });
    expect(await text(await api.parcelway.forecasts.exportCsv())).toBe('table');
  });

  test('that is refused has its code', async () => {
    api.server.respondWith((_req, res) => fail(res, 422, '42201', { data: { errors: [] } }));
    await expect(api.parcelway.forecasts.exportCsv({ status: 1 })).rejects.toMatchObject({ code: '42201', requestId: 'req_1' });
  });

  test('whose connection breaks does not look complete', async () => {
    const begun = begin();
    const stream = await api.parcelway.forecasts.exportCsv();
    const read = text(stream);
    (await begun).destroy();
    await expect(read).rejects.toMatchObject({ name: 'ParcelwayConnectionError', code: 'connection_lost' });
  });

  test('ends with the reason of the signal', async () => {
    void begin();
    const stop = new AbortController();
    const stream = await api.parcelway.forecasts.exportCsv({}, { signal: stop.signal });
    const read = text(stream);
    stop.abort(new Error('enough'));
    await expect(read).rejects.toThrow('enough');
  });

  test.each(['before', 'after'])('that is left %s its first bytes were read ends its connection', async (when) => {
    const begun = begin();
    const stream = await api.parcelway.forecasts.exportCsv();
    const res = await begun;
    if (when === 'after') await once(stream, 'data');
    const closed = once(res, 'close');
    stream.destroy();
    await closed;
    expect(res.writableFinished).toBe(false);
  });
});
