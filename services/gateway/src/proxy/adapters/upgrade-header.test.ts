import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { echo, startGateway, type TestGateway } from '../../testing/harness.ts';

let gateway: TestGateway;
afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
});

describe('a request with Upgrade', () => {
  const next = 'GET /files/next HTTP/1.1\r\nHost: x\r\n\r\n';
  const upgrade = (protocol: string): string => `Host: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n`;
  const seen: string[] = [];
  beforeEach(async () => {
    seen.length = 0;
    gateway = await startGateway((req, res) => {
      seen.push(req.url as string);
      echo(req, res);
    });
  });

  test.each(['h2c', 'websocket', 'TLS/1.0, anything'])('to %s is handled as if it had none, and ends its connection', async (protocol) => {
    const response = await gateway.raw(`GET /files/a HTTP/1.1\r\n${upgrade(protocol)}\r\n${next}`);
    expect(response.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
    expect(response).toMatch(/Connection: close/i);
    expect(seen).toEqual(['/files/a']);
  });

  test('has its body read as one, known or unknown in length', async () => {
    const { key } = await gateway.issue();
    const head = `POST /open/v1/forecasts HTTP/1.1\r\n${upgrade('h2c')}X-Api-Key: ${key}\r\n`;
    const known = await gateway.raw(`${head}Content-Length: ${next.length}\r\n\r\n${next}`);
    expect(known).toContain(JSON.stringify(next));
    const chunked = await gateway.raw(`${head}Transfer-Encoding: chunked\r\n\r\n${next.length.toString(16)}\r\n${next}\r\n0\r\n\r\n`);
    expect(chunked).toContain(JSON.stringify(next));
    expect(seen).toEqual(['/open/v1/forecasts', '/open/v1/forecasts']);
  });

  test('is the last of its connection: the body of a request that was lost with it is none', async () => {
    const lost = `POST /open/v1/forecasts HTTP/1.1\r\nHost: x\r\nContent-Length: ${next.length}\r\n\r\n`;
    const socket = connect({ port: gateway.port, host: '127.0.0.1', servername: 'localhost', ca: gateway.tls?.cert });
    const closed = once(socket.resume(), 'close');
    // The second write comes while the first request waits for its service.
    gateway.upstream.once('request', () => socket.write(next));
    socket.write(`GET /files/a HTTP/1.1\r\n${upgrade('h2c')}\r\n${lost}`);
    await closed;
    expect(seen).toEqual(['/files/a']);
  });
});
