import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sealShipmentDetails } from '@parcelway/contracts/shipment-details';
import { startSourceServer } from '@parcelway/harness/sources/source-servers';
import { FALLBACK_HEADER, FALLBACK_STATUS } from '@parcelway/http/route-fallback';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import { until } from '@parcelway/kernel/testing/until';
import { type CarrierServer, startCarrier } from './testing/carrier-server.ts';
import { dispatched, TENANT, traceOf } from './testing/samples.ts';
import { FILE_SECRET, type ServiceDriver, startTracking } from './testing/service-driver.ts';

describe('tracking service in the sandbox', () => {
  let driver: ServiceDriver;
  beforeEach(async () => {
    driver = await startTracking();
  });
  afterEach(() => driver.close());

  const dispatch = async (trackingNumber: string, forecastNo = 'FC1', poNumber = 'PO-1'): Promise<void> => {
    await driver.publish('forecast.dispatched', dispatched(forecastNo, poNumber, trackingNumber));
  };
  const track = (adminStatus: string, more: Record<string, unknown> = {}) =>
    driver.simulate({ tenant_id: TENANT, forecast_no: 'FC1', admin_status: adminStatus, ...more });

  test('plays a parcel to its end: a fresh response at once, an event for each change', async () => {
    await dispatch('SIM1');
    // The dispatch may still be on its way: the simulation waits for it.
    expect((await track('In Transit', { content: 'Left the hub', address: 'Shenzhen' })).status).toBe(200);
    const first = await driver.query('PO-1');
    expect(first.body.data).toMatchObject({
      po_number: 'PO-1',
      is_shipped: true,
      is_terminal: false,
      latest_status: 'In Transit',
      nodes: [{ order_no: 'SIM1', address: 'Shenzhen', content: 'Left the hub', status: 'In Transit', times: '(GMT+08:00)' }],
    });
    await track('In Transit');
    await track('Delivery Success');
    const last = await driver.query('PO-1');
    expect(last.body.data).toMatchObject({ is_terminal: true, latest_status: 'Delivery Success' });
    expect(last.body.data?.['nodes']).toHaveLength(3);
    await until(() => driver.changes.length >= 2, { what: 'both changes' });
    expect(driver.changes.map(({ data }) => [data.previous_admin_status, data.admin_status, data.is_terminal])).toEqual([
      ['', 'In Transit', false],
      ['In Transit', 'Delivery Success', true],
    ]);
  });

  test('gives other services what is stored of a parcel, without asking its carrier', async () => {
    await dispatch('SIM1');
    await track('In Transit', { content: 'Left the hub' });
    const query = { tenant_id: TENANT, forecast_no: 'FC1' };
    await until(async () => ((await driver.stored(query)).body.data?.['nodes'] as unknown[] | undefined)?.length === 1, {
      what: 'the node',
    });
    expect((await driver.stored(query)).body).toEqual((await driver.query('PO-1')).body);
    expect((await driver.stored({ ...query, forecast_no: 'FC2' })).body.code).toBe('40403');
    expect((await driver.stored({ ...query, tenant_id: 'tnt_b' })).body.code).toBe('40403');
    expect((await driver.stored({ tenant_id: TENANT })).body.code).toBe('42201');
    expect((await driver.stored(query, 'tenant')).body.code).toBe('40301');
    // Of many, each with the age of what is stored; what is not under watch is left out.
    const many = { tenant_id: TENANT, forecast_nos: ['FC2', 'FC1'] };
    const { body } = await driver.call('POST', '/internal/v1/tracking/query', many, null);
    const { data } = (await driver.query('PO-1')).body;
    const aged = {
      ...data,
      as_of: expect.any(String),
      shipments: [{ ...((data?.['shipments'] ?? []) as object[])[0], as_of: expect.any(String) }],
    };
    expect(body.data).toEqual({ trackings: [{ forecast_no: 'FC1', tracking: aged }] });
    const foreign = await driver.call('POST', '/internal/v1/tracking/query', { ...many, tenant_id: 'tnt_b' }, null);
    expect(foreign.body.data).toEqual({ trackings: [] });
    expect((await driver.call('POST', '/internal/v1/tracking/query', { ...many, forecast_nos: [] }, null)).body.code).toBe('42201');
    expect((await driver.call('POST', '/internal/v1/tracking/query', many, TENANT)).body.code).toBe('40301');
  });

  test('leaves a forecast without a parcel under watch, or of another tenant, to the fallback of the route', async () => {
    const { status, headers, body } = await driver.query('PO-1');
    expect([status, headers[FALLBACK_HEADER], body.code]).toEqual([FALLBACK_STATUS, '1', '']);
    // What cannot exist is unknown everywhere.
    expect((await driver.query('x'.repeat(65))).body).toEqual({ code: '40401', message: expect.any(String), data: null });
    await dispatch('SIMDOWN1');
    await until(async () => (await driver.query('PO-1')).body.code === '50001', { what: 'the dispatch' });
    expect(Number((await driver.query('PO-1')).headers['retry-after'])).toBeGreaterThan(0);
    expect((await driver.query('PO-1', 'tnt_b')).status).toBe(FALLBACK_STATUS);
  });

  test('refuses to simulate what does not exist, or for a tenant', async () => {
    expect((await track('Lost in space')).body.code).toBe('42201');
    expect((await driver.simulate({}, 'tenant')).body.code).toBe('40301');
  });
});

