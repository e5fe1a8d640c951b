import { describe, expect, test } from '@jest/globals';
import { pass, useSender } from '../testing/use-sender.ts';

const sending = useSender();

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

  test('is tried again after the waits of the network', async () => {
    await sending.weighed('FC1');
    sending.store.remove = () => Promise.reject(aborted());
    sending.run();
    await pass(8000);
    expect(sending.platform.calls.map((at) => at - (sending.platform.calls[0] ?? 0))).toEqual([0, 1000, 3000, 7000]);
  });

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
