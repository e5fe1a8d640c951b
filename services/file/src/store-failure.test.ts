import type { Readable } from 'node:stream';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Blobs } from '@parcelway/blobs/blobs';
import { AppError } from '@parcelway/kernel/app-error';
import { until } from '@parcelway/kernel/testing/until';
import { FileServiceUnderTest, form, pdf, warehouse } from './testing/file-service.ts';

/** An object store that fails on request, in front of the real one. */
class FailingBlobs implements Blobs {
  put: Blobs['put'];
  delete: Blobs['delete'];
  readonly open: Blobs['open'];
  readonly check: Blobs['check'];
  readonly close: Blobs['close'];
  readonly real: Blobs;

  constructor(real: Blobs) {
    this.real = real;
    this.put = (...call) => real.put(...call);
    this.delete = (key) => real.delete(key);
    this.open = (...call) => real.open(...call);
    this.check = () => real.check();
    this.close = () => real.close();
  }
}

let blobs: FailingBlobs;
let service: FileServiceUnderTest | undefined;
const open = async (options: { env?: Record<string, string>; dataDirectory?: string } = {}) => {
  service = await FileServiceUnderTest.open({
    ...options,
    wrap(real) {
      blobs = new FailingBlobs(real);
      return blobs;
    },
  });
  return service;
};
afterEach(async () => {
  await service?.close();
  service = undefined;
});

const outage = () => AppError.unavailable('The object store is out', new Error('ENOSPC'), 3);
const lateFailure = async (_key: string, content: Readable) => {
  let read = 0;
  for await (const chunk of content) {
    read += (chunk as Buffer).length;
    if (read > 300_000) throw outage();
  }
  throw outage();
};

describe('an object store that fails', () => {
  test.each([
    ['at once', async () => Promise.reject(outage())],
    ['on the way', lateFailure],
    ['unexpectedly', async () => Promise.reject(new Error('a defect of the driver'))],
  ])('%s is 42207 with Retry-After, without a record, and the retry succeeds', async (_when, put) => {
    const running = await open();
    blobs.put = put as Blobs['put'];
    const content = pdf(2_000_000, 4);
    const failed = await running.uploadPdf([{ name: 'a.pdf', content }]);
    expect(failed).toMatchObject({ status: 503, code: '42207', data: null });
    expect(failed.headers.get('retry-after')).toMatch(/^[13]$/);
    expect(await running.contentCount()).toBe(0);
    blobs.put = (...call) => blobs.real.put(...call);
    expect(await running.uploadPdf([{ name: 'a.pdf', content }])).toMatchObject({ code: '0', data: { deduplicated: false } });
  });

  test('is 42207 for photos too', async () => {
    const running = await open();
    blobs.put = async () => Promise.reject(outage());
    const png = Buffer.from('89504e470d0a1a0a00', 'hex');
    const response = await running.post('/warehouse/v1/photos', warehouse('WH-1'), form([{ name: 'a.png', content: png }]));
    expect(response).toMatchObject({ status: 503, code: '42207' });
  });
});

describe('a content without a record', () => {
  test('is removed by a sweep after a while, and the file can be uploaded again', async () => {
    const running = await open();
    // As if the process had ended between content and record: the content stays, nothing is cleaned up.
    blobs.put = async (...call) => {
      await blobs.real.put(...call);
      throw outage();
    };
    blobs.delete = async () => Promise.reject(outage());
    const content = pdf(1000, 9);
    expect(await running.uploadPdf([{ name: 'a.pdf', content }])).toMatchObject({ code: '42207' });
    expect(await running.contentCount()).toBe(1);
    await running.stop();

    const again = await open({ dataDirectory: running.dataDirectory, env: { FILE_ABANDONED_AFTER: '0ms' } });
    await until(async () => (await again.contentCount()) === 0);
    expect(await again.uploadPdf([{ name: 'a.pdf', content }])).toMatchObject({ code: '0', data: { deduplicated: false } });
  });

  test('is left alone while it is young, and never taken from a record', async () => {
    const running = await open();
    const response = await running.uploadPdf([{ name: 'a.pdf', content: pdf(1000, 10) }]);
    await running.stop();
    const again = await open({ dataDirectory: running.dataDirectory, env: { FILE_ABANDONED_AFTER: '0ms' } });
    expect(await again.uploadPdf([{ name: 'a.pdf', content: pdf(1000, 11) }])).toMatchObject({ code: '0' });
    expect((await again.open(response.data.url)).status).toBe(200);
  });
});
