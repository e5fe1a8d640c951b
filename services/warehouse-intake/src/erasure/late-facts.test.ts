import { expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { publishAcceptance, system, useIntake, warehouse } from '../testing/open-intake.ts';
import { report } from '../testing/samples.ts';

const own = useIntake();

const post = (caller: typeof system, path: string, body: object) =>
  own.intake.call(caller, path, { method: 'POST', body: JSON.stringify(body) });
const parcels = async (): Promise<number> => {
  const { body } = await own.intake.call(system, '/internal/v1/tenant-data/parcels?tenant_id=tnt_a');
  return (body.data['records'] as readonly object[]).length;
};
const lag = (): Promise<number> => own.intake.platform.bus.lag('warehouse-intake', 'forecast.events.v1');

test('events of an erased tenant that are still on their way recreate nothing, also after a restart', async () => {
  await publishAcceptance(own.intake.platform, 'FC1', ['SF1']);
  await until(async () => (await parcels()) === 1, { what: 'the forecast to be known' });
  expect((await post(system, '/internal/v1/erased-tenants', { tenant_id: 'tnt_a' })).body.code).toBe('0');
  // What is left of it takes no report any more: the report would outlive its forecast.
  await post(warehouse, '/warehouse/v1/events', report({ event_id: 'evt_late', forecast_no: 'FC1', express_no: undefined }));
  const unclaimed = async (): Promise<unknown> => (await own.intake.call(system, '/internal/v1/unclaimed')).body.data['parcels'];
  expect(await unclaimed()).toEqual([expect.objectContaining({ reason: 'no_forecast' })]);
  const erase = async (): Promise<unknown> =>
    (await post(system, '/internal/v1/tenant-data/parcels/erase', { tenant_id: 'tnt_a' })).body.data['erased'];
  expect([await erase(), await erase()]).toEqual([1, 0]);
  await publishAcceptance(own.intake.platform, 'FC2', ['SF2']);
  await until(async () => (await lag()) === 0, { what: 'the event to be finished' });
  await own.restart();
  await publishAcceptance(own.intake.platform, 'FC3', ['SF3']);
  await until(async () => (await lag()) === 0, { what: 'the event to be finished' });
  expect(await parcels()).toBe(0);
  // A report for its parcel finds no forecast any more.
  const taken = await post(warehouse, '/warehouse/v1/events', report({ forecast_no: 'FC2', express_no: undefined }));
  expect(taken.body.data).toMatchObject({ accepted: 1 });
  expect(await unclaimed()).toEqual([expect.objectContaining({ reason: 'no_forecast' })]);
});
