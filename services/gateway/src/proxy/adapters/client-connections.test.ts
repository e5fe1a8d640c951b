import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Logger } from '@parcelway/kernel/logger';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { echo, startGateway, type TestGateway } from '../../testing/harness.ts';
import { MAX_PIPELINED } from './in-turn.ts';

let gateway: TestGateway;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await gateway[Symbol.asyncDispose]();
});

function noting(): { readonly lines: unknown[]; readonly logger: Logger } {
  const lines: unknown[] = [];
  return { lines, logger: { ...silentLogger, warn: (line: unknown) => lines.push(line) } as Logger };
}

async function open(from = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port: gateway.port, host: '127.0.0.1', localAddress: from });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

describe('connections of one address', () => {
  test('are refused beyond the limit, and taken again once one has ended; others are not affected', async () => {
    const { lines, logger } = noting();
    gateway = await startGateway(echo, { maxConnectionsPerAddress: 3, logger });
    const three = [await open(), await open(), await open()];
    const openNow = (): number => [...gateway.serverSockets].filter(({ destroyed }) => !destroyed).length;
    await until(() => openNow() === 3, { what: 'the three' });
    // Whether it hears of its connection before it hears of its end is left to the system.
    const fourth = connect({ port: gateway.port, host: '127.0.0.1' });
    sockets.push(fourth);
    fourth.on('error', () => undefined);
    await until(() => fourth.destroyed, { what: 'the end of the fourth' });
    expect(lines).toEqual([{ limit: 'connections', client: '127.0.0.1', times: 1 }]);
    const other = await open('127.0.0.2');
    await until(() => openNow() === 4, { what: 'the one of another address' });
    expect(other.destroyed).toBe(false);
    three[0]?.destroy();
    const { key } = await gateway.issue();
    const again = await until(() => gateway.call('/open/v1/forecasts', { key }).catch(() => undefined), { what: 'room' });
    expect(again.status).toBe(200);
  });
});

describe('requests on one connection', () => {
  const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: https\r\n${more}\r\n`;

  test('are handled one after the other', async () => {
    const order: string[] = [];
    let underWay = 0;
    let most = 0;
    gateway = await startGateway(
      (req, res) => {
        order.push(String(req.url));
        underWay += 1;
        most = Math.max(most, underWay);
        setImmediate(() => {
          underWay -= 1;
          res.end('ok');
        });
      },
      { clear: true },
    );
    const paths = Array.from({ length: 50 }, (_, index) => `/files/${index}`);
    const text = paths.map((path) => get(path)).join('') + get('/files/last', 'Connection: close\r\n');
    const responses = await gateway.raw(text, { clear: true });
    expect(responses.match(/HTTP\/1\.1 200/g)).toHaveLength(51);
    expect(order).toEqual([...paths, '/files/last']);
    expect(most).toBe(1);
  });

  test('that are too many end it', async () => {
    const { lines, logger } = noting();
    gateway = await startGateway(() => undefined, { clear: true, logger });
    const socket = await open();
    socket.write(get('/files/a').repeat(MAX_PIPELINED + 2));
    socket.resume();
    await until(() => socket.destroyed, { what: 'its end' });
    expect(lines).toEqual([{ limit: 'pipelined_requests', client: expect.stringContaining('127.0.0.1'), times: 1 }]);
  });
});
