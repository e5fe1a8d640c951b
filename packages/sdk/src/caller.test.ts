import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { RetryNotice } from './options.ts';
import { Parcelway } from './parcelway.ts';
import { ParcelwayConnectionError, ParcelwayError } from './parcelway-error.ts';
import { retryAfterOf } from './read-response.ts';
import { waitBefore } from './retry.ts';
import { fail, succeed, useApiServer } from './testing/api-server.ts';

const api = useApiServer(2);

const submission = { po_number: 'P', warehouse_code: 'W', items: [{ sku_code: 'A', product_name_en: 'A', forecast_quantity: 1 }] };

/** The error that a call ends with. */
async function errorOf(call: PromiseLike<unknown>): Promise<ParcelwayError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ParcelwayError)) throw new Error(`The call did not end with a ParcelwayError: ${String(error)}`);
  return error;
}

describe('failures', () => {
  test('have code, status, every field, request id and what to do next in their message', async () => {
    const errors = [
      { field: 'items[0].sku_code', rule: 'required', message: 'items[0].sku_code is required' },
      { field: 'po_number', rule: 'max_length', message: 'po_number is too long' },
    ];
    api.server.respondWith((_req, res) => fail(res, 422, '42201', { data: { errors }, message: 'Field validation failed' }));
    const error = await errorOf(api.parcelway.forecasts.submit(submission));
    expect(error).toMatchObject({ code: '42201', httpStatus: 422, errors, requestId: 'req_1', retryAfter: null, data: { errors } });
    expect(error.message).toBe(
      'Field validation failed (42201, request req_1)\n  - items[0].sku_code is required\n  - po_number is too long',
    );
    expect(api.server.seen).toHaveLength(1);
  });

  test('of a conflict have what the code says more', async () => {
    api.server.respondWith((_req, res) => fail(res, 409, '40901', { data: { fields: ['items'], forecast_no: 'FC1' } }));
    expect(await errorOf(api.parcelway.forecasts.submit(submission))).toMatchObject({
      data: { fields: ['items'], forecast_no: 'FC1' },
      errors: [],
    });
  });

  test.each<[string, number, string]>([
    ['a web page', 200, '<html></html>'],
    ['another JSON', 200, '{"status":"ok"}'],
    ['null', 404, 'null'],
    ['a redirect', 302, ''],
  ])('by something else that responds with %s say so', async (_what, status, body) => {
    api.server.respondWith((_req, res) => void res.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(body));
    const error = await errorOf(api.parcelway.warehouses.list());
    expect([error.code, error.httpStatus]).toEqual(['unexpected_answer', status]);
    expect(error.message).toContain('check baseUrl');
    expect(api.server.seen).toHaveLength(1);
  });
});

