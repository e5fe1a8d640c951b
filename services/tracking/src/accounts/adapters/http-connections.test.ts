import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CarrierDetection, CarrierList } from '@parcelway/contracts/carrier-api';
import { CarrierConnectionList, ConnectionSaved, ConnectionTest } from '@parcelway/contracts/carrier-connection-api';
import { ConnectionOfOperator } from '@parcelway/contracts/operator-connection-api';
import { compileValidator } from '@parcelway/contracts/validator';
import type { SourceServer } from '@parcelway/harness/sources/source-server';
import { startSourceServer } from '@parcelway/harness/sources/source-servers';
import { TENANT } from '../../testing/samples.ts';
import { type ServiceDriver, startTracking, type TestResponse } from '../../testing/service-driver.ts';

const PATH = '/open/v1/carrier-connections';
const INTERNAL = '/internal/v1/carrier-connections';
const dhl = { source: 'dhl', carriers: ['dhl'], credentials: { key: 's3cret-key', push_token: 's3cret-token' } };
const saved = compileValidator(ConnectionSaved);
const list = compileValidator(CarrierConnectionList);
const operators = compileValidator(ConnectionOfOperator);
const tests = compileValidator(ConnectionTest);
const carrierList = compileValidator(CarrierList);
const detection = compileValidator(CarrierDetection);

let server: SourceServer;
beforeAll(async () => {
  server = await startSourceServer('17track');
});
afterAll(() => server.close());

let driver: ServiceDriver;
beforeEach(async () => {
  const { baseUrl: base_url, credentials } = server;
  const connection = { id: 'configured', source: '17track', base_url, carriers: ['*', 'SF'], credentials };
  driver = await startTracking({
    TRACKING_SOURCES: JSON.stringify([connection]),
  });
});
afterEach(() => driver.close());

const dataOf = ({ status, body }: TestResponse): Record<string, unknown> => {
  expect([status, body.code]).toEqual([200, '0']);
  expect(JSON.stringify(body)).not.toContain('s3cret');
  return body.data ?? {};
};

describe('the routes of a tenant', () => {
  test('create, read, change and delete a connection', async () => {
    const created = dataOf(await driver.call('POST', PATH, { ...dhl, base_url: 'http://127.0.0.1:1' }));
    expect(saved.errors(created)).toEqual([]);
    const id = String(created['connection_id']);
    expect(created).toMatchObject({
      source: 'dhl',
      credential_names: ['key', 'push_token'],
      push_url: `https://api.example.com/carriers/v1/dhl/${id}`,
      warnings: [{ field: 'base_url', message: expect.stringContaining('ignored') }],
    });
    const { warnings: _warnings, ...one } = created;
    expect(dataOf(await driver.call('GET', `${PATH}/${id}`))).toEqual(one);
    const listed = dataOf(await driver.call('GET', PATH));
    expect([listed, list.errors(listed)]).toEqual([{ connections: [one] }, []]);
    const changed = dataOf(await driver.call('PATCH', `${PATH}/${id}`, { credentials: { push_token: 's3cret-new' } }));
    expect(changed['credential_names']).toEqual(['key', 'previous_push_token', 'push_token']);
    expect(dataOf(await driver.call('DELETE', `${PATH}/${id}`))).toEqual({ connection_id: id, deleted: true });
    expect((await driver.call('GET', `${PATH}/${id}`)).body.code).toBe('40403');
  });

  test('refuse what is wrong, by field, and other callers', async () => {
    const { status, body } = await driver.call('POST', PATH, { source: 'generic', carriers: [], credentials: {} });
    expect([status, body.code]).toEqual([422, '42201']);
    expect(body.data).toMatchObject({ errors: [{ field: 'source' }, { field: 'carriers' }] });
    expect((await driver.call('GET', PATH, undefined, null)).body.code).toBe('40301');
  });

  test('make one connection of several attempts with one Idempotency-Key', async () => {
    const attempt = () => driver.call('POST', PATH, dhl, TENANT, { 'idempotency-key': 'k1' });
    const [first, second] = [await attempt(), await attempt()];
    expect(dataOf(second)).toEqual(dataOf(first));
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect((dataOf(await driver.call('GET', PATH))['connections'] as unknown[]).length).toBe(1);
  });

  test('list what is served for the tenant', async () => {
    const carriers = async (tenantId: string) => dataOf(await driver.call('GET', '/open/v1/carriers', undefined, tenantId));
    await driver.call('POST', PATH, dhl);
    const mine = await carriers(TENANT);
    expect([mine, carrierList.errors(mine)]).toEqual([
      {
        carriers: [
          { carrier_code: 'dhl', served_by: 'own', source: 'dhl' },
          { carrier_code: 'sf', served_by: 'platform', source: '17track' },
        ],
        serves_all: true,
        simulated: true,
      },
      [],
    ]);
    expect(await carriers('tnt_other')).toMatchObject({ carriers: [{ carrier_code: 'sf' }] });
    // Only warehouses may list the carriers of the operator's connections.
    expect((await driver.warehouseCarriers()).body.data).toEqual({ carriers: ['sf'] });
    expect((await driver.warehouseCarriers('tenant')).body.code).toBe('40301');
  });
});

