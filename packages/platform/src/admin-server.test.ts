import { get } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { silentLogger } from '@parcelway/kernel/logger';
import { openTelemetry, type Telemetry } from '@parcelway/telemetry/telemetry';
import { AdminServer } from './admin-server.ts';

let telemetry: Telemetry;
let server: AdminServer;
let isReady: () => Promise<void>;

beforeEach(async () => {
  telemetry = await openTelemetry({ version: '1', logger: silentLogger, freshMs: 5 });
  server = await AdminServer.open({ host: '127.0.0.1', port: 0 }, telemetry);
  isReady = async () => undefined;
  server.watch('forecast', () => isReady());
});
afterEach(async () => {
  await server.close();
  await telemetry.close();
});

async function ask(path: string): Promise<{ status: number; text: string; type: string | null }> {
  const response = await fetch(`${server.url}${path}`);
  return { status: response.status, text: await response.text(), type: response.headers.get('content-type') };
}

const statuses = async () => ({
  live: (await ask('/livez')).status,
  started: (await ask('/startupz')).status,
  ready: (await ask('/readyz')).status,
});

describe('the probes', () => {
  test('of a process that starts: alive, and neither started nor ready', async () => {
    expect(await statuses()).toEqual({ live: 200, started: 503, ready: 503 });
    expect((await ask('/startupz')).text).toContain('waits for its stores');
  });

  test('of one whose store is out: alive and started, not ready, and why', async () => {
    server.started();
    isReady = async () => {
      throw AppError.unavailable('The store does not respond');
    };
    expect(await statuses()).toEqual({ live: 200, started: 200, ready: 503 });
    expect(JSON.parse((await ask('/readyz')).text)).toMatchObject({
      code: '50301',
      message: 'The forecast service is not ready: The store does not respond',
    });
  });

  test('of one whose service fails in an unknown way: not ready, without the text of the failure', async () => {
    server.started();
    isReady = async () => {
      throw new Error('password hunter2');
    };
    const response = await ask('/readyz');
    expect(response.status).toBe(503);
    expect(response.text).not.toContain('hunter2');
  });

  test('of one that stops: alive and started, not ready', async () => {
    server.started();
    server.stopping();
    expect(await statuses()).toEqual({ live: 200, started: 200, ready: 503 });
    // A start that ends during the stop does not make it ready again.
    server.started();
    expect((await statuses()).ready).toBe(503);
  });
});

test('readiness is in the metrics from the start, and follows what the process does at once', async () => {
  await server.close();
  await telemetry.close();
  // It is read once, by the first request.
  telemetry = await openTelemetry({ version: '1', logger: silentLogger, freshMs: 3_600_000 });
  server = await AdminServer.open({ host: '127.0.0.1', port: 0 }, telemetry);
  server.watch('forecast', () => isReady());
  const metric = async () => /^parcelway_ready\{service_name="forecast"\} (.+)$/m.exec((await ask('/metrics')).text)?.[1];
  expect(await metric()).toBe('0');
  server.started();
  expect(await metric()).toBe('1');
  server.stopping();
  expect(await metric()).toBe('0');
});

describe('everything else', () => {
  test('goes to what is mounted, which a drain lets finish; probes get a response all the while', async () => {
    let finish = (): void => undefined;
    let arrived = (): void => undefined;
    const came = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    server.mount((_req, res) => {
      finish = () => res.end('done');
      arrived();
    });
    const running = ask('/admin/v1/tenants');
    await came;
    let drained = false;
    const drain = server.drain(5000).then(() => {
      drained = true;
    });
    expect((await ask('/admin/v1/tenants')).status).toBe(503);
    expect((await ask('/livez')).status).toBe(200);
    expect(drained).toBe(false);
    finish();
    expect(await running).toMatchObject({ status: 200, text: 'done' });
    await drain;
  });

  test('that does not finish is not waited for longer than the deadline', async () => {
    const came = new Promise<void>((resolve) => server.mount(() => resolve()));
    const running = ask('/slow').catch(() => 'cut');
    await came;
    await server.drain(20);
    await server.close();
    expect(await running).toBe('cut');
    server = await AdminServer.open({ host: '127.0.0.1', port: 0 }, telemetry);
  });
});

test('a port that is taken is named', async () => {
  const { port } = new URL(server.url);
  await expect(AdminServer.open({ host: '127.0.0.1', port: Number(port) }, telemetry)).rejects.toThrow(
    `Cannot listen on 127.0.0.1:${port} (EADDRINUSE): another program listens there. Stop it, or choose another port with ADMIN_PORT`,
  );
});

describe('a request that names a host', () => {
  const statusOf = (host: string, path: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const sent = get(`${server.url}${path}`, { headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject);
    });

  test.each([
    ['127.0.0.1:8444', 200],
    ['10.0.0.7', 200],
    ['[::1]:8444', 200],
    ['localhost:8444', 200],
    ['LOCALHOST', 200],
    ['Admin.Example.Internal:9443', 200],
    ['evil.example', 421],
    ['evil.example:8444', 421],
    ['localhost.evil.example', 421],
    ['127.0.0.1.evil.example', 421],
    ['evil.example:127.0.0.1', 421],
  ])('%s gets %s, at every path', async (host, status) => {
    await server.close();
    server = await AdminServer.open({ host: '127.0.0.1', port: 0, allowedHosts: ['admin.example.internal'] }, telemetry);
    server.mount((_req, res) => void res.end());
    for (const path of ['/livez', '/metrics', '/operator', '/admin/v1/tenants']) expect(await statusOf(host, path)).toBe(status);
  });
});
