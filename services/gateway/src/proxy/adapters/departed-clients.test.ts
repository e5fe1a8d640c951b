import { describe, expect, test } from '@jest/globals';
import { routes } from '@parcelway/contracts/routes';
import { until } from '@parcelway/kernel/testing/until';
import { sendHead, startGateway, startTelemetry, type TestGateway } from '../../testing/harness.ts';
import { waitingRoutes } from '../domain/client-shares.ts';

const MB = 1024 * 1024;
const LIST = 'GET /open/v1/forecasts';

let gateway: TestGateway;

describe('a client that goes away', () => {
  test.each([
    ['in the middle of its body', 'POST /open/v1/files/pdf', MB, 100_000],
    ['whose preview has come whole', 'POST /open/v1/forecasts/import/preview', MB, MB],
    ['while the service waits for something to come', 'GET /sandbox/v1/listen', 0, 0],
  ])('%s, takes the request with it', async (_when, head, length, sent) => {
    let received = 0;
    let reached = false;
    let ended = false;
    gateway = await startGateway(
      (req, res) => {
        reached = true;
        req
          .on('error', () => undefined)
          .on('data', (chunk: Buffer) => {
            received += chunk.length;
          });
        res.on('close', () => {
          ended = true;
        });
      },
      { clear: true },
    );
    const { key } = await gateway.issue();
    const socket = sendHead(gateway, head, key, length > 0 ? `Content-Length: ${length}\r\n` : '');
    if (sent > 0) socket.write(Buffer.alloc(sent));
    await until(() => reached && received === sent, { what: 'the request at the service' });
    socket.destroy();
    await until(() => ended, { what: 'the service loses the connection' });
  });

  test.each(['in the middle of its body', 'while its rate is looked up'])('%s, makes no success of its request', async (when) => {
    const telemetry = await startTelemetry();
    const lookUp = { take: () => new Promise<never>(() => undefined) };
    gateway = await startGateway(() => undefined, { clear: true, telemetry, ...(when.startsWith('while') && { rateLimiter: lookUp }) });
    const has = async (line: string) => (await telemetry.expose()).text.includes(line);
    const underWay = (count: number) => () => has(`http_server_active_requests{service_name="gateway"} ${count}\n`);
    const socket = sendHead(gateway, 'POST /open/v1/forecasts', (await gateway.issue()).key, 'Content-Length: 100\r\n');
    await until(underWay(1), { what: 'the request' });
    socket.destroy();
    await until(underWay(0), { what: 'its end' });
    const labels = 'service_name="gateway",http_request_method="POST",http_route="/open/v1/forecasts",http_response_status_code="499"';
    expect(await has(`http_server_request_duration_seconds_count{${labels}} 1\n`)).toBe(true);
  });

  test('does not keep the rest of a large response', async () => {
    let respond: (() => void) | undefined;
    let sent = 0;
    let ended = false;
    gateway = await startGateway(
      (_req, res) => {
        respond = () => {
          sent += MB;
          if (sent < 500 * MB && !res.destroyed) res.write(Buffer.alloc(MB), respond);
        };
        res.on('close', () => {
          ended = true;
        });
      },
      { clear: true },
    );
    const { key } = await gateway.issue();
    const socket = sendHead(gateway, LIST, key);
    const go = await until(() => respond, { what: 'the request at the service' });
    socket.destroy();
    await until(() => [...gateway.serverSockets].every(({ destroyed }) => destroyed), { what: 'the end of the connection' });
    go();
    await until(() => ended, { what: 'the service loses the connection' });
    expect(sent).toBeLessThan(100 * MB);
  });
});

test('the routes that stop with their client exist', () => {
  expect(routes.map(({ id }) => id)).toEqual(expect.arrayContaining([...waitingRoutes]));
});
