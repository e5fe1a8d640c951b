import { Agent, get, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Principal } from '@parcelway/contracts/principal';
import { createServiceApp } from '@parcelway/http/app';
import { PRINCIPAL_HEADER, PrincipalSigner, PrincipalVerifier } from '@parcelway/http/principal-token';
import { createServiceServer, listen } from '@parcelway/http/server';
import { AppError } from '@parcelway/kernel/app-error';
import { systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import type { ForecastLister } from '../../store/forecast-store.ts';
import type { ListedForecast, ListQuery } from '../../store/ports.ts';
import { record } from '../../testing/samples.ts';
import { exportPlaces, exportRoute } from './http-export.ts';

const SECRET = 'a secret of the tests that is long enough';

class EndlessForecasts implements ForecastLister {
  count = Number.POSITIVE_INFINITY;
  reads = 0;
  /** Reads until the store is out. */
  failsAfter = Number.POSITIVE_INFINITY;
  readonly queries: ListQuery[] = [];

  placeBehind(_walk: unknown, { forecastId }: ListedForecast): string {
    return String(forecastId);
  }

  async list(_tenantId: string, query: ListQuery): Promise<ListedForecast[]> {
    if (this.reads >= this.failsAfter) throw AppError.unavailable('The store is out');
    this.reads += 1;
    this.queries.push(query);
    const first = query.after === undefined ? 0 : 1e9 - Number(query.after) + 1;
    return Array.from({ length: Math.max(0, Math.min(query.limit, this.count - first)) }, (_, index) => ({
      ...record(`F${first + index}`, { forecastId: 1e9 - first - index, poNumber: `PO-${'x'.repeat(60)}` }),
    }));
  }
}

let forecasts: EndlessForecasts;
let server: Server;
let port: number;
let agent: Agent;
beforeEach(async () => {
  forecasts = new EndlessForecasts();
  const store = forecasts;
  const app = createServiceApp({
    logger: silentLogger,
    verifier: new PrincipalVerifier([SECRET], systemClock, 'sandbox'),
    routes: (router) => exportRoute(router, store),
  });
  server = createServiceServer(app, async () => undefined);
  port = await listen(server, '127.0.0.1', 0);
  agent = new Agent({ keepAlive: true });
});
afterEach(async () => {
  agent.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const signer = new PrincipalSigner(SECRET, systemClock);

/** Begins an export; the test reads it. */
function begin(query = '', tenantId = 'tnt_a'): Promise<IncomingMessage> {
  const principal: Principal = { kind: 'tenant', tenantId, warehouseCode: null, keyId: 'k', scopes: [], environment: 'sandbox' };
  const headers = { [PRINCIPAL_HEADER]: signer.sign(principal) };
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: `/open/v1/forecasts.csv${query}`, headers, agent }, resolve).once('error', reject);
  });
}

const failureOf = async (response: IncomingMessage) => JSON.parse(await text(response)) as { code: string; data: unknown };

describe('the export', () => {
  test('is a table in UTF-8, as a file of its own', async () => {
    forecasts.count = 450;
    const response = await begin();
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="forecasts.csv"',
      'x-accel-buffering': 'no',
    });
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const table = Buffer.concat(chunks);
    expect([...table.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const lines = table.toString().trimEnd().split('\r\n');
    expect([lines.length, new Set(lines).size]).toEqual([451, 451]);
    // Its connection is used again.
    expect((await text(await begin('?po_number=%00'))).split('\r\n')).toHaveLength(2);
  });

  test('is read no further than its client reads, and ends with it', async () => {
    const response = await begin();
    let seen = -1;
    const isWaiting = (): boolean => {
      const isStill = forecasts.reads > 1 && forecasts.reads === seen;
      seen = forecasts.reads;
      return isStill;
    };
    await until(isWaiting, { what: 'the export to wait for its client', everyMs: 400 });
    response.destroy();
    await until(async () => (await begin('?po_number=%00')).resume().statusCode === 200);
    const left = forecasts.reads;
    await until(isWaiting, { what: 'the end of the export', everyMs: 300 });
    expect(forecasts.reads).toBeLessThanOrEqual(left + 1);
  });

  test('is one of two of a tenant at the same time', async () => {
    const running = [await begin(), await begin()];
    const third = await begin();
    expect([third.statusCode, third.headers['retry-after']]).toEqual([429, '5']);
    expect(await failureOf(third)).toMatchObject({ code: '42901', data: { limit: 2 } });
    const other = await begin('', 'tnt_b');
    expect(other.statusCode).toBe(200);
    for (const response of [...running, other]) response.destroy();
    await until(async () => (await begin('?po_number=%00')).resume().statusCode === 200);
  });

  test('is a response of failure when the store is out, and breaks off in the middle of it', async () => {
    forecasts.failsAfter = 0;
    const refused = await begin();
    expect([refused.statusCode, (await failureOf(refused)).code]).toEqual([503, '50301']);
    forecasts.failsAfter = 3;
    const broken = await begin();
    expect(broken.statusCode).toBe(200);
    await expect(text(broken)).rejects.toThrow('aborted');
  });
});

test('all tenants together have at most twenty exports under way', () => {
  const take = exportPlaces();
  const places = Array.from({ length: 20 }, (_, index) => take(`tnt_${index}`));
  expect(() => take('tnt_x')).toThrow(expect.objectContaining({ code: '50301', retryAfterSeconds: 5 }));
  places[0]?.();
  expect(() => take('tnt_x')).not.toThrow();
});