describe('the routes of the operator', () => {
  test('create, test, change and delete a connection with an address', async () => {
    const body = { id: 'ours', source: '17track', base_url: server.baseUrl, carriers: ['yt'], credentials: server.credentials };
    const created = dataOf(await driver.call('POST', INTERNAL, body, null));
    expect(operators.errors(created)).toEqual([]);
    expect(created).toMatchObject({ connection_id: 'ours', base_url: server.baseUrl, configured: false });
    const tested = dataOf(await driver.call('POST', `${INTERNAL}/ours/test`, undefined, null));
    expect([tested, tests.errors(tested)]).toMatchObject([{ connection_id: 'ours', result: 'works' }, []]);
    for (const limits of [{ calls_per_day: 100 }, null])
      expect(dataOf(await driver.call('PATCH', `${INTERNAL}/ours`, { limits }, null))).toMatchObject({ limits });
    const listed = dataOf(await driver.call('GET', INTERNAL, undefined, null));
    expect(listed['connections']).toMatchObject([{ connection_id: 'configured', create_time: null }, { connection_id: 'ours' }]);
    expect(dataOf(await driver.call('DELETE', `${INTERNAL}/ours`, undefined, null))).toEqual({ connection_id: 'ours', deleted: true });
  });

  test('refuse unknown fields, and callers that are no service', async () => {
    const typo = await driver.call('POST', INTERNAL, { ...dhl, baseurl: 'http://127.0.0.1' }, null);
    expect(typo.body.data).toEqual({ errors: [expect.objectContaining({ field: 'baseurl', rule: 'unknown' })] });
    for (const [method, path] of [
      ['GET', INTERNAL],
      ['POST', INTERNAL],
      ['DELETE', `${INTERNAL}/configured`],
    ] as const)
      expect((await driver.call(method, path)).body.code).toBe('40301');
  });
});

describe('the detection of carriers', () => {
  test('names a carrier for a number, however it is written', async () => {
    const { status, body } = await driver.detect({ tracking_number: '1z 999-aa1 0123456784' });
    expect([status, detection.errors(body.data)]).toEqual([200, []]);
    expect(body.data).toMatchObject({ tracking_number: '1Z999AA10123456784', candidates: [{ carrier_code: 'ups', confidence: 'high' }] });
  });

  test('without a number it is 42201; for any other caller than a tenant it is 40301', async () => {
    const missing = (await driver.detect({})).body;
    expect([missing.code, missing.data]).toMatchObject(['42201', { errors: [{ field: 'tracking_number', rule: 'required' }] }]);
    for (const kind of ['system', 'warehouse'] as const)
      expect((await driver.detect({ tracking_number: '1234' }, kind)).body.code).toBe('40301');
  });
});
