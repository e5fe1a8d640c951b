import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Principal } from '@parcelway/contracts/principal';
import { until } from '@parcelway/kernel/testing/until';
import { type OpenIntake, openIntake, publishAcceptance } from '../testing/open-intake.ts';
import { report } from '../testing/samples.ts';

const principal = { tenantId: null, warehouseCode: null, keyId: 'k', scopes: [], environment: 'sandbox' } as const;
const system: Principal = { ...principal, kind: 'system' };
const warehouse: Principal = { ...principal, kind: 'warehouse', warehouseCode: 'WH1', scopes: ['warehouse:write', 'warehouse:read'] };

let directory: string;
let opened: OpenIntake;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'intake-erasure-'));
  opened = await openIntake(directory);
});
afterEach(async () => {
  await opened.stop();
  rmSync(directory, { recursive: true, force: true });
});

const post = (caller: Principal, path: string, body: object) => opened.call(caller, path, { method: 'POST', body: JSON.stringify(body) });
const parcels = async (): Promise<number> => {
  const { body } = await opened.call(system, '/internal/v1/tenant-data/parcels?tenant_id=tnt_a');
  return (body.data['records'] as readonly object[]).length;
};
const lag = (): Promise<number> => opened.platform.bus.lag('warehouse-intake', 'forecast.events.v1');

test('events of an erased tenant that are still on their way recreate nothing, also after a restart', async () => {
  await publishAcceptance(opened.platform, 'FC1', ['SF1']);
  await until(async () => (await parcels()) === 1, { what: 'the forecast to be known' });
  expect((await post(system, '/internal/v1/erased-tenants', { tenant_id: 'tnt_a' })).body.code).toBe('0');
  const erase = async (): Promise<unknown> =>
    (await post(system, '/internal/v1/tenant-data/parcels/erase', { tenant_id: 'tnt_a' })).body.data['erased'];
  expect([await erase(), await erase()]).toEqual([1, 0]);
  await publishAcceptance(opened.platform, 'FC2', ['SF2']);
  await until(async () => (await lag()) === 0, { what: 'the event to be finished' });
  await opened.stop();
  opened = await openIntake(directory);
  await publishAcceptance(opened.platform, 'FC3', ['SF3']);
  await until(async () => (await lag()) === 0, { what: 'the event to be finished' });
  expect(await parcels()).toBe(0);
  // A report for its parcel finds no forecast any more.
  const taken = await post(warehouse, '/warehouse/v1/events', report({ forecast_no: 'FC2', express_no: undefined }));
  expect(taken.body.data).toMatchObject({ accepted: 1 });
  const { body } = await opened.call(system, '/internal/v1/unclaimed');
  expect(body.data['parcels']).toEqual([expect.objectContaining({ reason: 'no_forecast' })]);
});
