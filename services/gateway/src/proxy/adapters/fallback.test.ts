import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { FALLBACK_HEADER, FALLBACK_STATUS, sendFallback } from '@parcelway/http/route-fallback';
import { drainServer, listen } from '@parcelway/http/server';
import { ends } from '../../testing/ends.ts';
import { remoteServicesAt, startGateway, type TestGateway, type TestResponse } from '../../testing/harness.ts';

/* GET /open/v1/forecasts/tracking is served by tracking, or else by forecast. */

const TRACKING = '/open/v1/forecasts/tracking?po_number=PO-1';

let gateway: TestGateway;
let tracking: RequestListener;
let forecast: RequestListener;
let seen: string[];

beforeEach(async () => {
  seen = [];
  tracking = (_req, res) => sendFallback(res);
  forecast = (_req, res) => res.end('{"code":"0","message":"success","data":{"by":"forecast"}}');
  const note = (name: string, listener: () => RequestListener): RequestListener => {
    return (req, res) => {
      seen.push(name);
      listener()(req, res);
    };
  };
  const servers = [createServer(note('tracking', () => tracking)), createServer(note('forecast', () => forecast))] as const;
  const [trackingPort, forecastPort] = await Promise.all(servers.map((server) => listen(server, '127.0.0.1', 0)));
  ends.push(() => Promise.all(servers.map((server) => drainServer(server, 200))));
  gateway = await startGateway((_req, res) => res.end('other'), {
    otherServices: remoteServicesAt((service) => Number(service === 'forecast' ? forecastPort : trackingPort)),
  });
});

const query = async (path = TRACKING): Promise<TestResponse> => gateway.call(path, { key: (await gateway.issue()).key });

describe('a route with a fallback', () => {
  test('is served by the fallback when its service passes the request on', async () => {
    const heads: IncomingMessage['rawHeaders'][] = [];
    tracking = (req, res) => {
      heads.push(req.rawHeaders);
      sendFallback(res);
    };
    forecast = (req, res) => {
      heads.push(req.rawHeaders);
      res.end(`{"code":"0","message":"success","data":{"url":"${req.url}"}}`);
    };
    const response = await query();
    expect([response.status, response.json.data]).toEqual([200, { url: TRACKING }]);
    expect(Number(response.headers['ratelimit-limit']) - Number(response.headers['ratelimit-remaining'])).toBe(1);
    expect(seen).toEqual(['tracking', 'forecast']);
    // The same request: each header once, the same principal, request id and trace.
    const host = (head: readonly string[]): string[] => head.filter((_text, index) => head[index - 1]?.toLowerCase() !== 'host');
    expect(host(heads[1] as string[])).toEqual(host(heads[0] as string[]));
  });

  test('is sent to the fallback once, and only by the signal', async () => {
    forecast = (_req, res) => sendFallback(res);
    const passedBack = await query();
    expect([passedBack.json.code, passedBack.headers[FALLBACK_HEADER]]).toEqual(['50301', undefined]);
    expect(seen).toEqual(['tracking', 'forecast']);
    tracking = (_req, res) => res.writeHead(FALLBACK_STATUS, { 'Content-Length': '0' }).end();
    expect((await query()).status).toBe(FALLBACK_STATUS);
    expect(seen).toEqual(['tracking', 'forecast', 'tracking']);
  });
});

test('a route without a fallback stays with its service', async () => {
  const response = await query('/open/v1/webhook-endpoints');
  expect([response.json.code, response.headers[FALLBACK_HEADER], seen]).toEqual(['50301', undefined, ['tracking']]);
});
