import { beforeEach, describe, expect, test } from '@jest/globals';
import { ApiFailure } from '@parcelway/page/api/failure';
import { pass, useSender, weighing } from '../testing/queue.ts';
import { PHOTO_LOST } from './sender.ts';

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

test('a reloaded page resumes sending with the same ids', async () => {
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

describe('a store of the device that fails', () => {
  const aborted = () => new DOMException('The transaction was aborted', 'AbortError');

  test.each(['remove', 'list', 'photo', 'replace'] as const)(
    'in `%s` is reported, and what waits is sent once it works again',
    async (method) => {
      await sending.weighed('FC1', 'a');
      const works = sending.store[method];
      Object.assign(sending.store, { [method]: () => Promise.reject(aborted()) });
      sending.run();
      await pass(5000);
      expect(sending.storeWorks).toEqual([false]);
      Object.assign(sending.store, { [method]: works });
      await pass(30_000);
      expect(sending.storeWorks).toEqual([false, true]);
      await sending.weighed('FC2');
      await pass(0);
      expect(sending.platform.stored.map(({ forecast_no }) => forecast_no)).toEqual(['FC1', 'FC2']);
      expect([sending.queue.reports, sending.store.reports.size, sending.platform.photos.size]).toEqual([[], 0, 1]);
    },
  );

  test('while a refused report is set aside does not end the sending', async () => {
    sending.platform.rejects = () => 'wrong';
    await sending.weighed('FC1');
    const { replace } = sending.store;
    sending.store.replace = () => Promise.reject(aborted());
    sending.run();
    await pass(0);
    sending.store.replace = replace;
    await pass(2000);
    expect(sending.queue.reports).toMatchObject([{ fault: { message: 'wrong' } }]);
  });
});

describe('a report that is refused', () => {
  beforeEach(() => {
    sending.platform.rejects = (event) =>
      'weight_kg' in event && event.weight_kg === 1 && event.forecast_no === 'FC1' ? 'wrong' : undefined;
  });

  test('does not block the others, and says why', async () => {
    sending.run();
    await sending.weighed('FC1', 'a');
    await sending.weighed('FC2');
    await pass(0);
    expect(sending.platform.stored.map(({ forecast_no }) => forecast_no)).toEqual(['FC2']);
    expect(sending.queue.reports).toMatchObject([{ fault: { code: '42201', message: 'wrong' } }]);
  });

  test('goes again under its id once it is fixed', async () => {
    sending.run();
    await sending.weighed('FC1');
    await pass(0);
    const [report] = sending.queue.reports;
    if (report !== undefined) await sending.queue.fix(report, { ...weighing('FC1'), weight_kg: 2 });
    await pass(0);
    expect(sending.platform.stored).toMatchObject([{ event_id: 'e1', weight_kg: 2 }]);
    expect(sending.queue.reports).toEqual([]);
  });

  test('is forgotten with its photos when it is dropped', async () => {
    sending.run();
    await sending.weighed('FC1', 'a');
    await pass(0);
    const [report] = sending.queue.reports;
    if (report !== undefined) await sending.queue.drop(report);
    expect([sending.store.reports.size, sending.store.photos.size]).toEqual([0, 0]);
  });

  test('as a whole call is found among the others', async () => {
    sending.gone.abort();
    await Promise.all(['FC1', 'FC2', 'FC3'].map((number) => sending.weighed(number)));
    const report = sending.platform.report.bind(sending.platform);
    sending.platform.report = async (events) => {
      if (events.some(({ forecast_no }) => forecast_no === 'FC2')) throw new ApiFailure('40001', { detail: 'unreadable' });
      return report(events);
    };
    sending.gone = new AbortController();
    sending.run();
    await pass(0);
    expect(sending.platform.stored.map(({ forecast_no }) => forecast_no)).toEqual(['FC3']);
    expect(sending.queue.reports.map(({ draft, fault }) => [draft.forecast_no, fault?.code])).toEqual([
      ['FC1', '42201'],
      ['FC2', '40001'],
    ]);
  });

  test('for a photo that the device has lost says so', async () => {
    await sending.weighed('FC2', 'a');
    sending.store.photos.clear();
    sending.run();
    await pass(0);
    expect(sending.queue.reports).toMatchObject([{ fault: { code: PHOTO_LOST } }]);
    const [report] = sending.queue.reports;
    if (report !== undefined) await sending.queue.fix(report, report.draft, false);
    await pass(0);
    expect(sending.platform.stored).toMatchObject([{ forecast_no: 'FC2' }]);
  });
});
