import { expect, test } from '@jest/globals';
import type { ConsoleLink, ConsoleSession } from '@parcelway/contracts/console-api';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { expectRoute } from '@parcelway/harness/route-call';
import { samplePdf } from '@parcelway/harness/sample-data';
import { until } from '@parcelway/kernel/testing/until';
import { useMerchant, useStage } from '../use-stage.ts';

/* Sessions of the console and links to it, as programs see them, and what of all secrets is in a log. */

const stage = useStage({ LOG_LEVEL: 'debug', ACCESS_LOG: 'on', WEBHOOK_RETRY_SCHEDULE: '0s,10ms' });
const merchant = useMerchant(stage);

async function codeWith(key: string, path = '/open/v1/me'): Promise<string> {
  const client = stage.platform.client(key);
  const response = await client.call(path);
  await client.close();
  return response.code;
}

const tokenOf = ({ url }: ConsoleLink): string => url.split('#link=')[1] ?? '';

const begin = async ({ client }: Merchant): Promise<string> => (await expectRoute<ConsoleSession>(client, 'createConsoleSession')).token;

test('tokens are in no log', async () => {
  const token = await begin(merchant);
  const link = tokenOf(await expectRoute<ConsoleLink>(merchant.client, 'createConsoleLink', { body: {} }));
  const client = stage.platform.client(`${token.slice(0, -1)}!`);
  expect((await client.call('/open/v1/me')).text).not.toContain(token.slice(4, 40));
  for (const each of [token, link]) expect([await codeWith(each), await codeWith(each, '/open/v1/none')]).toEqual(['0', '40402']);
  const log = () => stage.platform.log + stage.platform.output;
  await until(() => log().split('"route":"getOwnAccess"').length > 2, { what: 'the calls to be logged' });
  expect(log().includes('pfs_') ? 'a token' : 'none').toBe('none');
});

test('keys, signing secrets, tokens and contents never show in logs or refusals', async () => {
  const receiver = await stage.receiver();
  receiver.respond = (_webhook, res) => res.writeHead(500).end();
  const canary = await stage.operator.newMerchant();
  const marker = `CANARY-${newPoNumber()}`;
  const endpoint = await canary.createEndpoint({ url: `${receiver.url}?token=${marker}` });
  const rotated = await canary.client.expectOk<{ secret: string }>(`/open/v1/webhook-endpoints/${endpoint.endpoint_id}/rotate-secret`, {
    method: 'POST',
  });
  const uploaded = await canary.upload('a.pdf', samplePdf(marker));
  const refusedResponses = [
    await canary.upload('a.txt', Buffer.from(marker)),
    await canary.client.call('/open/v1/forecasts', {
      method: 'POST',
      body: `{"${marker}`,
      headers: { 'content-type': 'application/json' },
    }),
    await stage.platform.client(`${canary.identity.key}x`).call('/open/v1/warehouses'),
    await canary.client.call('/open/v1/forecasts', { body: { shipping_label: `https://example.com/${marker}` } }),
  ];
  for (const { text } of refusedResponses) expect(text).not.toContain(canary.identity.key);
  const { po_number } = await canary.submit({ forecastType: 1 });
  await canary.simulate({ po_number, step: 'weigh' });
  await receiver.waitForEvent('parcel.weighed', po_number);
  await stage.platform.stop();
  const log = stage.platform.log + stage.platform.output.replaceAll(stage.platform.quickstart.tenant.api_key, '');
  expect(log).toContain('"route":"submitForecast"');
  const secrets = [
    canary.identity.key,
    endpoint.secret,
    endpoint.secret.slice('whsec_'.length),
    rotated.secret,
    stage.platform.quickstart.admin.token,
    stage.platform.quickstart.warehouse.api_key,
    marker,
    uploaded.data.url.slice(uploaded.data.url.lastIndexOf('/') + 1),
  ];
  for (const secret of secrets) expect(log.includes(secret) ? secret : 'not in the log').toBe('not in the log');
}, 60_000);
