import { expect, test } from '@jest/globals';
import { ApiFailure } from '@parcelway/page/api/failure';
import { pass, useSender } from '../testing/use-sender.ts';

const sending = useSender();

test('two minutes without a network lose nothing, double nothing and keep the order', async () => {
  sending.run();
  sending.platform.failure = new ApiFailure('offline');
  for (let parcel = 1; parcel <= 20; parcel += 1) {
    await sending.weighed(`FC${parcel}`, `photo-${parcel}`);
    await pass(6000);
  }
  expect(sending.platform.stored).toEqual([]);
  expect(sending.queue.reports).toHaveLength(20);
  sending.platform.failure = undefined;
  await pass(40_000);
  expect(sending.platform.stored.map(({ forecast_no }) => forecast_no)).toEqual(Array.from({ length: 20 }, (_, index) => `FC${index + 1}`));
  expect(sending.platform.stored.map(({ occurred_at }) => occurred_at)).toEqual(
    Array.from({ length: 20 }, (_, index) => new Date(Date.parse('2026-11-23T04:00:00Z') + index * 6000).toISOString()),
  );
  expect([sending.store.reports.size, sending.store.photos.size, sending.platform.photos.size]).toEqual([0, 0, 20]);
});

test('waits between tries grow to half a minute; the return of the network ends them', async () => {
  sending.platform.failure = new ApiFailure('timeout');
  const sender = sending.run();
  await sending.weighed('FC1');
  await pass(150_000);
  const waits = sending.platform.calls.slice(1).map((at, index) => at - (sending.platform.calls[index] ?? 0));
  expect(waits.slice(0, 6)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000]);
  expect(Math.max(...waits)).toBe(30_000);
  sending.platform.failure = undefined;
  sender.wake();
  await pass(0);
  expect(sending.platform.stored).toHaveLength(1);
});

test('a wait that the platform asks for is kept', async () => {
  sending.platform.failure = new ApiFailure('42901', { retryAfterSeconds: 7 });
  sending.run();
  await sending.weighed('FC1');
  await pass(6900);
  expect(sending.platform.calls).toHaveLength(1);
  await pass(200);
  expect(sending.platform.calls).toHaveLength(2);
});
