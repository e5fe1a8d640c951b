import { beforeEach, describe, expect, test } from '@jest/globals';
import { ApiFailure } from '@parcelway/page/api/failure';
import { pass, useSender, weighing } from '../testing/use-sender.ts';
import { PHOTO_LOST } from './photo-upload.ts';

const sending = useSender();

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
