import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { ClientLimits } from '@parcelway/http/client-limits';
import { FairShares, FairTurns } from '@parcelway/kernel/fair-shares';
import { type Logger, silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { noTelemetry } from '@parcelway/telemetry/telemetry';
import type { Client } from 'undici';
import { Downloads } from './download.ts';
import { Exchange } from './exchange.ts';
import { ProxyExchange } from './proxy-exchange.ts';
import { MAX_COLLECTED_BYTES, type ProxyShares } from './proxy-response.ts';
import { readHead } from './request-head.ts';
import { type ReadyResponse, ResponseBatch } from './response-batch.ts';

let end: () => Promise<unknown> = async () => undefined;
afterEach(() => end());

/** Responses wait here until the test writes them. */
class HeldBatch extends ResponseBatch {
  readonly held: ReadyResponse[] = [];
  override add(response: ReadyResponse): void {
    this.held.push(response);
  }
  writeHeld(): void {
    for (const response of this.held) response.write();
  }
}

/** Of a service that is asked for nothing else. */
function sharesOf(batch: ResponseBatch): ProxyShares {
  const pool = { capacity: 1, part: 1 };
  return {
    service: 'file',
    batch,
    readAhead: new FairShares(pool),
    held: new FairShares(pool),
    places: new FairTurns(pool),
    lagging: new Downloads(1000),
    askForPart: () => undefined,
    fallBack: () => undefined,
  };
}

/** A client's request whose service is played by the test. */
async function startExchange(logger: Logger = silentLogger) {
  const batch = new HeldBatch();
  let proxy: ProxyExchange | undefined;
  let settled = 0;
  let isClosed = false;
  const server = createServer((req, res) => {
    const exchange = new Exchange(req, res, readHead(req), {
      logger,
      accessLog: true,
      telemetry: noTelemetry,
      limits: new ClientLimits(logger, noTelemetry),
      behindProxy: false,
      trustedProxyHops: 1,
      underWay: 0,
      draining: false,
    });
    proxy = new ProxyExchange(exchange, sharesOf(batch), () => {
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
    batch,
    received: () => text,
    settled: () => settled,
    closed: () => until(() => isClosed, { what: 'the end of the client' }),
  };
}

function respond(proxy: ProxyExchange, headers: readonly string[] = []): void {
  proxy.onHeaders(
    200,
    headers.map((text) => Buffer.from(text, 'latin1')),
    () => undefined,
  );
  proxy.onData(Buffer.from('whole'));
  proxy.onComplete();
}

describe('a whole response', () => {
  test('is the service’s last word at once, and goes out with its batch', async () => {
    const { proxy, batch, received, settled } = await startExchange();
    respond(proxy);
    expect(settled()).toBe(1);
    expect(batch.held).toHaveLength(1);
    batch.writeHeld();
    await until(() => received().endsWith('whole'), { what: 'the response' });
    expect(received()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(settled()).toBe(1);
  });

  test('that cannot be written becomes a failure', async () => {
    const { proxy, batch, received } = await startExchange();
    respond(proxy, ['X-Broken', 'a\u007fb']);
    expect(() => batch.writeHeld()).not.toThrow();
    await until(() => received().includes('}'), { what: 'the response' });
    expect(received()).toMatch(/^HTTP\/1\.1 500 /);
    expect(received()).toContain('"code":"50000"');
  });

  test('whose client went away before its turn came is not written', async () => {
    const statuses: unknown[] = [];
    const note = (line: unknown): void => {
      statuses.push((line as { status: number }).status);
    };
    const { socket, proxy, batch, settled } = await startExchange({ ...silentLogger, info: note, warn: note } as Logger);
    respond(proxy);
    socket.destroy();
    await once(socket, 'close');
    await until(() => statuses.length > 0, { what: 'the line of the access log' });
    batch.writeHeld();
    expect(statuses).toEqual([499]);
    expect(settled()).toBe(1);
  });
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
    '$when, by $how: is said once, and nothing is written',
    async ({ isCut, start, end }) => {
      const { socket, proxy, batch, settled, closed } = await startExchange();
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
      expect(batch.held).toEqual([]);
    },
  );

  test('of which more than a little comes afterwards is cut', async () => {
    const { socket, proxy, closed } = await startExchange();
    let cuts = 0;
    proxy.onConnect(() => {
      cuts += 1;
    });
    send(proxy);
    socket.destroy();
    await closed();
    head(proxy);
    expect([proxy.onData(Buffer.alloc(MAX_COLLECTED_BYTES)), cuts]).toEqual([true, 0]);
    expect([proxy.onData(Buffer.alloc(1)), cuts]).toEqual([true, 1]);
  });
});

test('responses of one turn are written together and in order; one that becomes ready meanwhile comes with the next', async () => {
  const batch = new ResponseBatch();
  const written: string[] = [];
  const response = (name: string, then?: () => void) => ({
    write: () => {
      written.push(name);
      then?.();
    },
  });
  batch.add(response('first', () => batch.add(response('third'))));
  batch.add(response('second'));
  expect(written).toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(written).toEqual(['first', 'second']);
  await new Promise((resolve) => setImmediate(resolve));
  expect(written).toEqual(['first', 'second', 'third']);
});
