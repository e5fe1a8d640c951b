import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { openTelemetry, type Telemetry } from '@parcelway/telemetry/telemetry';
import express from 'express';
import { request } from 'undici';
import { traceparentOf } from './follow-request.ts';
import { createServiceServer, drainServer, listen } from './server.ts';

let telemetry: Telemetry;
let server: Server;
let origin: string;
let given: string | undefined;

beforeEach(async () => {
  telemetry = await openTelemetry({ version: '1', logger: silentLogger });
  const app = express();
  app.get('/things/:thing_no', (req, res) => {
    given = traceparentOf(req);
    res.status(req.params['thing_no'] === 'bad' ? 500 : 200).end('ok');
  });
  app.get('/silence', () => undefined);
  server = createServiceServer(app, async () => undefined, telemetry.of('forecast'));
  await listen(server, '127.0.0.1', 0);
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await drainServer(server, 200);
  await telemetry.close();
});

async function ask(path: string, method = 'GET', headers: Record<string, string> = {}): Promise<void> {
  const response = await request(`${origin}${path}`, { method: method as 'GET', headers });
  await response.body.dump();
}

async function countOf(route: string, status: number, method = 'GET'): Promise<string | undefined> {
  const { text } = await telemetry.expose();
  const labels = `service_name="forecast",http_request_method="${method}",http_route="${route}",http_response_status_code="${status}"`;
  return text
    .split('\n')
    .find((line) => line.startsWith(`http_server_request_duration_seconds_count{${labels}}`))
    ?.split(' ')
    .at(-1);
}

test('requests count by the template of their route, never by the path', async () => {
  await ask('/things/1');
  await ask('/things/2');
  await ask('/things/bad');
  expect(await countOf('/things/{thing_no}', 200)).toBe('2');
  expect(await countOf('/things/{thing_no}', 500)).toBe('1');
  expect((await telemetry.expose()).text).not.toContain('/things/1');
});

test('what matches no route, and methods that nobody knows, are one each', async () => {
  await ask('/elsewhere');
  await ask('/elsewhere', 'PURGE');
  expect(await countOf('none', 404)).toBe('1');
  expect(await countOf('none', 404, '_OTHER')).toBe('1');
});

test('probes do not count', async () => {
  await ask('/readyz');
  await ask('/healthz');
  expect((await telemetry.expose()).text).not.toContain('http_server_request_duration_seconds_count{');
});

test('a handler passes on the trace of its caller', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await ask('/things/1', 'GET', { traceparent });
  expect(given).toBe(traceparent);
});

test('a request whose caller goes away before its response is no success', async () => {
  const gone = new AbortController();
  const asked = request(`${origin}/silence`, { signal: gone.signal }).catch(() => undefined);
  await until(async () => (await telemetry.expose()).text.includes('http_server_active_requests{service_name="forecast"} 1\n'));
  gone.abort();
  await asked;
  await until(async () => (await countOf('/silence', 499)) === '1');
  expect(await countOf('/silence', 200)).toBeUndefined();
});
