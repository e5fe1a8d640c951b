import { expect, test } from '@jest/globals';
import { mixedPushes, sendBurst } from '@parcelway/harness/sources/push-burst';
import { recentRow } from '@parcelway/harness/sources/recent-row';
import { connectionTo } from '@parcelway/harness/sources/source-connection';
import { until } from '@parcelway/kernel/testing/until';
import { dispatchedWith, newTrackingNumber, pushTo, useSourceServer } from '../source-parcels.ts';
import { useMerchant, useStageWithMerchant } from '../use-stage.ts';

/* 10,000 pushes at one connection, most of them forged, while a merchant works. */

const BURST = { count: 10_000, connections: 64 };
/** What another connection gets meanwhile. */
const CALM = { count: 50, connections: 1 };
const PARCELS = 8;
const PATH = 'easypost/con-burst';
const CALM_PATH = 'easypost/con-calm';

const source = useSourceServer('easypost');
const { stage, merchant } = useStageWithMerchant(() => ({
  TRACKING_SOURCES: JSON.stringify([connectionTo(source, 'con-burst', ['usps']), connectionTo(source, 'con-calm', ['fedex'])]),
}));
const other = useMerchant(stage);

test('a burst of pushes is taken or refused one by one, and the API goes on', async () => {
  const parcels = await Promise.all(
    Array.from({ length: PARCELS }, async () => {
      const number = newTrackingNumber('EZ');
      source.addRows(number, recentRow('in transit', 180));
      const poNumber = await dispatchedWith(merchant, 'usps', number);
      await merchant.untilTracking(poNumber, ({ nodes }) => nodes.length === 1, 'what the source knows', 20_000);
      source.addRows(number, recentRow('out for delivery', 60));
      return { number, poNumber };
    }),
  );
  const calmNumber = newTrackingNumber('EZ');
  source.addRows(calmNumber, recentRow('in transit', 180));
  const calmPoNumber = await dispatchedWith(merchant, 'fedex', calmNumber);
  const numbers = parcels.map(({ number }) => number);
  const { target, platform } = stage;
  const pushUrl = `${platform.quickstart.base_url}/carriers/v1`;
  let isOver = false;
  const burst = sendBurst({ ...BURST, url: `${pushUrl}/${PATH}`, ca: target.ca, pushes: mixedPushes(source, numbers) }).finally(() => {
    isOver = true;
  });
  // Both throw unless they get what they ask for.
  const { po_number } = await other.submit({ forecastType: 1 });
  source.addRows(calmNumber, recentRow('delivered', 1));
  const calmPush = { kind: 'signed', ...source.signPush(calmNumber) } as const;
  const calm = sendBurst({ ...CALM, url: `${pushUrl}/${CALM_PATH}`, ca: target.ca, pushes: [calmPush] });
  do await Promise.all([other.tracking(po_number), other.forecast(po_number), merchant.tracking(String(parcels[0]?.poNumber))]);
  while (!isOver);

  // A burst at one connection refuses no push of another.
  expect((await calm).statuses).toEqual({ signed: { 200: CALM.count }, forged: {} });
  expect(await merchant.tracking(calmPoNumber)).toMatchObject({ latest_status: 'Delivery Success', is_terminal: true });

  const { signed, forged } = (await burst).statuses;
  expect(Object.keys(signed)).toEqual(expect.arrayContaining(['200']));
  expect(Object.keys(signed).filter((status) => !['200', '429', '503'].includes(status))).toEqual([]);
  expect(Object.keys(forged)).toEqual(expect.arrayContaining(['401']));
  expect(Object.keys(forged).filter((status) => !['401', '429', '503'].includes(status))).toEqual([]);
  const counts = [...Object.values(signed), ...Object.values(forged)];
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(BURST.count);

  // What was taken has had its effect, once; what was forged has had none; and pushes are taken as before.
  for (const { number, poNumber } of parcels) {
    const statuses = (await merchant.tracking(poNumber)).nodes.map(({ admin_status }) => admin_status);
    expect(statuses).toEqual(['In Delivery', 'In Transit']);
    source.addRows(number, recentRow('delivered', 1));
    await until(async () => (await pushTo(stage, PATH, source.signPush(number))).status === 200, { what: 'a push to be taken' });
    expect(await merchant.tracking(poNumber)).toMatchObject({ latest_status: 'Delivery Success', is_terminal: true });
  }
}, 120_000);