describe('tracking service with a carrier of its own', () => {
  const connectionTo = ({ url }: CarrierServer) =>
    // The url is whole: a base_url changes nothing.
    JSON.stringify([{ id: 'own', source: 'generic', base_url: 'http://127.0.0.1:1', carriers: ['dhl'], credentials: { url } }]);
  const nodeOf = (status: string, hoursAgo: number) => {
    const create_time = new Date(Date.now() - hoursAgo * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
    return { status, create_time, times: '(GMT+00:00)' };
  };

  test('publishes a change in the trace of the poll or the query that found it, and asks the carrier in that trace', async () => {
    const carrier = await startCarrier();
    const driver = await startTracking({ TRACKING_SOURCES: connectionTo(carrier) });
    try {
      carrier.respondWith((_req, res) => res.end(JSON.stringify({ nodes: [nodeOf('picked up', 2)] })));
      await driver.publish('forecast.dispatched', dispatched('FC1', 'PO-1', 'JD1', 'DHL'));
      const found = await until(() => driver.changes[0], { what: 'the change of the poll' });
      carrier.respondWith((_req, res) => res.end(JSON.stringify({ nodes: [nodeOf('out for delivery', 1)] })));
      await driver.query('PO-1', TENANT, traceOf(1));
      await until(() => driver.changes[1], { what: 'the change of the query' });
      const [poll, ...others] = driver.telemetry.spans.filter(({ name }) => name === 'poll shipment');
      expect(others).toEqual([]);
      expect(driver.changes.map(({ traceparent }) => traceparent)).toEqual([found.traceparent, traceOf(1)]);
      expect(found.traceparent).toBe(poll?.traceparent);
      const asked = driver.telemetry.spans.filter(({ name }) => name === 'ask carrier');
      expect(asked.map(({ parent }) => parent)).toEqual([poll?.traceparent, traceOf(1)]);
      await driver.telemetry.readAll();
      expect(driver.telemetry.recorded('parcelway_tracking_overdue_shipments')).toEqual([[{}, 0]]);
    } finally {
      await driver.close();
      await carrier.close();
    }
  });
});

test('a source gets the details that the warehouse reported with the dispatch', async () => {
  const server = await startSourceServer('dhl');
  const { baseUrl: base_url, credentials } = server;
  const connection = { id: 'dhl', source: 'dhl', base_url, carriers: ['dhl'], credentials };
  const driver = await startTracking({ TRACKING_SOURCES: JSON.stringify([connection]) });
  const shipment = { carrierCode: 'dhl', trackingNumber: 'JD014600003' };
  const sealed_details = sealShipmentDetails(createTextSealer([FILE_SECRET]), shipment, { destination_postcode: '20095' }) ?? '';
  await driver.publish('forecast.dispatched', { ...dispatched('FC1', 'PO-1', shipment.trackingNumber), sealed_details });
  const call = await until(() => server.calls[0], { what: 'the question to DHL' });
  expect(call.path).toContain('recipientPostalCode=20095');
  await driver.close();
  await server.close();
});

describe('tracking service in production', () => {
  test('has no simulated carrier, and counts polls of a carrier that nothing serves', async () => {
    const driver = await startTracking({}, 'production');
    const unserved = () => driver.telemetry.recorded('parcelway_tracking_unserved_polls_total');
    try {
      expect(unserved()).toEqual([[{}, 0]]);
      await driver.publish('forecast.dispatched', dispatched('FC1', 'PO-1', 'SIM1'));
      await until(async () => (await driver.query('PO-1')).body.code === '50001', { what: 'the dispatch' });
      const refused = await driver.simulate({ tenant_id: TENANT, forecast_no: 'FC1', admin_status: 'In Transit' });
      expect([refused.status, refused.body.code]).toEqual([404, '40402']);
      await until(() => unserved().length > 1, { what: 'the poll' });
    } finally {
      await driver.close();
    }
  });
});
