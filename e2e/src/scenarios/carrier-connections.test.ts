import { describe, expect, test } from '@jest/globals';
import type { CarrierConnection } from '@parcelway/contracts/carrier-connection-api';
import { expectRoute } from '@parcelway/harness/route-call';
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
});

test('no secret is in a log', () => {
  const { log, output } = stage.platform;
  const secrets = [...SECRETS, ...Object.values(track.credentials), ...Object.values(dhl.credentials)];
  expect(`${log}${output}`.length).toBeGreaterThan(0);
  for (const secret of secrets) expect(`${log}${output}`.includes(secret)).toBe(false);
});
