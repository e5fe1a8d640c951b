import { beforeAll, expect, test } from '@jest/globals';
import type { FailedCallList } from '@parcelway/contracts/activity-api';
import { until } from '@parcelway/kernel/testing/until';
import { callAdmin, callPublic } from '../../testing/gateway-client.ts';
import { startGateway, type TestGateway } from '../../testing/platform.ts';

/* What operators see of the calls of a tenant. */

const errors = [{ field: 'due_date', rule: 'required', message: 'due_date is required' }];
const refused = { code: '42201', message: 'due_date is required', data: { errors } };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway((req, res) => {
    const isSubmission = req.method === 'POST' && req.url === '/open/v1/forecasts';
    const body = isSubmission ? refused : { code: '0', message: 'success', data: { days: [] } };
    res.writeHead(isSubmission ? 422 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
});

const admin = async (method: string, path: string, body?: object) => (await callAdmin(gateway, method, path, body)).json;
const callsOf = async (tenantId: string, query = ''): Promise<FailedCallList> =>
  (await admin('GET', `/admin/v1/tenants/${tenantId}/requests${query}`)).data as unknown as FailedCallList;

/** A tenant whose calls failed: two submissions, and one with a scope that its key lacks. */
async function tenantWithFailures(name: string): Promise<{ id: string; key: string; keyId: string }> {
  const { id } = (await admin('POST', '/admin/v1/tenants', { name })).data as unknown as { id: string };
  const issued = await admin('POST', '/admin/v1/keys', { tenant_id: id, scopes: ['forecasts:write', 'keys:manage'] });
  const { key, key_id: keyId } = issued.data as unknown as { key: string; key_id: string };
  for (const _twice of [1, 2]) await callPublic(gateway, '/open/v1/forecasts', key, '{}');
  await callPublic(gateway, '/open/v1/forecasts/weighing?po_number=PO1', key);
  await until(async () => (await callsOf(id)).requests.length === 3, { what: 'the calls to be recorded' });
  return { id, key, keyId };
}

test('the failed calls of a tenant are those that the tenant sees, and nobody else’s', async () => {
  const [{ id, key, keyId }, other] = [await tenantWithFailures('Fails'), await tenantWithFailures('Other')];
  const { text } = await callPublic(gateway, '/open/v1/requests', key);
  const { warnings, ...own } = (JSON.parse(text) as { data: FailedCallList }).data;
  const seen = await callsOf(id);
  expect(seen).toEqual(own);
  expect(warnings).toEqual([]);
  expect(seen.requests.map(({ code, key_id }) => [code, key_id])).toEqual([
    ['40301', keyId],
    ['42201', keyId],
    ['42201', keyId],
  ]);
  const [latest, submission] = seen.requests;
  expect(submission).toMatchObject({
    method: 'POST',
    route: '/open/v1/forecasts',
    status: 422,
    message: refused.message,
    data: { errors },
  });

  expect((await callsOf(id, `?request_id=${submission?.request_id}`)).requests).toEqual([submission]);
  expect((await callsOf(other.id, `?request_id=${submission?.request_id}`)).requests).toEqual([]);
  expect((await callsOf(id, '?code=40301')).requests).toEqual([latest]);
  expect((await callsOf(id, `?key_id=${other.keyId}`)).requests).toEqual([]);
  const [from, to] = [String(submission?.time), String(latest?.time)];
  const between = seen.requests.filter(({ time }) => time >= from && time < to);
  const range = new URLSearchParams({ created_from: from, created_to: to });
  expect((await callsOf(id, `?${range}`)).requests).toEqual(between);
});
