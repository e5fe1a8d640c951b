import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { FairShares } from '@parcelway/kernel/fair-shares';
import { until } from '@parcelway/kernel/testing/until';
import type { Telemetry } from '@parcelway/telemetry/telemetry';
import fc from 'fast-check';
import { tenants } from '../../tenants/tenants.ts';
import { sendHead, startGateway, startTelemetry, type TestGateway } from '../../testing/harness.ts';
import { upstreamLimits } from '../domain/client-shares.ts';
import type { GatewayServerOptions } from './gateway-server.ts';

const LIST = 'GET /open/v1/forecasts';
const EXPORT = 'GET /open/v1/forecasts.csv';
const SUBMIT = 'POST /open/v1/forecasts';
const UPLOAD = 'POST /open/v1/files/pdf';
const FAR_MS = 600_000;
const secure = { 'x-forwarded-proto': 'https' };

let gateway: TestGateway;
let telemetry: Telemetry;
let key: string;
/** Requests at the service, without a response. */
let held: ServerResponse[];
/** False while the service responds at once. */
let isHolding: boolean;

/** A gateway before a service that responds when the test does. */
async function startHeld(options: Partial<GatewayServerOptions> & { readonly isLocal: boolean }): Promise<void> {
  held = [];
  isHolding = true;
  telemetry = await startTelemetry();
  const limits = { upstreamTimeoutMs: FAR_MS, upstreamSilenceMs: FAR_MS, limitRates: false };
  gateway = await startGateway(
    (req, res) => {
      req.on('error', () => undefined).resume();
      if (isHolding) held.push(res);
      else res.end('{}');
    },
    { clear: true, telemetry, ...limits, ...options },
  );
  key = (await gateway.issue()).key;
}

/** Sends a request. @param length what Content-Length says @param sent bytes of the body */
function send(line: string, length = 0, sent = 0): Socket {
  const socket = sendHead(gateway, line, key, length > 0 ? `Content-Length: ${length}\r\n` : '');
  socket.write('x'.repeat(sent));
  return socket;
}

/** Places in use at all services. */
async function placesInUse(): Promise<number> {
  const { text } = await telemetry.expose();
  return [...text.matchAll(/^parcelway_upstream_requests\{.*\} (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
}

const untilFree = () => until(async () => (await placesInUse()) === 0, { what: 'all places to be free' });
const untilHeld = (count: number) => until(() => held.length === count, { what: `${count} requests at the service` });

describe.each([
  ['another process', false],
  ['the same process', true],
])('a place at a service of %s', (_where, isLocal) => {
  test('is not taken by a small body before it is complete', async () => {
    await startHeld({ isLocal });
    for (let index = 0; index < 5; index += 1) send(SUBMIT, 100, 2);
    const socket = send(SUBMIT, 100, 99);
    send(LIST);
    await untilHeld(1);
    expect(await placesInUse()).toBe(1);
    const limit = 'parcelway_upstream_requests_limit{service_name="gateway",upstream="forecast",body="small"} 256\n';
    expect((await telemetry.expose()).text).toContain(limit);
    socket.write('x');
    await untilHeld(2);
  });

  test('an upload gives it back when the client disconnects before the end of the body', async () => {
    await startHeld({ isLocal });
    const socket = send(UPLOAD, 1_000_000, 500_000);
    await untilHeld(1);
    socket.destroy();
    await untilFree();
  });

  test('a stream gives it back to other requests', async () => {
    await startHeld({ isLocal });
    const stream = send(LIST);
    await untilHeld(1);
    held[0]?.write(Buffer.alloc(2 * upstreamLimits.smallBodyBytes));
    await untilFree();
    stream.destroy();
    await until(() => held[0]?.destroyed, { what: 'the service to see that the client has disconnected' });
  });

  test('is kept after the client has disconnected, until the service responds', async () => {
    await startHeld({ isLocal });
    const socket = send(LIST);
    await untilHeld(1);
    socket.destroy();
    await until(() => [...gateway.serverSockets].every(({ destroyed }) => destroyed), { what: 'the end of the connection' });
    expect(await placesInUse()).toBe(1);
    held[0]?.end('{}');
    await untilFree();
  });

  test('ends with 50301 when the service does not respond in time, also after the client has disconnected', async () => {
    await startHeld({ isLocal, upstreamTimeoutMs: 300 });
    const socket = send(LIST);
    await untilHeld(1);
    socket.destroy();
    const { status, json, headers } = await gateway.call('/open/v1/forecasts', { key, headers: secure });
    expect([status, json.code, headers['retry-after']]).toEqual([503, '50301', '1']);
    await untilFree();
  });

  test('is never lost, whatever services and clients do', async () => {
    await startHeld({ isLocal });
    const actions = ['list', 'submit', 'part of a body', 'upload', 'respond', 'stream', 'cut', 'disconnect'] as const;
    const step = fc.record({ does: fc.constantFrom(...actions), which: fc.nat() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
        isHolding = true;
        const sockets: Socket[] = [];
        for (const { does, which } of steps) {
          const res = held[which % held.length];
          if (does === 'list') sockets.push(send(LIST));
          else if (does === 'submit') sockets.push(send(SUBMIT, 100, 100));
          else if (does === 'part of a body') sockets.push(send(SUBMIT, 100, which % 100));
          else if (does === 'upload') sockets.push(send(UPLOAD, 100_000, which % 100_000));
          else if (does === 'disconnect') sockets[which % sockets.length]?.destroy();
          else if (does === 'respond') res?.end('{}');
          else if (does === 'stream') res?.write(Buffer.alloc(100_000));
          else res?.destroy();
          await new Promise(setImmediate);
        }
        for (const socket of sockets) socket.destroy();
        isHolding = false;
        for (const res of held.splice(0)) res.end('{}');
        await untilFree();
        // Responses that were cut may have opened the circuit.
        const isServed = async () => (await gateway.call('/open/v1/forecasts', { key, headers: secure })).status === 200;
        await until(isServed, { what: 'a place' });
      }),
      { numRuns: 10, endOnFailure: true },
    );
  }, 120_000);
});

test('requests that wait for a silent service fail when one at the service does', async () => {
  await startHeld({ isLocal: false, upstreamSilenceMs: 300 });
  await gateway.stores.store.apply([{ in: tenants, insert: { tenantId: 'tnt_2', name: 'Other', status: 'active', createdAt: 0 } }]);
  const other = await gateway.issue({ holder: { kind: 'tenant', tenantId: 'tnt_2' } });
  const list = async (by: string) => (await gateway.call('/open/v1/forecasts', { key: by, headers: secure })).status;
  const share = FairShares.mostOf(upstreamLimits.connections);
  // A silence says little on this route, so these keep their places.
  for (let count = 0; count < share; count += 1) send(EXPORT);
  await untilHeld(share);
  const ended: number[] = [];
  for (let count = 0; count < 10; count += 1) void list(key).then((status) => ended.push(status));
  await until(async () => (await list(other.key)) === 503 && ended.length === 10, { what: 'the requests that wait to fail' });
  expect(new Set(ended)).toEqual(new Set([503]));
});

test('a gateway is idle when the services of its process have responded to all requests', async () => {
  await startHeld({ isLocal: true });
  const socket = send(LIST);
  await untilHeld(1);
  socket.destroy();
  let isIdle = false;
  const idle = gateway.gateway.idle().then(() => {
    isIdle = true;
  });
  await until(() => [...gateway.serverSockets].every(({ destroyed }) => destroyed), { what: 'the end of the connection' });
  expect(isIdle).toBe(false);
  held[0]?.end('{}');
  await idle;
});
