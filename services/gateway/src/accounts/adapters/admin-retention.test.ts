import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { callAdmin, others } from '../../testing/gateway-client.ts';
import { startGateway, type TestGateway } from '../../testing/platform.ts';

let gateway: TestGateway;
let path: string;
beforeEach(async () => {
  gateway = await startGateway(others);
  const tenant = (await callAdmin(gateway, 'POST', '/admin/v1/tenants', { name: 'Acme' })).json.data;
  path = `/admin/v1/tenants/${tenant['id']}/retention`;
});
afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
});

test('the operator sets how long data of a tenant is kept', async () => {
  expect((await callAdmin(gateway, 'GET', path)).json.data).toMatchObject({ forecast_days: null, file_days: null });
  const set = await callAdmin(gateway, 'PATCH', path, { forecast_days: 400, file_days: 90 });
  expect(set.json.data).toMatchObject({ forecast_days: 400, file_days: 90 });
  await callAdmin(gateway, 'PATCH', path, { file_days: null });
  expect((await callAdmin(gateway, 'GET', path)).json.data).toMatchObject({ forecast_days: 400, file_days: null });
});

test.each([
  [{ forecast_days: 6 }, 'forecast_days'],
  [{ forecast_days: 3651 }, 'forecast_days'],
  [{ forecast_days: 7.5 }, 'forecast_days'],
  [{ file_days: '30' }, 'file_days'],
  [{ forecast_days: 30, file_days: 31 }, 'file_days'],
])('%p is refused by the name of its field', async (body, field) => {
  const refused = await callAdmin(gateway, 'PATCH', path, body);
  expect(refused).toMatchObject({ status: 422, json: { code: '42201' } });
  expect(JSON.stringify(refused.json)).toContain(field);
});

test('a tenant who does not exist has no retention', async () => {
  const elsewhere = '/admin/v1/tenants/tnt_none/retention';
  expect((await callAdmin(gateway, 'GET', elsewhere)).json.code).toBe('40403');
  expect((await callAdmin(gateway, 'PATCH', elsewhere, { forecast_days: 7 })).json.code).toBe('40403');
});