describe('another attempt', () => {
  test.each([429, 502, 503, 504])('follows %i when the call may be repeated, and is reported', async (status) => {
    api.server.respondWith((_req, res, nth) =>
      nth === 0 ? fail(res, status, '50301', { headers: { 'retry-after': '0' } }) : succeed(res, { nth }),
    );
    const notices: RetryNotice[] = [];
    let attempts = 0;
    const options = {
      onRetry: (notice: RetryNotice) => void notices.push(notice),
      onResponse: (info: { attempts: number }) => {
        attempts = info.attempts;
      },
    };
    expect(await api.parcelway.forecasts.submit(submission, options)).toEqual({ nth: 1 });
    expect(notices).toMatchObject([{ attempt: 1, error: { httpStatus: status } }]);
    expect(attempts).toBe(2);
    // The same bytes again: the platform recognises the repeat by them.
    expect(api.server.seen[1]?.body.equals(api.server.seen[0]?.body ?? Buffer.alloc(0))).toBe(true);
  });

  test('comes no sooner than Retry-After asks', async () => {
    const arrivals: number[] = [];
    api.server.respondWith((_req, res, nth) => {
      arrivals.push(performance.now());
      if (nth === 0) fail(res, 429, '42901', { headers: { 'retry-after': '1' } });
      else succeed(res, {});
    });
    await api.parcelway.warehouses.list();
    expect((arrivals[1] ?? 0) - (arrivals[0] ?? 0)).toBeGreaterThanOrEqual(999);
  });

  test('is not waited for when Retry-After asks for longer than the call has', async () => {
    api.server.respondWith((_req, res) => fail(res, 429, '42901', { headers: { 'retry-after': '3600' } }));
    expect(await errorOf(api.parcelway.warehouses.list())).toMatchObject({ code: '42901', retryAfter: 3600 });
    expect(api.server.seen).toHaveLength(1);
  });

  test('is the last at some point', async () => {
    api.server.respondWith((_req, res) => fail(res, 503, '50301'));
    expect((await errorOf(api.parcelway.warehouses.list())).code).toBe('50301');
    expect(api.server.seen).toHaveLength(3);
  });

  test('of a call that creates has the key of the first, and every call another', async () => {
    api.server.respondWith((_req, res, nth) => (nth === 0 ? fail(res, 503, '50301') : succeed(res, {})));
    await api.parcelway.sandbox.simulate({ po_number: 'P', step: 'weigh' });
    await api.parcelway.sandbox.simulate({ po_number: 'P', step: 'weigh' });
    const [first, second, third] = api.server.seen.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  test('of a correction has the key and the version of the first', async () => {
    api.server.respondWith((_req, res, nth) => (nth === 0 ? fail(res, 503, '50301') : succeed(res, {})));
    await api.parcelway.forecasts.correct('P', { due_date: null }, { ifVersion: 3 });
    expect(api.server.seen.map(({ headers }) => headers['if-match'])).toEqual(['"3"', '"3"']);
    expect(api.server.seen[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
    expect(api.server.seen[1]?.headers['idempotency-key']).toBe(api.server.seen[0]?.headers['idempotency-key']);
    await api.parcelway.forecasts.correct('P', { due_date: null });
    expect(api.server.seen[2]?.headers).not.toHaveProperty('if-match');
  });

  test('waits for the one before it, which the platform still works on', async () => {
    const data = { header: 'Idempotency-Key' };
    api.server.respondWith((_req, res, nth) =>
      nth === 0 ? fail(res, 409, '40902', { data, headers: { 'retry-after': '0' } }) : succeed(res, {}),
    );
    await api.parcelway.webhookEndpoints.rotateSecret('ep_1');
    expect(api.server.seen).toHaveLength(2);
  });

  test('has the key that the caller gives; a call that the platform knows by itself has none', async () => {
    api.server.respondWith((_req, res) => succeed(res, {}));
    await api.parcelway.webhookEndpoints.create({ url: 'https://a.example/' }, { idempotencyKey: 'mine' });
    await api.parcelway.forecasts.submit(submission);
    await api.parcelway.forecasts.submit(submission, { idempotencyKey: 'mine' });
    expect(api.server.seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', undefined, 'mine']);
    await expect(api.parcelway.warehouses.list({ idempotencyKey: 'mine' })).rejects.toThrow(
      'listWarehouses does not accept an idempotencyKey',
    );
  });

  test('is not made of a deletion, unless it was refused', async () => {
    api.server.respondWith((_req, res) => fail(res, 503, '50301'));
    await errorOf(api.parcelway.webhookEndpoints.delete('ep_1'));
    expect(api.server.seen).toHaveLength(1);
    api.server.respondWith((_req, res, nth) => (nth === 1 ? fail(res, 429, '42901') : succeed(res, {})));
    await api.parcelway.webhookEndpoints.delete('ep_1');
    expect(api.server.seen).toHaveLength(3);
  });

  test('follows a connection that broke, when the call may be repeated', async () => {
    api.server.respondWith((_req, res, nth) => (nth % 2 === 0 ? void res.socket?.destroy() : succeed(res, {})));
    await api.parcelway.forecasts.submit(submission);
    expect(api.server.seen).toHaveLength(2);
    const error = await errorOf(api.parcelway.webhookEndpoints.delete('ep_1'));
    expect([error.code, error.httpStatus, error.isPassing]).toEqual(['connection_lost', null, true]);
    expect(api.server.seen).toHaveLength(3);
  });

  test('follows a platform that is not there yet, whatever the call', async () => {
    const held = createServer();
    const port = await new Promise<number>((resolve) => {
      held.listen(0, '127.0.0.1', () => resolve((held.address() as { port: number }).port));
    });
    await new Promise((resolve) => held.close(resolve));
    const away = new Parcelway({ apiKey: 'k', baseUrl: `http://127.0.0.1:${port}`, maxRetries: 1 });
    const notices: RetryNotice[] = [];
    const error = await errorOf(
      away.webhookEndpoints.create({ url: 'https://a.example/' }, { onRetry: (notice) => void notices.push(notice) }),
    );
    expect(error).toBeInstanceOf(ParcelwayConnectionError);
    expect(error.code).toBe('unreachable');
    expect(error.message).toContain('ECONNREFUSED');
    expect(notices).toHaveLength(1);
    away.close();
  });

  test('waits are bounded, grow, and are never shorter than asked for', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.option(fc.nat(100)),
        (attempt, random, asked) => {
          const error = new ParcelwayError({ code: '50301', message: '', httpStatus: 503, retryAfter: asked });
          const wait = waitBefore(attempt, error, random);
          expect(wait).toBeGreaterThanOrEqual(Math.max(250, (asked ?? 0) * 1000));
          expect(wait).toBeLessThanOrEqual(Math.max(8000, (asked ?? 0) * 1000));
          expect(waitBefore(attempt + 1, error, random)).toBeGreaterThanOrEqual(wait);
        },
      ),
    );
  });

  test.each([
    ['7', 7],
    ['Tue, 24 Nov 2026 01:15:10 GMT', 10],
    ['Tue, 24 Nov 2026 01:14:00 GMT', 0],
    ['soon', null],
    ['', null],
    [undefined, null],
  ])('Retry-After %p is %p seconds', (header, seconds) => {
    expect(retryAfterOf(header, Date.parse('2026-11-24T01:15:00Z'))).toBe(seconds);
  });
});

describe('an end', () => {
  test('comes when the time is up, whatever the platform does', async () => {
    api.server.respondWith(() => undefined);
    const error = await errorOf(api.parcelway.warehouses.list({ timeoutMs: 200 }));
    expect([error.code, error.httpStatus]).toEqual(['timeout', null]);
    expect(error.message).toContain('listWarehouses within 0.2 s');
  });

  test('comes when a response begins and does not go on', async () => {
    api.server.respondWith((_req, res) => void res.writeHead(200, { 'content-length': '100' }).write('{'));
    expect((await errorOf(api.parcelway.warehouses.list({ timeoutMs: 300, maxRetries: 0 }))).code).toBe('timeout');
  });

  test('comes with the signal, with its reason, during a call and during a wait', async () => {
    const controller = new AbortController();
    api.server.respondWith(() => controller.abort(new Error('enough')));
    await expect(api.parcelway.warehouses.list({ signal: controller.signal })).rejects.toThrow('enough');
    const second = new AbortController();
    api.server.respondWith((_req, res) => fail(res, 503, '50301', { headers: { 'retry-after': '20' } }));
    const call = api.parcelway.warehouses.list({ signal: second.signal, onRetry: () => second.abort(new Error('no more')) });
    await expect(call).rejects.toThrow('no more');
    await expect(api.parcelway.warehouses.list({ signal: second.signal })).rejects.toThrow('no more');
    expect(api.server.seen).toHaveLength(2);
  });
});

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
