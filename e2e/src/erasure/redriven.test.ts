import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import type { Erasure } from '@parcelway/contracts/tenant-data-api';
import { platformMode } from '@parcelway/harness/installation';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { parcelctlJson, parcelctlOutput } from '@parcelway/harness/parcelctl';
import { until } from '@parcelway/kernel/testing/until';
import { useDirectory } from '../use-directory.ts';
import { useMerchant, useStage } from '../use-stage.ts';
import { appendAgain, forecastTopics, untilConsumed } from './messages-again.ts';
import { fullTenant, settledSoon } from './tenants.ts';
import { placesWith, rawPlacesWith } from './what-is-stored.ts';

/* Dead letters are kept for 30 days: longer than a forecast or a tenant may be. */

jest.setTimeout(240_000);

const COMMAND_MS = 180_000;
const WITHIN_MS = 60_000;

const stage = useStage({ ...settledSoon, FORECASTS_KEPT: '4s' });
const merchant = useMerchant(stage);
const folder = useDirectory();

interface Redriven {
  readonly redriven: number;
  readonly passed_over: number;
}

/** Redrives all dead letters about forecasts and waits until they have had their effect. */
async function redriveAll(): Promise<Redriven> {
  const sum = { redriven: 0, passed_over: 0 };
  for (const topic of Object.keys(forecastTopics)) {
    const env = { DATA_DIR: stage.platform.dataDirectory };
    const { redriven, passed_over } = await parcelctlJson<Redriven>(['dlq', 'redrive', '--topic', topic], env);
    sum.redriven += redriven;
    sum.passed_over += passed_over;
  }
  await untilConsumed(stage.platform);
  return sum;
}

/** A forecast that was completed, and deleted because its time was over. */
async function expired(of: Merchant): Promise<{ readonly poNumber: string; readonly forecastNo: string }> {
  const poNumber = newPoNumber('OVER');
  const { forecast_no: forecastNo } = await of.submit({ poNumber, forecastType: 1 });
  await of.simulate({ po_number: poNumber, step: 'weigh', weight_kg: 2.5, photos: 1 });
  await of.simulate({ po_number: poNumber, step: 'put_away' });
  const codeOf = async (): Promise<string> => (await of.client.call(`/open/v1/forecasts/${poNumber}`)).code;
  await until(async () => (await codeOf()) === '40401', { within: WITHIN_MS, what: 'the forecast to be deleted' });
  await untilConsumed(stage.platform);
  return { poNumber, forecastNo };
}

test('dead letters of a forecast whose time is over do not bring it back', async () => {
  const { forecastNo } = await expired(merchant);
  // The tracking deletes some seconds later.
  let before: readonly string[] = [];
  const ofServices = (): readonly string[] => before.filter((place) => /(file|warehouse-intake|tracking|forecast)\./.test(place));
  await until(
    async () => {
      before = await placesWith(stage.platform, [forecastNo]);
      return ofServices().length === 1;
    },
    { within: WITHIN_MS, what: 'every service to delete it' },
  );
  expect(ofServices()).toEqual([`${forecastNo} in file.forecast_files`]);

  await appendAgain(stage.platform, merchant.identity.tenantId, '.dlq');
  const { redriven, passed_over } = await redriveAll();
  expect(await placesWith(stage.platform, [forecastNo])).toEqual(before);
  // Redriven: the report of its photo, which the file service knows to be over.
  expect([redriven > 0, passed_over > 0]).toEqual([true, true]);
});

test('dead letters of an erased tenant do not bring it back', async () => {
  const gone = await fullTenant(stage, 'GONE');
  const before = platformMode() === 'embedded' ? await expired(gone.merchant) : undefined;
  const report = join(folder.path, 'report.json');
  const args = ['tenant', 'erase', gone.tenantId, '--yes', '--report', report];
  await parcelctlOutput(args, { DATA_DIR: stage.platform.dataDirectory }, COMMAND_MS);
  const erasure = JSON.parse(readFileSync(report, 'utf8')) as Erasure;
  expect([erasure.tenant_id, erasure.state]).toEqual([gone.tenantId, 'finished']);
  if (before !== undefined) {
    const { poNumber, forecastNo } = before;
    await stage.platform.stop();
    // Neither what the erasure has deleted nor what was deleted before. The contents of files that were deleted before go with the next sweep.
    const inStores = rawPlacesWith(stage.platform, [...gone.marks, poNumber, forecastNo]).filter((place) => place.includes('.db'));
    expect(inStores).toEqual([]);
    await stage.platform.start();
  }
  await appendAgain(stage.platform, gone.tenantId, '.dlq');
  const { passed_over } = await redriveAll();
  expect(passed_over).toBeGreaterThan(0);
  expect(await placesWith(stage.platform, [gone.tenantId, ...gone.marks])).toEqual([]);
  // Whoever publishes them again: every service drops them.
  await appendAgain(stage.platform, gone.tenantId, '');
  await untilConsumed(stage.platform);
  expect(await placesWith(stage.platform, [gone.tenantId, ...gone.marks])).toEqual([]);
});
