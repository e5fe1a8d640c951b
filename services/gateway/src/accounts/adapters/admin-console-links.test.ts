import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ConsoleLink } from '@parcelway/contracts/console-api';
import type { OwnAccess } from '@parcelway/contracts/key-api';
import type { CreatedOperator } from '@parcelway/contracts/operator-api';
import { until } from '@parcelway/kernel/testing/until';
import { callAdmin, callPublic, type Envelope, others, quickstartOf } from '../../testing/gateway-client.ts';
import { startGateway, type TestGateway } from '../../testing/platform.ts';

let gateway: TestGateway;
let tenantId: string;
beforeAll(async () => {
  gateway = await startGateway(others);
  tenantId = (await quickstartOf(gateway)).tenant.id;
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

const create = async (body: object | undefined, token?: string, id = tenantId): Promise<Envelope> =>
  (await callAdmin(gateway, 'POST', `/admin/v1/tenants/${id}/console-links`, body, token)).json as Envelope;
const linkOf = (response: Envelope): ConsoleLink => response.data as unknown as ConsoleLink;
const tokenOf = ({ url }: ConsoleLink): string => url.slice(url.indexOf('#link=') + '#link='.length);
const read = async <T>(path: string, key: string): Promise<{ code: string; data: T }> =>
  JSON.parse((await callPublic(gateway, path, key)).text) as { code: string; data: T };

describe("an operator's link", () => {
  test('reads for an hour, and either side ends it by its key', async () => {
    const link = linkOf(await create(undefined));
    expect(link).toMatchObject({ scopes: ['weighing:read', 'tracking:read'], warnings: [] });
    expect(link.url).toContain('/console#link=pfs_');
    const seen = await read<OwnAccess>('/open/v1/me', tokenOf(link));
    expect(seen.data).toMatchObject({
      tenant: { id: tenantId },
      key: { key_id: link.key_id, description: 'Link to the console, by the operator', scopes: link.scopes, expires_at: link.expires_at },
      session: { kind: 'link', expires_at: link.expires_at },
    });
    await callAdmin(gateway, 'POST', `/admin/v1/keys/${link.key_id}/revoke`);
    expect((await read('/open/v1/me', tokenOf(link))).code).toBe('40003');
  });

  test('is for the role support, and in the audit log of both sides', async () => {
    const operator = async (role: string) =>
      ((await callAdmin(gateway, 'POST', '/admin/v1/operators', { name: role, role })).json.data as unknown as CreatedOperator).token;
    expect((await create({}, await operator('read'))).code).toBe('40301');
    const link = linkOf(await create({ scopes: ['forecasts:write'], expires_in_seconds: 60 }, await operator('support')));
    const entries = async (): Promise<{ resource: { id: string }; actor: object; outcome: string }[]> =>
      (await callAdmin(gateway, 'GET', `/admin/v1/audit-log?tenant_id=${tenantId}&action=console_link.created`)).json.data[
        'entries'
      ] as unknown as [];
    const entry = await until(async () => (await entries()).find(({ resource }) => resource.id === link.key_id), { what: 'the entry' });
    expect(entry).toMatchObject({ actor: { type: 'operator', id: 'support' } });
  });

  test.each([
    [{ scopes: ['keys:manage'] }, 'scopes[0]'],
    [{ scopes: ['warehouse:read'] }, 'scopes[0]'],
    [{ expires_in_seconds: 59 }, 'expires_in_seconds'],
    [{ expires_in_seconds: 3601 }, 'expires_in_seconds'],
  ])('is refused with what is wrong: %j', async (body, field) => {
    expect(await create(body)).toMatchObject({ code: '42201', data: { errors: [{ field }] } });
  });

  test('is not for a tenant that does not exist, or is suspended', async () => {
    expect((await create({}, undefined, 'tnt_none')).code).toBe('40403');
    const id = String((await callAdmin(gateway, 'POST', '/admin/v1/tenants', { name: 'Asleep' })).json.data['id']);
    await callAdmin(gateway, 'POST', `/admin/v1/tenants/${id}/suspend`);
    expect((await create({}, undefined, id)).code).toBe('40902');
  });
});
