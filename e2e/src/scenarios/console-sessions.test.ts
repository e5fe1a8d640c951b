import { describe, expect, test } from '@jest/globals';
import type { AuditLog } from '@parcelway/contracts/activity-api';
import type { ConsoleLink, ConsoleSession } from '@parcelway/contracts/console-api';
import type { OwnAccess, TenantKeyList } from '@parcelway/contracts/key-api';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { parcelctlJson } from '@parcelway/harness/parcelctl';
import { expectRoute } from '@parcelway/harness/route-call';
import { samplePdf } from '@parcelway/harness/sample-data';
import { until } from '@parcelway/kernel/testing/until';
import { useStageWithMerchant } from '../use-stage.ts';

/* Sessions of the console and links to it, as programs see them, and what of all secrets is in a log. */

const { stage, merchant } = useStageWithMerchant({ LOG_LEVEL: 'debug', ACCESS_LOG: 'on', WEBHOOK_RETRY_SCHEDULE: '0s,10ms' });

const tokenOf = ({ url }: ConsoleLink): string => url.split('#link=')[1] ?? '';

async function codeWith(key: string, path = '/open/v1/me'): Promise<string> {
  const client = stage.platform.client(key);
  const { code } = await client.call(path);
  await client.close();
  return code;
}

const begin = async ({ client }: Merchant): Promise<string> => (await expectRoute<ConsoleSession>(client, 'createConsoleSession')).token;
const ended = (token: string): Promise<unknown> =>
  until(async () => (await codeWith(token)) === '40003', { within: 5000, what: 'the session to end' });

describe('a session', () => {
  test('works as its key does, and ends at once with it, and so does each link', async () => {
    const owner = await stage.operator.withKey(merchant, { scopes: ['forecasts:write', 'weighing:read'] });
    const token = await begin(owner);
    const link = await expectRoute<ConsoleLink>(owner.client, 'createConsoleLink', { body: { expires_in_seconds: 60 } });
    const client = stage.platform.client(token);
    const me = await expectRoute<OwnAccess>(client, 'getOwnAccess');
    expect(me).toMatchObject({
      key: { key_id: owner.identity.keyId, scopes: ['forecasts:write', 'weighing:read'] },
      session: { kind: 'session' },
    });
    const { po_number } = await merchant.submit();
    expect(await expectRoute(client, 'getForecast', { path: { po_number } })).toMatchObject({ po_number });
    expect(await codeWith(tokenOf(link), `/open/v1/forecasts/${po_number}`)).toBe('0');
    await stage.operator.revokeKey(owner.identity.keyId);
    await Promise.all([ended(token), ended(tokenOf(link))]);
  });
});

describe('a link', () => {
  test('gives what it says and no more, and is in the audit log with its key', async () => {
    const link = await expectRoute<ConsoleLink>(merchant.client, 'createConsoleLink', { body: { scopes: ['tracking:read'] } });
    const token = tokenOf(link);
    expect(link.url.startsWith(`${stage.platform.quickstart.base_url}/console#link=pfs_`)).toBe(true);
    expect(await codeWith(token, '/open/v1/webhook-endpoints')).toBe('40301');
    expect(await codeWith(token, '/open/v1/keys')).toBe('40301');
    const logged = async () =>
      (await expectRoute<AuditLog>(merchant.client, 'listAuditLog', { query: { action: 'console_link.created' } })).entries;
    await until(async () => (await logged()).some(({ resource, outcome }) => resource.id === link.key_id && outcome === 'success'), {
      what: 'the entry',
    });
    const strong = await expectRoute<ConsoleLink>(merchant.client, 'createConsoleLink', { body: { scopes: ['forecasts:write'] } });
    const { po_number } = await merchant.submit();
    await expectRoute(stage.platform.client(tokenOf(strong)), 'cancelForecast', { path: { po_number } });
    const { entries } = await expectRoute<AuditLog>(merchant.client, 'listAuditLog', { query: { action: 'forecast.cancelled' } });
    expect(entries.find(({ resource }) => resource.id === po_number)?.actor).toMatchObject({ id: link.key_id, session: 'link' });
  });

  test('of an operator has a key of its own, by which it ends', async () => {
    const link = await parcelctlJson<ConsoleLink>(
      ['tenant', 'console-link', merchant.identity.tenantId, '--scopes', 'weighing:read', '--minutes', '5'],
      { DATA_DIR: stage.platform.dataDirectory },
    );
    expect(link.scopes).toEqual(['weighing:read']);
    const { keys } = await expectRoute<TenantKeyList>(merchant.client, 'listKeys');
    expect(keys.find(({ key_id }) => key_id === link.key_id)).toMatchObject({ description: 'Link to the console, by the operator' });
    expect(await codeWith(tokenOf(link))).toBe('0');
    await expectRoute(merchant.client, 'revokeKey', { path: { key_id: link.key_id } });
    await ended(tokenOf(link));
  });
});

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
