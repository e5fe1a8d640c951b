import { expect, test } from '@jest/globals';
import { ApiFailure } from '@parcelway/page/api/failure';
import { pass, useSender, weighing } from '../testing/use-sender.ts';

const sending = useSender();

test('what is reported goes at once, its photos before it, with the time of the bench', async () => {
  sending.run();
  await sending.weighed('FC1', 'a', 'b');
  await pass(0);
  expect(sending.platform.stored).toEqual([
    { ...weighing('FC1'), event_id: 'e1', occurred_at: '2026-11-23T04:00:00.000Z', warehouse_code: 'SZ01', photo_ids: ['ph_1', 'ph_2'] },
  ]);
  expect([sending.store.reports.size, sending.store.photos.size]).toEqual([0, 0]);
});

test('a response that is lost doubles nothing', async () => {
  sending.platform.losesResponses = true;
  sending.run();
  await sending.weighed('FC1', 'a');
  await pass(10_000);
  sending.platform.losesResponses = false;
  await pass(60_000);
  expect(sending.platform.stored).toHaveLength(1);
  expect(sending.platform.stored[0]).toMatchObject({ event_id: 'e1', photo_ids: ['ph_1'] });
  expect(sending.platform.photos.size).toBe(1);
});

test('a page that is loaded again goes on where the last one stopped, under the same ids', async () => {
  sending.platform.failure = new ApiFailure('offline');
  sending.run();
  await sending.weighed('FC1', 'a');
  await sending.weighed('FC2');
  await pass(3000);
  sending.gone.abort();
  sending.gone = new AbortController();
  sending.platform.failure = undefined;
  const again = await sending.openQueue();
  expect(again.reports.map(({ stamp }) => stamp.event_id)).toEqual(['e1', 'e2']);
  sending.run(again);
  await pass(0);
  expect(sending.platform.stored.map(({ event_id }) => event_id)).toEqual(['e1', 'e2']);
});

test('another warehouse on the same device sees and sends none of it', async () => {
  await sending.weighed('FC1');
  const other = await sending.openQueue('HK01');
  sending.run(other);
  await pass(0);
  expect([other.reports, sending.platform.stored]).toEqual([[], []]);
  expect(sending.queue.reports).toHaveLength(1);
});

test('a key that may not report stops the sending, and what waits stays', async () => {
  sending.platform.failure = new ApiFailure('40301', { detail: 'scope warehouse:write' });
  sending.run();
  await sending.weighed('FC1');
  await pass(120_000);
  expect(sending.stopped?.code).toBe('40301');
  expect([sending.platform.calls.length, sending.queue.reports.length]).toEqual([1, 1]);
});

test('a warning of the platform is reported with its report', async () => {
  sending.run();
  await sending.queue.add({ title: 'SF1', draft: { type: 'arrival', express_no: 'SF1234' }, photos: [] });
  await pass(0);
  expect(sending.warnings).toMatchObject([{ rule: 'no_forecast', report: { title: 'SF1' } }]);
});
