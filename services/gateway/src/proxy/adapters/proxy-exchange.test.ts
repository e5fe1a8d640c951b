import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { ClientLimits } from '@parcelway/http/client-limits';
import { FairShares } from '@parcelway/kernel/fair-shares';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { noTelemetry } from '@parcelway/telemetry/telemetry';
import type { Client } from 'undici';
import { Downloads } from './download.ts';
import { Exchange } from './exchange.ts';
import { ProxyExchange } from './proxy-exchange.ts';
import type { ProxyShares } from './proxy-response.ts';
import { readHead } from './request-head.ts';

let end: () => Promise<unknown> = async () => undefined;
afterEach(() => end());

/** Of a service that is asked for nothing else. */
function shares(): ProxyShares {
  const pool = { capacity: 1, part: 1 };
  return {
    service: 'file',
    readAhead: new FairShares(pool),
    held: new FairShares(pool),
    lagging: new Downloads(1000),
    askForPart: () => undefined,
    fallBack: () => undefined,
  };
}

/** A client's request whose service is played by the test. */
async function startExchange() {
  let proxy: ProxyExchange | undefined;
  let settled = 0;
  let isClosed = false;
  const server = createServer((req, res) => {
    const exchange = new Exchange(req, res, readHead(req), {
      logger: silentLogger,
      accessLog: true,
      telemetry: noTelemetry,
      limits: new ClientLimits(silentLogger, noTelemetry),
      behindProxy: false,
      trustedProxyHops: 1,
      underWay: 0,
      draining: false,
    });
    proxy = new ProxyExchange(exchange, shares(), () => {
      settled += 1;
    });
    res.on('close', () => {
      isClosed = true;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  end = async () => {
    socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += String(chunk);
  });
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => proxy !== undefined, { what: 'the request' });
  return {
    socket,
    proxy: proxy as ProxyExchange,
    received: () => text,
    settled: () => settled,
    closed: () => until(() => isClosed, { what: 'the end of the client' }),
  };
}

test('a response that cannot be written becomes a failure', async () => {
  const { proxy, received } = await startExchange();
  const head = ['X-Broken', 'a\u007fb'].map((text) => Buffer.from(text, 'latin1'));
  proxy.onHeaders(200, head, () => undefined);
  expect(() => proxy.onComplete()).not.toThrow();
  await until(() => received().includes('}'), { what: 'the response' });
  expect(received()).toMatch(/^HTTP\/1\.1 500 /);
  expect(received()).toContain('"code":"50000"');
});

describe('the end of a request whose client has gone away', () => {
  const head = (proxy: ProxyExchange): boolean => proxy.onHeaders(200, [], () => undefined);
  const send = (proxy: ProxyExchange): void => {
    proxy.connection = {} as Client;
  };
  const begin = (proxy: ProxyExchange): void => {
    send(proxy);
    head(proxy);
    proxy.onData(Buffer.from('half'));
  };
  const begun = [
    { when: 'while it waits for a connection', isCut: true, start: () => undefined },
    { when: 'before the service has responded', isCut: false, start: send },
    { when: 'in the middle of the response', isCut: true, start: begin },
  ];
  const ended = [
    { how: 'the response', end: (proxy: ProxyExchange) => proxy.onComplete() },
    { how: 'a failure', end: (proxy: ProxyExchange) => proxy.onError(new Error('cut')) },
  ];

  test.each(begun.flatMap((one) => ended.map((other) => ({ ...one, ...other }))))(
    '$when: the end of the request is reported once, by $how',
    async ({ isCut, start, end }) => {
      const { socket, proxy, settled, closed } = await startExchange();
      let cuts = 0;
      proxy.onConnect(() => {
        cuts += 1;
      });
      start(proxy);
      socket.destroy();
      await closed();
      expect(cuts).toBe(isCut ? 1 : 0);
      expect(settled()).toBe(0);
      if (!isCut) head(proxy);
      end(proxy);
      expect(settled()).toBe(1);
    },
  );
});
