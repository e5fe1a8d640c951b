import type { RequestListener } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { UnreadClient } from '@parcelway/harness/unread-client';
import type { Logger } from '@parcelway/kernel/logger';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { ends } from '../../testing/ends.ts';
import { startGateway, type TestGateway } from '../../testing/harness.ts';

const MB = 1024 * 1024;
const CONTENT = Buffer.from(Array.from({ length: 9 * MB }, (_, index) => (index * 7 + (index >> 11)) & 0xff));

let gateway: TestGateway;

async function ask(path: string, key?: string): Promise<UnreadClient> {
  const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${key === undefined ? '' : `X-Api-Key: ${key}\r\n`}\r\n`;
  const client = await UnreadClient.open({ port: gateway.port, ca: gateway.tls?.cert ?? null }, head);
  ends.push(() => client.destroy());
  return client;
}

/** A service with one content, as the file service responds, how often it was asked, and how many requests are open at it. */
function fileService(overrides: { readonly rangeOf?: (range: string) => string } = {}) {
  const state = { asked: 0, open: 0, ranges: [] as string[] };
  const listener: RequestListener = (req, res) => {
    state.asked += 1;
    state.open += 1;
    res.once('close', () => {
      state.open -= 1;
    });
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(req.headers.range ?? '') ?? [];
    const [from, to] = [Number(first ?? 0), Number(last || CONTENT.length - 1)];
    if (first !== undefined) state.ranges.push(String(req.headers.range));
    const partial =
      first === undefined ? {} : { 'Content-Range': overrides.rangeOf?.(`${from}-${to}`) ?? `bytes ${from}-${to}/${CONTENT.length}` };
    res.writeHead(first === undefined ? 200 : 206, {
      'Content-Length': to - from + 1,
      'Accept-Ranges': 'bytes',
      'Cache-Control': 'private, max-age=31536000, immutable',
      ...partial,
    });
    res.end(CONTENT.subarray(from, to + 1));
  };
  return { state, listener };
}

describe('a file that is not read', () => {
  test('holds no connection to the service, and arrives whole once it is read', async () => {
    const { state, listener } = fileService();
    gateway = await startGateway(listener);
    const client = await ask('/files/a');
    await until(() => state.asked > 0, { what: 'the service to be asked' });
    await until(() => state.open === 0, { what: 'the connection to the service to be free' });
    const received: Buffer[] = [];
    client.read(Number.POSITIVE_INFINITY, (chunk) => received.push(chunk));
    await until(() => client.closed, { what: 'the end of the response' });
    const text = Buffer.concat(received);
    expect(text.subarray(text.indexOf('\r\n\r\n') + 4).equals(CONTENT)).toBe(true);
    expect(state.ranges.length).toBeGreaterThan(0);
  });

  test('is cut when the service responds with something else than the rest', async () => {
    const { state, listener } = fileService({ rangeOf: () => `bytes 0-${CONTENT.length - 1}/${CONTENT.length}` });
    gateway = await startGateway(listener);
    const client = await ask('/files/a');
    await until(() => state.asked > 0, { what: 'the service to be asked' });
    await until(() => state.open === 0, { what: 'the connection to the service to be free' });
    client.read();
    await until(() => client.closed, { what: 'the end of the connection' });
    expect(client.status).toBe(200);
    expect(client.received).toBeLessThan(CONTENT.length);
  });
});

describe('a response that cannot be requested in parts', () => {
  const json = (bytes: number): string => JSON.stringify({ code: '0', message: 'success', data: 'x'.repeat(bytes) });

  test('is taken from the service before it is read, and arrives whole', async () => {
    const body = json(5 * MB);
    let sent = 0;
    gateway = await startGateway((_req, res) => {
      res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
      res.end(body, () => (sent += 1));
    });
    const { key } = await gateway.issue();
    const some = await Promise.all(['/1', '/2', '/3'].map(() => ask('/open/v1/forecasts', key)));
    await until(() => sent === 3, { what: 'the service to be done with them' });
    for (const client of some) client.read();
    await until(() => some.every(({ closed }) => closed), { what: 'the ends of the responses' });
    for (const { received } of some) expect(received).toBeGreaterThan(body.length);
  });

  test('is cut when its holder leaves too much unread, and logged; others get a response', async () => {
    const body = json(8 * MB);
    const lines: unknown[] = [];
    const logger = { ...silentLogger, warn: (line: unknown) => lines.push(line) } as Logger;
    gateway = await startGateway(
      (req, res) => {
        const text = req.headers['content-length'] === undefined && req.url === '/open/v1/forecasts' ? body : '{"code":"0"}';
        res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': text.length });
        res.end(text);
      },
      { limitRates: false, logger },
    );
    const { key } = await gateway.issue();
    const limited = (): boolean => lines.some((line) => (line as { limit?: string }).limit === 'unread_responses');
    for (let asked = 0; !limited() && asked < 120; asked += 1) await ask('/open/v1/forecasts', key);
    await until(limited, { what: 'the log line' });
    expect(lines).toContainEqual({ limit: 'unread_responses', client: 'tenant tnt_1', times: 1 });
    expect((await gateway.call('/open/v1/warehouses-of-others', { key })).status).toBe(404);
    const warehouse = (await gateway.issue({ holder: { kind: 'warehouse', warehouseCode: 'W1' } })).key;
    const event = await gateway.call('/warehouse/v1/events', { key: warehouse, method: 'POST', body: '{}' });
    expect(event.status).toBe(200);
  });
});
