import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { openTelemetry, type Telemetry } from '@parcelway/telemetry/telemetry';
import { startGateway, type TestGateway } from '../../testing/harness.ts';

const WAITING = 5;
const SIZE = 1_000_000;

describe('large bodies that wait for their turn at a service', () => {
  let telemetry: Telemetry;
  let gateway: TestGateway;
  let keys: readonly string[];
  let reached: number;
  const sockets: Socket[] = [];

  const start = async (upstreamTimeoutMs: number): Promise<void> => {
    reached = 0;
    gateway = await startGateway(
      (req) => {
        reached += 1;
        req.on('error', () => undefined).resume();
      },
      { clear: true, limitRates: false, telemetry, upstreamTimeoutMs },
    );
    await gateway.stores.tenants.add({ id: 'tnt_2', name: 'Other', status: 'active', createdAt: Date.now() });
    const issued = ['tnt_1', 'tnt_2'].map((tenantId) => gateway.issue({ holder: { kind: 'tenant', tenantId } }));
    keys = (await Promise.all(issued)).map(({ key }) => key);
  };

  beforeEach(async () => {
    telemetry = await openTelemetry({ version: '1', logger: silentLogger, freshMs: 5 });
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await gateway[Symbol.asyncDispose]();
    await telemetry.close();
  });

  /** Begins a request whose body does not come whole. */
  const begin = (key: string | undefined): Socket => {
    const socket = connect(gateway.port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    const head = `POST /open/v1/forecasts HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: https\r\nX-Api-Key: ${key}\r\nContent-Length: ${SIZE}\r\n\r\n`;
    socket.write(`${head}{`);
    return socket;
  };
  const underWay = (count: number) => async () =>
    (await telemetry.expose()).text.includes(`http_server_active_requests{service_name="gateway"} ${count}\n`);

  /** Both tenants have their places taken; further requests of one of them wait. */
  const fill = async (): Promise<readonly Socket[]> => {
    for (const [index, key] of keys.entries()) {
      begin(key);
      await until(() => reached === index + 1, { what: 'one of each at the service' });
    }
    const waiting = Array.from({ length: WAITING }, () => begin(keys[0]));
    await until(underWay(2 + WAITING), { what: 'those that wait' });
    return waiting;
  };

  test('end with their clients, and harm nobody', async () => {
    await start(30_000);
    for (const socket of await fill()) socket.destroy();
    await until(underWay(2), { what: 'their ends' });
    expect((await gateway.call('/open/v1/nothing', { headers: { 'x-forwarded-proto': 'https' } })).status).toBe(404);
    expect(reached).toBeLessThan(2 + WAITING);
  });

  test('are read and thrown away when their turn does not come, so that their clients see it', async () => {
    await start(300);
    const [socket] = await fill();
    let response = '';
    socket?.on('data', (chunk) => {
      response += String(chunk);
    });
    await until(() => response.includes('50301'), { what: 'the refusal' });
    const before = [...gateway.serverSockets].reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    socket?.write(Buffer.alloc(SIZE - 1));
    const read = (): number => [...gateway.serverSockets].reduce((sum, { bytesRead }) => sum + bytesRead, 0) - before;
    await until(() => read() >= SIZE - 1, { what: 'the rest of the body' });
  });
});
