import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { startGateway, type TestGateway } from '../../testing/harness.ts';
import { openRawClient, type RawClient } from '../../testing/raw-client.ts';

const MB = 1024 * 1024;

let gateway: TestGateway;
const clients: RawClient[] = [];
afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.destroy();
  await gateway[Symbol.asyncDispose]();
});

async function open(): Promise<RawClient> {
  const client = await openRawClient(gateway);
  clients.push(client);
  return client;
}

describe('connections that end early', () => {
  test('a response that breaks off does not look complete', async () => {
    gateway = await startGateway((_req, res) => {
      res.writeHead(200, { 'Content-Type': 'application/pdf', 'Content-Length': String(MB) });
      res.write(Buffer.alloc(200_000, 0x62), () => res.destroy());
    });
    const client = await open();
    client.socket.write('GET /files/a HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => client.closed(), { what: 'the connection is cut' });
    expect(client.received()).toMatch(/^HTTP\/1.1 200/);
    expect(client.received().length).toBeLessThan(MB);
  });

  test('large responses come whole, of known and unknown length', async () => {
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

  test('a response is read no faster than the client takes it', async () => {
    let written = 0;
    gateway = await startGateway((_req, res) => {
      const more = (): void => {
        for (let ready = true; ready && written < 200 * MB; written += MB) ready = res.write(Buffer.alloc(MB));
      };
      res.on('drain', more);
      more();
    });
    const client = await open();
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
    const client = await open();
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
