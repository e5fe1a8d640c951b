import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type LogFields, type Logger, silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { noTelemetry } from '@parcelway/telemetry/telemetry';
import { type CarrierServer, startCarrier } from '../testing/carrier-server.ts';
import { shipmentOf } from '../testing/samples.ts';
import { type OpenCarriers, openCarriers } from './carriers.ts';
import { readCarrierEndpoints } from './generic/carrier-endpoints.ts';
import { createSimulatedCarrier } from './simulated/simulated-carrier.ts';

/** Far longer than a response from this machine takes, also while the process stands still for a moment. */
const TIMEOUT_MS = 10_000;
/** For carriers that do not end their response: whatever else ends it, it is no good one. */
const SHORT_TIMEOUT_MS = 400;
const good = { status: 'Departed', create_time: '2026-11-21 10:00:00', times: '(GMT+08:00)' };
const simulated = createSimulatedCarrier({ simulatedNodes: async () => [], addSimulatedNode: () => Promise.reject(new Error('not here')) });

describe('HTTP carriers', () => {
  let slow: CarrierServer;
  let other: CarrierServer;
  let carriers: OpenCarriers;
  let warnings: { fields: LogFields; message: string }[];
  const shipment = shipmentOf({ carrierCode: 'SLOW', trackingNumber: 'A/B 1' });

  const open = (environment: 'sandbox' | 'production', resetMs?: number, timeoutMs = TIMEOUT_MS): OpenCarriers => {
    const logger: Logger = { ...silentLogger, warn: (fields, message) => void warnings.push({ fields, message }) };
    const endpoints = readCarrierEndpoints(JSON.stringify({ slow: { url: slow.url, token: 'secret-token' }, Other: { url: other.url } }));
    return openCarriers({ environment, endpoints, simulated, timeoutMs, resetMs, logger, telemetry: noTelemetry });
  };
  const failure = async (ofShipment = shipment): Promise<{ code: string; cause: unknown; retryAfterSeconds: number }> =>
    carriers.track(ofShipment).then(
      () => {
        throw new Error('The carrier was believed');
      },
      (error) => error,
    );

  beforeEach(async () => {
    warnings = [];
    slow = await startCarrier();
    other = await startCarrier();
    carriers = open('sandbox');
  });
  afterEach(async () => {
    await carriers.close();
    await slow.close();
    await other.close();
  });

  test('are asked as agreed', async () => {
    slow.respondWith((_req, res) => {
      const nodes = [
        { ...good, order_no: 'O1', address: 'Hong\u0007Kong', content: ' Departed\nhub ' },
        { ...good, status: 'Teleported' },
      ];
      res.end(JSON.stringify({ nodes, more: 'is ignored' }));
    });
    expect(await carriers.track(shipment)).toEqual([
      {
        orderNo: 'O1',
        address: 'Hong Kong',
        content: 'Departed hub',
        status: 'Departed',
        createTime: '2026-11-21 10:00:00',
        times: '(GMT+08:00)',
        adminStatus: 'In Transit',
      },
      expect.objectContaining({ orderNo: 'A/B 1', address: '', status: 'Teleported', adminStatus: 'In Transit' }),
    ]);
    await carriers.track(shipment);
    expect(slow.requests[0]?.url).toBe('/track/A%2FB%201?lang=en');
    expect(slow.requests[0]?.headers).toMatchObject({ authorization: 'Bearer secret-token', 'accept-encoding': 'identity' });
    expect(warnings.map(({ fields }) => fields)).toEqual([{ carrier_code: 'slow', status: 'Teleported' }]);
  });

  test('may not know a number yet', async () => {
    slow.respondWith((_req, res) => res.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}'));
    expect(await carriers.track(shipment)).toEqual([]);
  });

  const json = (value: unknown) => JSON.stringify(value);
  test.each<[string, Parameters<CarrierServer['respondWith']>[0]]>([
    ['a page of HTML', (_req, res) => res.end('<html>Down for maintenance</html>')],
    ['a missing page of HTML', (_req, res) => res.writeHead(404, { 'content-type': 'text/html' }).end('<html>No such page</html>')],
    ['nothing', (_req, res) => res.end()],
    ['truncated JSON', (_req, res) => res.end('{"nodes":[{"status":"Deliv')],
    ['a body that is cut off', (_req, res) => res.writeHead(200, { 'content-length': '1000' }).write('{"nodes":[', () => res.destroy())],
    ['null', (_req, res) => res.end('null')],
    ['a list', (_req, res) => res.end('[]')],
    ['nodes that are none', (_req, res) => res.end(json({ nodes: [{ status: 7 }] }))],
    [
      'a node with a date that does not exist',
      (_req, res) => res.end(json({ nodes: [good, { ...good, create_time: '2026-02-30 10:00:00' }] })),
    ],
    ['a node with a zone that does not exist', (_req, res) => res.end(json({ nodes: [{ ...good, times: '(GMT+99:00)' }] }))],
    ['too many nodes', (_req, res) => res.end(json({ nodes: Array.from({ length: 1001 }, () => good) }))],
    ['bytes that are no text', (_req, res) => res.end(Buffer.concat([Buffer.from('{"nodes":[]}'), Buffer.from([0xff, 0xfe])]))],
    ['an error', (_req, res) => res.writeHead(500).end(json({ nodes: [good] }))],
    ['a redirect', (_req, res) => res.writeHead(302, { location: other.url.replace('{tracking_number}', 'x') }).end()],
    ['a closed connection', (req) => void req.socket.destroy()],
    ['silence', () => undefined],
    ['headers and then silence', (_req, res) => void res.writeHead(200).flushHeaders()],
    ['a gzip bomb', (_req, res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(20_000_000, 32)))],
  ])('is not believed when it responds with %s', async (_what, handle) => {
    await carriers.close();
    carriers = open('sandbox', undefined, SHORT_TIMEOUT_MS);
    slow.respondWith(handle);
    const error = await failure();
    expect(error.code).toBe('50001');
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
    expect(other.requests).toHaveLength(0);
    expect(`${error} ${JSON.stringify(error)}`).not.toContain('secret-token');
  });

  test('is read no further than 1 MB, and the connection is closed', async () => {
    let written = 0;
    slow.respondWith((_req, res) => {
      const more = (): void => {
        if (res.destroyed || written >= 50 * 1024 * 1024) return;
        written += 65_536;
        if (res.write(Buffer.alloc(65_536, 32))) setImmediate(more);
        else res.once('drain', more);
      };
      more();
    });
    expect(await failure()).toMatchObject({ code: '50001', cause: { message: expect.stringContaining('larger than') } });
    await until(async () => (await slow.openConnections()) === 0, { what: 'the end of the connection' });
    expect(written).toBeLessThan(50 * 1024 * 1024);
  });

  test('has one deadline for the whole response, however it drips', async () => {
    await carriers.close();
    carriers = open('sandbox', undefined, SHORT_TIMEOUT_MS);
    slow.respondWith((_req, res) => {
      res.writeHead(200);
      const drip = setInterval(() => res.write(' '), 20);
      res.on('close', () => clearInterval(drip));
    });
    expect((await failure()).code).toBe('50001');
    await until(async () => (await slow.openConnections()) === 0, { what: 'the end of the connection' });
  });

  test('is left alone while it fails, is probed, and comes back; the others notice nothing', async () => {
    await carriers.close();
    carriers = open('sandbox', 200);
    slow.respondWith((_req, res) => res.writeHead(500).end());
    for (let i = 0; i < 20; i += 1) expect((await failure()).code).toBe('50001');
    const calls = slow.requests.length;
    expect(calls).toBeLessThan(20);
    expect(await carriers.track(shipmentOf({ carrierCode: 'other' }))).toEqual([]);
    expect(await carriers.track(shipmentOf({ carrierCode: 'unconfigured' }))).toEqual([]);
    // The probes fail first, one at a time, and the breaker stays open.
    await until(
      async () => {
        await Promise.all([failure(), failure(), failure()]);
        return slow.requests.length > calls;
      },
      { what: 'a probe' },
    );
    expect(slow.requests).toHaveLength(calls + 1);
    slow.respondWith((_req, res) => res.end('{"nodes":[]}'));
    await until(
      () =>
        carriers.track(shipment).then(
          () => true,
          () => false,
        ),
      { what: 'the recovery' },
    );
    expect(await carriers.track(shipment)).toEqual([]);
  });

  test('is left alone as soon when it fails again, however many asked for it while it was left alone', async () => {
    await carriers.close();
    carriers = open('sandbox', 100);
    const failsAtOnce = (): void => slow.respondWith((_req, res) => res.writeHead(500).end());
    failsAtOnce();
    for (let i = 0; i < 200; i += 1) await failure();
    slow.respondWith((_req, res) => res.end('{"nodes":[]}'));
    await until(
      () =>
        carriers.track(shipment).then(
          () => true,
          () => false,
        ),
      { what: 'the recovery' },
    );
    failsAtOnce();
    const calls = slow.requests.length;
    for (let i = 0; i < 20; i += 1) await failure();
    expect(slow.requests.length - calls).toBeLessThan(10);
  });

  test('in production, an unconfigured one cannot be asked, which is logged once', async () => {
    await carriers.close();
    carriers = open('production');
    const unconfigured = shipmentOf({ carrierCode: 'nobody' });
    expect((await failure(unconfigured)).code).toBe('50001');
    expect((await failure(unconfigured)).code).toBe('50001');
    expect(warnings.map(({ fields }) => fields)).toEqual([{ carrier_code: 'nobody' }]);
  });
});

describe('CARRIERS', () => {
  test('is optional', () => {
    expect(readCarrierEndpoints(undefined).size).toBe(0);
  });

  test.each([
    'dhl',
    '[]',
    '"x"',
    '{"dhl":"https://carrier.example/{tracking_number}"}',
    '{"dhl":{"url":"https://carrier.example/"}}',
    '{"dhl":{"url":"ftp://carrier.example/{tracking_number}"}}',
    '{"dhl":{"url":"https://carrier.example/{tracking_number}","token":""}}',
    '{"dhl":{"url":"https://carrier.example/{tracking_number}","tokn":"secret-token"}}',
  ])('refuses %s', (value) => {
    expect(() => readCarrierEndpoints(value)).toThrow(/^must /);
    expect(() => readCarrierEndpoints(value)).not.toThrow(/secret-token/);
  });
});
