import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { Agent } from 'undici';
import { type CarrierServer, startCarrier } from '../testing/carrier-server.ts';
import { connectSource, MAX_RESPONSE_BYTES, refusalOf, retryAfterOf } from './source-http.ts';
import { SourceRefusal } from './source-refusal.ts';

const NOW = Date.parse('2026-11-26T08:00:00Z');
const DAY = 86_400_000;

describe('Retry-After', () => {
  test.each<[string | string[] | undefined, number | undefined]>([
    ['7', 7000],
    [' 0 ', 0],
    ['0.5', 500],
    ['Thu, 26 Nov 2026 08:01:00 GMT', 60_000],
    ['Thu, 26 Nov 2026 07:00:00 GMT', 0],
    ['999999999999999999999999', DAY],
    ['', undefined],
    ['7s', undefined],
    [undefined, undefined],
    [['7', '8'], undefined],
  ])('%j is %p ms', (text, ms) => {
    expect(retryAfterOf({ 'retry-after': text }, NOW)).toBe(ms);
  });
});

test.each<[number, string]>([
  [401, 'access denied'],
  [402, 'quota used up'],
  [403, 'access denied'],
  [429, 'throttled'],
  [500, 'unavailable'],
  [499, 'wrong response'],
])('the status %i is the refusal %p', (status, reason) => {
  const refusal = refusalOf({ status, headers: { 'retry-after': '3' }, json: { secret: 'of the body' } }, 'GET /x');
  expect(refusal).toMatchObject({ reason, retryAfterMs: 3000, message: `GET /x: the response has the status ${status}` });
});

describe('a call', () => {
  let vendor: CarrierServer;
  let dispatcher: Agent;
  beforeEach(async () => {
    vendor = await startCarrier();
    dispatcher = new Agent({ maxResponseSize: MAX_RESPONSE_BYTES });
  });
  afterEach(async () => {
    await dispatcher.destroy();
    await vendor.close();
  });

  /** Makes one run of the vendor. */
  const runOf = ({ signal = AbortSignal.timeout(20_000), baseUrl = vendor.url, nextCall = async () => undefined } = {}) =>
    connectSource({}, { baseUrl, credentials: {}, dispatcher, nextCall })(signal);
  const call = (given: Parameters<typeof runOf>[0] = {}) => runOf(given).call({ method: 'GET', path: '' });
  const respond = (body: string | Buffer, status = 200, headers: Record<string, string> = {}) =>
    vendor.respondWith((_req, res) => void res.writeHead(status, headers).end(body));

  test('has the status, the headers and the JSON of its response', async () => {
    respond('{"a":[1]}', 201, { 'x-one': '1' });
    expect(await call()).toMatchObject({ status: 201, headers: { 'x-one': '1' }, json: { a: [1] } });
    expect(vendor.requests[0]?.headers).toMatchObject({ accept: 'application/json', 'accept-encoding': 'identity' });
    expect(vendor.requests[0]?.headers['content-type']).toBeUndefined();
  });

  test('knows a page of HTML by the status of an error, and refuses one of a success', async () => {
    respond('<html>', 502);
    expect(await call()).toMatchObject({ status: 502, json: undefined });
    respond(`<html>${'x'.repeat(1000)}`);
    const refusal = await call().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ reason: 'wrong response' });
    expect((refusal as Error).message.length).toBeLessThan(150);
  });

  test('follows no redirect', async () => {
    respond('', 302, { location: 'http://169.254.169.254/' });
    expect(await call()).toMatchObject({ status: 302 });
    expect(vendor.requests).toHaveLength(1);
  });

  test('decompresses nothing', async () => {
    respond(gzipSync('{}'), 200, { 'content-encoding': 'gzip' });
    await expect(call()).rejects.toMatchObject({ reason: 'wrong response', message: expect.stringContaining('compressed') });
    respond('{"still":"works"}', 200, { 'content-encoding': 'identity' });
    expect((await call()).json).toEqual({ still: 'works' });
  });

  test('reads at most 8 MB of a response that has no end', async () => {
    let isClosed = false;
    vendor.respondWith((_req, res) => {
      const write = (): void => {
        while (!res.destroyed && res.write(Buffer.alloc(65_536, ' ')));
      };
      res.on('drain', write).on('close', () => (isClosed = true));
      write();
    });
    await expect(call()).rejects.toMatchObject({ reason: 'wrong response', message: expect.stringContaining('larger than') });
    await until(() => isClosed, { what: 'the end of the connection' });
  });

  test('refuses bytes that are no UTF-8', async () => {
    respond(Buffer.from([0x22, 0xff, 0xfe, 0x22]));
    await expect(call()).rejects.toMatchObject({ reason: 'wrong response' });
  });

  test('that is not responded to within its signal, or is dropped, finds the vendor unavailable', async () => {
    vendor.respondWith(() => undefined);
    await expect(call({ signal: AbortSignal.timeout(30) })).rejects.toMatchObject({ reason: 'unavailable' });
    vendor.respondWith((_req, res) => void res.write('{"a":'));
    await expect(call({ signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ reason: 'unavailable' });
    vendor.respondWith((req) => void req.socket.destroy());
    await expect(call()).rejects.toMatchObject({ reason: 'unavailable' });
    await expect(call({ baseUrl: 'http://127.0.0.1:1/' })).rejects.toMatchObject({
      reason: 'unavailable',
      // A log shows both messages: no text comes twice.
      message: 'The call failed',
      cause: { code: 'ECONNREFUSED', message: expect.stringContaining('ECONNREFUSED') },
    });
  });

  test('the calls of one run wait for their turns, but for the first, and are not made when their turn is refused', async () => {
    const turns: number[] = [];
    const run = runOf({
      async nextCall() {
        turns.push(vendor.requests.length);
        if (turns.length > 2) throw new SourceRefusal('throttled', 'no further call');
      },
    });
    for (let count = 0; count < 3; count += 1) expect(await run.call({ method: 'GET', path: '' })).toMatchObject({ status: 200 });
    expect(turns).toEqual([1, 2]);
    await expect(run.call({ method: 'GET', path: '' })).rejects.toMatchObject({ reason: 'throttled' });
    expect(vendor.requests).toHaveLength(3);
  });
});
