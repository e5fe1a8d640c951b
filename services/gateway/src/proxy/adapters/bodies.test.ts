import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { connect as connectClear } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { echo, openRawClient, type RawClient, startGateway, type TestGateway, uploadHead } from '../../testing/harness.ts';

const MB = 1024 * 1024;

let gateway: TestGateway;

describe('large responses', () => {
  test('come whole, of known and unknown length', async () => {
    const content = Buffer.alloc(3 * MB, 'abcdefg');
    gateway = await startGateway((req, res) => {
      if (req.url === '/files/known') res.setHeader('Content-Length', content.length);
      for (let offset = 0; offset < content.length; offset += 100_000) res.write(content.subarray(offset, offset + 100_000));
      res.end();
    });
    const known = await gateway.call('/files/known');
    expect(known.headers['content-length']).toBe(String(content.length));
    expect(known.text === content.toString()).toBe(true);
    const unknown = await gateway.call('/files/unknown');
    expect(unknown.headers['transfer-encoding']).toBe('chunked');
    expect(unknown.text === content.toString()).toBe(true);
  });

  test('are read no faster than the client takes them', async () => {
    let written = 0;
    gateway = await startGateway((_req, res) => {
      const more = (): void => {
        for (let ready = true; ready && written < 200 * MB; written += MB) ready = res.write(Buffer.alloc(MB));
      };
      res.on('drain', more);
      more();
    });
    const client = openRawClient(gateway);
    client.socket.write('GET /files/a HTTP/1.1\r\nHost: x\r\n\r\n');
    client.socket.pause();
    let before = -1;
    await until(
      () => {
        const stopped = before === written && written > 0;
        before = written;
        return stopped;
      },
      { what: 'the flow stops' },
    );
    expect(written).toBeLessThan(60 * MB);
  });
});

describe('a response that its service does not want to be collected', () => {
  /** Begins a table, and leaves the rest to the test. */
  async function begin(options: Parameters<typeof startGateway>[1] = {}): Promise<{ client: RawClient; response: ServerResponse }> {
    const responses: ServerResponse[] = [];
    gateway = await startGateway((_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/csv', 'X-Accel-Buffering': 'no' });
      res.write('head');
      responses.push(res);
    }, options);
    const { key } = await gateway.issue();
    const client = openRawClient(gateway);
    client.socket.write(`GET /open/v1/forecasts.csv HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n\r\n`);
    return { client, response: await until(() => responses[0], { what: 'the request' }) };
  }

  test('comes as it is made', async () => {
    const { client, response } = await begin();
    await until(() => client.received().endsWith('4\r\nhead\r\n'), { what: 'the beginning' });
    expect(client.received()).toMatch(/x-accel-buffering: no\r\n/i);
    response.end('row');
    await until(() => client.received().endsWith('3\r\nrow\r\n0\r\n\r\n'), { what: 'the end' });
  });

  test('may pause for longer than the head of a response may take', async () => {
    const { client, response } = await begin({ upstreamTimeoutMs: 100 });
    const pausedAt = performance.now();
    await until(() => performance.now() - pausedAt > 1500, { what: 'a pause' });
    response.end('row');
    await until(() => client.received().endsWith('0\r\n\r\n'), { what: 'the end' });
  });

  test('that breaks off does not look complete, however small it is', async () => {
    const { client, response } = await begin();
    await until(() => client.received().includes('head'), { what: 'the beginning' });
    response.destroy();
    await until(() => client.closed(), { what: 'the connection is cut' });
    expect(client.received()).not.toMatch(/0\r\n\r\n$/);
  });
});

