import { describe, expect, test } from '@jest/globals';
import type { CarrierList } from '@parcelway/contracts/carrier-api';
import type { CarrierConnection } from '@parcelway/contracts/carrier-connection-api';
import type { ConnectionOfOperator } from '@parcelway/contracts/operator-connection-api';
import { parcelctlJson } from '@parcelway/harness/parcelctl';
import { callRoute, expectRoute } from '@parcelway/harness/route-call';
import type { SourceServer } from '@parcelway/harness/sources/source-server';
import { sourceServers } from '@parcelway/harness/sources/source-servers';
import { useMerchant, useOpened, useStage } from '../use-stage.ts';

const start = (name: string) => () => (sourceServers[name] as () => Promise<SourceServer>)();
const close = (server: SourceServer) => server.close();
/** The operator's vendor. */
const track = useOpened('17TRACK', start('17track'), close);
/** The vendor whose pushes a tenant gets; its calls would go to its own address. */
const dhl = useOpened('DHL', start('dhl'), close);

const stage = useStage(() => ({
  TRACKING_SOURCES: JSON.stringify([
    { id: 'operators', source: '17track', base_url: track.baseUrl, carriers: ['ups', 'dhl'], credentials: track.credentials },
  ]),
}));
const merchant = useMerchant(stage);
const other = useMerchant(stage);

const NUMBER = '00340434161094000001';
const SECRETS = ['s3cret-of-the-tenant', 's3cret-of-a-rotation'] as const;

const connect = (credentials: Readonly<Record<string, string>>): Promise<CarrierConnection> =>
  expectRoute<CarrierConnection>(merchant.client, 'createConnection', { body: { source: 'dhl', carriers: ['dhl'], credentials } });

/** Sends the vendor's push to the address of a connection. @returns the code of the response */
async function push({ push_url }: CarrierConnection): Promise<string> {
  const { body, headers } = dhl.signPush(NUMBER);
  const { pathname } = new URL(String(push_url));
  const response = await stage.platform.client(null).call(pathname, { method: 'POST', body, headers });
  return response.code;
}

describe('an account of a tenant', () => {
  test('is asked before the operator’s, for this tenant alone', async () => {
    const carriersOf = ({ client }: typeof merchant) => expectRoute<CarrierList>(client, 'listCarriers');
    const operators = (carrier_code: string) => ({ carrier_code, served_by: 'platform', source: '17track' });
    expect(await carriersOf(merchant)).toEqual({ carriers: [operators('dhl'), operators('ups')], serves_all: false, simulated: true });
    const { connection_id } = await connect({ key: SECRETS[0], push_token: SECRETS[1] });
    expect((await carriersOf(merchant)).carriers).toEqual([{ carrier_code: 'dhl', served_by: 'own', source: 'dhl' }, operators('ups')]);
    expect((await carriersOf(other)).carriers).toEqual([operators('dhl'), operators('ups')]);
    await expectRoute(merchant.client, 'deleteConnection', { path: { connection_id } });
    expect((await carriersOf(merchant)).carriers).toEqual([operators('dhl'), operators('ups')]);
  });

  test('gets pushes that its secret proves, during a rotation those of the former one, too', async () => {
    dhl.addRows(NUMBER, { stage: 'in transit', at: new Date(Date.now() - 3_600_000).toISOString(), country: 'DE' });
    const connection = await connect(dhl.credentials);
    const path = { connection_id: connection.connection_id };
    const change = (credentials: Readonly<Record<string, string | null>>) =>
      expectRoute<CarrierConnection>(merchant.client, 'updateConnection', { path, body: { credentials } });
    expect(await push(connection)).toBe('0');
    expect((await change({ push_token: SECRETS[1] })).credential_names).toEqual(['key', 'previous_push_token', 'push_token']);
    expect(await push(connection)).toBe('0');
    await change({ previous_push_token: null });
    expect(await push(connection)).toBe('40003');
    await expectRoute(merchant.client, 'deleteConnection', { path });
    expect(await push(connection)).toBe('40402');
  });

  test('has no address of its own choice, and none of the operator’s connections', async () => {
    const refused = await callRoute(merchant.client, 'createConnection', {
      body: { source: 'generic', carriers: ['*'], credentials: { url: 'http://127.0.0.1:1/{tracking_number}' } },
    });
    expect(refused).toMatchObject({ status: 422, code: '42201', data: { errors: [{ field: 'source' }] } });
    for (const id of ['getConnection', 'deleteConnection', 'testConnection'])
      expect((await callRoute(merchant.client, id, { path: { connection_id: 'operators' } })).code).toBe('40403');
  });
});

describe('the operator', () => {
  const parcelctl = <T>(...args: string[]) => parcelctlJson<T>(['connection', ...args], { DATA_DIR: stage.platform.dataDirectory });

  test('lists and tests the connections of the configuration; its account tracks parcels', async () => {
    const { connections } = await parcelctl<{ connections: ConnectionOfOperator[] }>('list');
    expect(connections).toMatchObject([{ connection_id: 'operators', configured: true, base_url: track.baseUrl }]);
    expect(await parcelctl('test', 'operators')).toMatchObject({ result: 'works' });
    expect(track.calls.length).toBeGreaterThan(0);
  });
});

test('no secret is in a log', () => {
  const { log, output } = stage.platform;
  const secrets = [...SECRETS, ...Object.values(track.credentials), ...Object.values(dhl.credentials)];
  expect(`${log}${output}`.length).toBeGreaterThan(0);
  for (const secret of secrets) expect(`${log}${output}`.includes(secret)).toBe(false);
});
