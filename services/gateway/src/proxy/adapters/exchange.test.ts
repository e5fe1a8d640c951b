import { once } from 'node:events';
import { beforeEach, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import type { Telemetry } from '@parcelway/telemetry/telemetry';
import { dial, echo, startGateway, startTelemetry, type TestGateway } from '../../testing/harness.ts';

const GONE =
  'http_server_request_duration_seconds_count{service_name="gateway",http_request_method="POST",http_route="/open/v1/forecasts",';

let telemetry: Telemetry;
let gateway: TestGateway;
beforeEach(async () => {
  telemetry = await startTelemetry();
});

async function has(line: string): Promise<boolean> {
  return (await telemetry.expose()).text.includes(line);
}

/** Begins a request with a body and goes away once `goes` says so. */
async function leave(key: string, goes: () => Promise<unknown>): Promise<void> {
  const socket = dial(gateway);
  await once(socket, 'connect');
  const head = `POST /open/v1/forecasts HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: https\r\nX-Api-Key: ${key}\r\nContent-Length: 100\r\n\r\n`;
  socket.write(`${head}{`);
  await goes();
  socket.destroy();
}

const underWay = (count: number) => () => has(`http_server_active_requests{service_name="gateway"} ${count}\n`);

test('a request whose client goes away in the middle of its body is over, and no success', async () => {
  gateway = await startGateway(echo, { clear: true, telemetry });
  const { key } = await gateway.issue();
  await leave(key, () => until(underWay(1), { what: 'the request' }));
  await until(underWay(0), { what: 'its end' });
  expect(await has(`${GONE}http_response_status_code="499"} 1\n`)).toBe(true);
});

test('a request whose client goes away while its rate is looked up is over, too', async () => {
  let response = (): void => undefined;
  const decision = { allowed: true, limit: 9, remaining: 9, resetSeconds: 1, waitMs: 0, retryAfterSeconds: 0 };
  const take = () => new Promise<typeof decision>((resolve) => (response = () => resolve(decision)));
  gateway = await startGateway(echo, { clear: true, telemetry, rateLimiter: { take } });
  const { key } = await gateway.issue();
  await leave(key, () => until(underWay(1), { what: 'the request' }));
  await until(underWay(0), { what: 'its end' });
  response();
  expect(await has(`${GONE}http_response_status_code="499"} 1\n`)).toBe(true);
});
