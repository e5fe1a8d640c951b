import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sealShipmentDetails } from '@parcelway/contracts/shipment-details';
import type { ServerRow, SourceServer } from '@parcelway/harness/sources/source-server';
import { sourceServers } from '@parcelway/harness/sources/source-servers';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import { until } from '@parcelway/kernel/testing/until';
import { accepted, dispatched } from './testing/forecast-events.ts';
import { FILE_SECRET, type ServiceDriver, startTracking } from './testing/service-driver.ts';

const HOUR_MS = 3_600_000;
/** Time of a row so many hours before now, with an offset. */
const hoursAgo = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString().replace(/\.\d+Z$/, '+00:00');
const row = (stage: ServerRow['stage'], hours: number): ServerRow => ({ stage, at: hoursAgo(hours), city: 'Hamburg', country: 'DE' });

/** Numbers that each source takes. */
const numbers: Readonly<Record<string, string>> = {
  '17track': 'RR123456785CN',
  easypost: 'EZ1000000001',
  aftership: '1Z12345E0205271688',
  ups: '1Z12345E0205271688',
  dhl: '00340434161094000001',
  yunexpress: 'YT2512345678901234',
};

describe.each(Object.entries(sourceServers))('a parcel tracked by %s', (name, start) => {
  const number = numbers[name] as string;
  let server: SourceServer;
  let driver: ServiceDriver;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    const { baseUrl: base_url, credentials } = server;
    server.setLimits({ requestsPerSecond: null, callsPerDay: null, fetchesPerParcelPerDay: null });
    const connection = { id: 'a-connection-that-nobody-guesses', source: name, base_url, carriers: ['*'], credentials };
    driver = await startTracking({ TRACKING_SOURCES: JSON.stringify([connection]) });
    await driver.publish('forecast.accepted', accepted('FC1', 'PO-1'));
  });
  afterEach(() => driver.close());

  const dispatch = () => driver.publish('forecast.dispatched', dispatched('FC1', 'PO-1', number, 'ups'));
  const statuses = () => driver.changes.map(({ data }) => data.admin_status);

  test('is asked for after the dispatch, pushed after that, and comes to its end', async () => {
    server.addRows(number, row('in transit', 10));
    await dispatch();
    await until(() => statuses().includes('In Transit'), { what: 'the first status' });
    const stored = await driver.query('PO-1');
    expect(stored.body.data).toMatchObject({ latest_status: 'In Transit', is_terminal: false, as_of: expect.any(String) });

    server.addRows(number, row('delivered', 1));
    const push = server.signPush(number);
    expect(await driver.push(name, 'a-connection-that-nobody-guesses', push)).toBe(200);
    await until(() => statuses().includes('Delivery Success'), { what: 'the final status' });
    expect(await driver.push(name, 'a-connection-that-nobody-guesses', push)).toBe(200);
    expect((await driver.query('PO-1')).body.data).toMatchObject({ latest_status: 'Delivery Success', is_terminal: true });
    expect(statuses()).toEqual(['In Transit', 'Delivery Success']);
  });
});

test('a source gets the details that the warehouse reported with the dispatch', async () => {
  const server = await (sourceServers['dhl'] as () => Promise<SourceServer>)();
  const { baseUrl: base_url, credentials } = server;
  const connection = { id: 'dhl', source: 'dhl', base_url, carriers: ['dhl'], credentials };
  const driver = await startTracking({ TRACKING_SOURCES: JSON.stringify([connection]) });
  const shipment = { carrierCode: 'dhl', trackingNumber: 'JD014600003' };
  const sealed_details = sealShipmentDetails(createTextSealer([FILE_SECRET]), shipment, { destination_postcode: '20095' }) ?? '';
  await driver.publish('forecast.accepted', accepted('FC1', 'PO-1'));
  await driver.publish('forecast.dispatched', { ...dispatched('FC1', 'PO-1', shipment.trackingNumber), sealed_details });
  const call = await until(() => server.calls[0], { what: 'the question to DHL' });
  expect(call.path).toContain('recipientPostalCode=20095');
  await driver.close();
  await server.close();
});