describe('uploads', () => {
  test('that never end hold up neither short requests nor the uploads of others', async () => {
    gateway = await startGateway(echo, { clear: true, limitRates: false });
    const headers = { 'x-forwarded-proto': 'https' };
    const { key } = await gateway.issue();
    const warehouse = (await gateway.issue({ holder: { kind: 'warehouse', warehouseCode: 'W1' } })).key;
    const slow = Array.from({ length: 256 }, () => connectClear(gateway.port, '127.0.0.1'));
    try {
      for (const socket of slow) socket.on('error', () => undefined).write(uploadHead(key, MB, 'X-Forwarded-Proto: https\r\n'));
      const ask = (path: string, key: string, size: number) =>
        gateway.call(path, { method: 'POST', key, headers, body: Buffer.alloc(size, 'x') });
      for (let asked = 1; ; asked += 1) {
        expect(asked).toBeLessThanOrEqual(1000);
        // Each of these passes on or is refused, until all the slow ones have taken their places.
        const more = await ask('/open/v1/files/pdf', key, 100_000);
        if (more.status === 200) continue;
        expect(more).toMatchObject({ status: 429, headers: { 'retry-after': '1' }, json: { code: '42901' } });
        break;
      }
      expect((await ask('/open/v1/files/pdf', key, 1000)).status).toBe(200);
      expect((await ask('/warehouse/v1/photos', warehouse, 100_000)).status).toBe(200);
      for (const socket of slow) socket.destroy();
      // Their places are free again.
      while ((await ask('/open/v1/files/pdf', key, 100_000)).status !== 200);
    } finally {
      for (const socket of slow) socket.destroy();
    }
  });

  test('memory does not grow with a body that nobody reads', async () => {
    let service: IncomingMessage | undefined;
    gateway = await startGateway((req) => {
      service = req;
    });
    const { key } = await gateway.issue();
    const client = openRawClient(gateway);
    const size = 64 * MB;
    client.socket.write(uploadHead(key, size));
    client.socket.write(Buffer.alloc(size));
    await until(() => service !== undefined, { what: 'the service hears of it' });
    let taken = -1;
    await until(
      () => {
        const now = [...gateway.serverSockets].reduce((sum, socket) => sum + socket.bytesRead, 0);
        const stopped = now === taken;
        taken = now;
        return stopped && now > 0;
      },
      { what: 'the flow stops' },
    );
    // What is in flight are socket buffers and high-water marks, far below the body.
    expect(taken).toBeLessThan(24 * MB);
  });

  test('a response before the body has ended reaches the client', async () => {
    const refuse: RequestListener = (req, res) => {
      res.writeHead(422, { 'Content-Type': 'application/json' });
      res.end('{"code":"42206","message":"too large","data":null}');
      req.resume();
    };
    gateway = await startGateway(refuse);
    const { key } = await gateway.issue();
    for (const size of [100_000, 12 * MB]) {
      const response = await gateway.call('/open/v1/files/pdf', { method: 'POST', key, body: Buffer.alloc(size) });
      expect(response).toMatchObject({ status: 422, json: { code: '42206' } });
    }
  });

  test('a refused body that does not arrive in time gets no second response', async () => {
    gateway = await startGateway(echo, { arrivalTimeouts: { headersMs: 500, requestMs: 500 } });
    const client = openRawClient(gateway);
    client.socket.write(uploadHead('nonsense', MB));
    await until(() => client.received().includes('40003'), { what: 'the refusal' });
    await until(() => client.closed(), { what: 'the end' });
    expect(client.received().match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  test('a client that waits for 100 Continue is asked for the body only once it is admitted', async () => {
    gateway = await startGateway((req, res) => {
      req.resume();
      req.on('end', () => res.end('done'));
    });
    const { key } = await gateway.issue();
    const refused = openRawClient(gateway);
    refused.socket.write(uploadHead('nonsense', 5, 'Expect: 100-continue\r\n'));
    await until(() => refused.received().includes('40003'), { what: 'the refusal' });
    expect(refused.received()).not.toContain('100 Continue');
    const admitted = openRawClient(gateway);
    admitted.socket.write(uploadHead(key, 5, 'Expect: 100-continue\r\n'));
    await until(() => admitted.received().includes('100 Continue'), { what: 'the invitation' });
    admitted.socket.write('12345');
    await until(() => admitted.received().includes('done'), { what: 'the response' });
  });
});
