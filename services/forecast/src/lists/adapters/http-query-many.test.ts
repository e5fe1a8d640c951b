import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { StoredTrackingQuery } from '@parcelway/contracts/forecast-query-api';
import type { Principal } from '@parcelway/contracts/principal';
import type { Scope } from '@parcelway/contracts/scopes';
import { listen } from '@parcelway/http/server';
import { app, useHarness } from '../../testing/forecast-harness.ts';

useHarness();

const principal = (scopes: readonly Scope[], tenantId = 'tnt_a'): Principal => ({
  kind: 'tenant',
  tenantId,
  warehouseCode: null,
  keyId: 'key_test',
  scopes,
  environment: 'sandbox',
});
const everything = principal(['forecasts:write', 'weighing:read', 'tracking:read']);
const query = (body: unknown, by: Principal = everything) => app.call('POST', '/open/v1/forecasts/query', { body, principal: by });

describe('a query of many', () => {
  test('has a result for each po_number, in order, also for one that is there twice or that no forecast has', async () => {
    const [first, second] = [await app.submit(app.submission()), await app.submit(app.submission({ po_number: 'PO-2' }))];
    const { data } = await query({ po_numbers: ['PO-2', 'none', 'PO-1', 'PO-2', 'x'.repeat(300)] });
    expect(data.results.map((result) => [result.index, result.code, result.data?.['forecast_no']])).toEqual([
      [0, '0', second.data.forecast_no],
      [1, '40401', undefined],
      [2, '0', first.data.forecast_no],
      [3, '0', second.data.forecast_no],
      [4, '40401', undefined],
    ]);
    expect(data.results[0]?.data).toEqual((await app.call('GET', '/open/v1/forecasts?po_number=PO-2')).data.forecasts[0]);
  });

  test('adds what the weighing query returns', async () => {
    await app.submit(app.submission());
    const { data } = await query({ po_numbers: ['PO-1'], include: ['weighing'] });
    expect(data.results[0]?.data?.['weighing']).toEqual((await app.call('GET', '/open/v1/forecasts/weighing?po_number=PO-1')).data);
    expect(data.results[0]?.data).not.toHaveProperty('tracking');
  });

  test.each([
    [['weighing'], ['forecasts:write'], 'weighing:read'],
    [['weighing', 'tracking'], ['weighing:read'], 'tracking:read'],
  ] as const)('include %j needs its scope', async (include, scopes, missing) => {
    const response = await query({ po_numbers: ['PO-1'], include }, principal(scopes));
    expect([response.code, response.message]).toEqual(['40301', expect.stringContaining(missing)]);
  });
});

describe('the tracking of many', () => {
  const asked: unknown[] = [];
  let known: Readonly<Record<string, object>> = {};
  const server = createServer(async (req, res) => {
    const query = (await json(req)) as StoredTrackingQuery;
    asked.push(query);
    const trackings = query.forecast_nos.flatMap((no) => (known[no] ? [{ forecast_no: no, tracking: known[no] }] : []));
    res.end(JSON.stringify({ code: '0', message: 'success', data: { trackings } }));
  });
  beforeEach(async () => {
    app.trackingOrigin = `http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  test('is read once for all of them, and only when it is asked for', async () => {
    const { data } = await app.submit(app.submission());
    await app.submit(app.submission({ po_number: 'PO-2' }));
    const nodes = { po_number: 'PO-1', is_shipped: true, is_terminal: false, latest_status: 'In Transit', nodes: [], shipments: [] };
    known = { [data.forecast_no]: nodes };
    await query({ po_numbers: ['PO-1'] });
    const { results } = (await query({ po_numbers: ['PO-1', 'PO-2', 'none'], include: ['tracking'] })).data;
    expect(asked).toEqual([{ tenant_id: 'tnt_a', forecast_nos: [data.forecast_no, results[1]?.data?.['forecast_no']] }]);
    expect(results.map((result) => result.data?.['tracking'])).toEqual([
      nodes,
      { po_number: 'PO-2', is_shipped: false, is_terminal: false, latest_status: '', nodes: [], shipments: [] },
      undefined,
    ]);
  });
});
