import { Readable } from 'node:stream';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Blobs } from '@parcelway/blobs/blobs';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { type Logger, silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import type { ContentDigest } from './domain/stored-file.ts';
import type { IncomingFile } from './ports.ts';
import { type ContentJob, type StoreContentOptions, storeContent } from './store-content.ts';
import { FileServiceUnderTest, pdf } from './testing/file-service.ts';

const NOW = 1_000_000;

const KEY = /^pdf\/[0-9a-f]{32}$/;

const digest = { size: 5, md5: 'md5', sha256: 'sha256' } as ContentDigest;

const outage = (retryAfterSeconds?: number): AppError => AppError.unavailable('The store is out', new Error('out'), retryAfterSeconds);

interface Failures {
  readonly begin?: unknown;
  readonly put?: unknown;
  readonly delete?: unknown;
  readonly refusal?: AppError;
  /** The store has written the record although it did not say so. */
  readonly recorded?: boolean;
}

/** Stores and an upload that write down what is asked of them, in its order, and fail on request. */
function setUp(failures: Failures = {}) {
  const calls: string[] = [];
  const logged: object[] = [];
  const call = async (name: string, failure?: unknown): Promise<void> => {
    calls.push(name);
    if (failure !== undefined) throw failure;
  };
  const pending: StoreContentOptions['pending'] = {
    async begin(ownerId, storageKey, now) {
      expect([ownerId, now]).toEqual(['tnt_1', NOW]);
      expect(storageKey).toMatch(KEY);
      // Later than what is not awaited.
      await new Promise((resolve) => setImmediate(resolve));
      await call('begin', failures.begin);
    },
    async abandon() {
      await call('abandon');
      return failures.recorded !== true;
    },
    forget: () => call('forget'),
  };
  let beforeEnd: (given: ContentDigest) => Promise<void> = async () => undefined;
  const blobs = {
    async put(key: string, _content: unknown, mediaType: string) {
      expect(key).toMatch(KEY);
      expect(mediaType).toBe('application/pdf');
      await beforeEnd(digest);
      await call('put', failures.put);
    },
    delete: () => call('delete', failures.delete),
  } as unknown as Blobs;
  const incoming = {
    name: 'a.pdf',
    kind: { mediaType: 'application/pdf', extension: 'pdf' },
    content: Readable.from([]),
    refusal: failures.refusal,
    digest: () => digest,
    beforeEnd(check: typeof beforeEnd) {
      beforeEnd = check;
    },
  } as unknown as IncomingFile;
  const logger: Logger = { ...silentLogger, warn: (fields: object) => void logged.push(fields) };
  const options: StoreContentOptions = { blobs, pending, clock: new ManualClock(NOW), logger };
  const job: ContentJob<string> = {
    ownerId: 'tnt_1',
    prefix: 'pdf',
    incoming,
    failpoint: 'file.content-stored',
    beforeStored: (given) => {
      expect(given).toBe(digest);
      return call('beforeStored');
    },
    async record(storageKey, given) {
      expect(storageKey).toMatch(KEY);
      expect(given).toBe(digest);
      await call('record');
      return { value: 'recorded', keep: true };
    },
  };
  return { options, job, calls, logged };
}

describe('a content', () => {
  test('is noted before it is stored, and stored before it is recorded', async () => {
    const { options, job, calls } = setUp();
    expect(await storeContent(options, job)).toBe('recorded');
    expect(calls).toEqual(['begin', 'beforeStored', 'put', 'record']);
  });

  test('that is not needed is removed with its note', async () => {
    const { options, job, calls } = setUp();
    const record = async () => ({ value: 'known', keep: false });
    expect(await storeContent(options, { ...job, record })).toBe('known');
    expect(calls).toEqual(['begin', 'beforeStored', 'put', 'abandon', 'delete', 'forget']);
  });

  test('whose storing failed is removed, and its note stays for the sweep', async () => {
    const { options, job, calls } = setUp({ put: outage(3) });
    await expect(storeContent(options, job)).rejects.toMatchObject({ code: '42207' });
    expect(calls).toEqual(['begin', 'beforeStored', 'put', 'abandon', 'delete']);
  });

  test('that was recorded after all stays', async () => {
    const { options, job, calls } = setUp({ put: outage(), recorded: true });
    await expect(storeContent(options, job)).rejects.toMatchObject({ code: '42207' });
    expect(calls).toEqual(['begin', 'beforeStored', 'put', 'abandon']);
  });

  test('that cannot be noted is neither stored nor removed', async () => {
    const { options, job, calls } = setUp({ begin: outage() });
    await expect(storeContent(options, job)).rejects.toMatchObject({ code: '42207' });
    expect(calls).toEqual(['begin']);
  });

  test('that cannot be removed now is left to the sweep, which is logged', async () => {
    const error = new Error('the object store is out');
    const { options, job, logged } = setUp({ put: outage(), delete: error });
    await expect(storeContent(options, job)).rejects.toMatchObject({ code: '42207' });
    expect(logged).toEqual([{ err: error, storage_key: expect.stringMatching(KEY) }]);
  });
});

describe('a failure to store', () => {
  test.each<[string, Failures, object]>([
    ['has the wait that the store asks for', { put: outage(7) }, { code: '42207', retryAfterSeconds: 7 }],
    ['has a wait of a second when there is no other', { put: new Error('a defect') }, { code: '42207', retryAfterSeconds: 1 }],
    ['is the refusal of the upload when there is one', { put: outage(7), refusal: new AppError('42206') }, { code: '42206' }],
    ['is what it is when it may not be tried again', { put: new AppError('42205') }, { code: '42205' }],
  ])('%s', async (_what, failures, expected) => {
    const { options, job } = setUp(failures);
    await expect(storeContent(options, job)).rejects.toMatchObject(expected);
  });
});

describe('an object store that fails', () => {
  let real: Blobs;
  let put: Blobs['put'] | undefined;
  let remove: Blobs['delete'] | undefined;
  let service: FileServiceUnderTest;

  const open = async (options: { env?: Record<string, string>; dataDirectory?: string } = {}) => {
    service = await FileServiceUnderTest.open({
      ...options,
      wrap(blobs) {
        real = blobs;
        return {
          put: (...call) => (put ? put(...call) : blobs.put(...call)),
          delete: (key) => (remove ? remove(key) : blobs.delete(key)),
          open: (...call) => blobs.open(...call),
          check: () => blobs.check(),
          close: () => blobs.close(),
        };
      },
    });
    return service;
  };
  afterEach(async () => {
    put = undefined;
    remove = undefined;
    await service.close();
  });
  const fail = () => Promise.reject(outage(3));

  test('leaves a content without a record, which a sweep removes after a while, and the file can be uploaded again', async () => {
    const running = await open();
    // As if the process had ended between content and record: the content stays, nothing is cleaned up.
    put = async (...call) => {
      await real.put(...call);
      throw outage();
    };
    remove = fail;
    const parts = [{ name: 'a.pdf', content: pdf(1000, 9) }];
    expect(await running.uploadPdf(parts)).toMatchObject({ code: '42207' });
    expect(await running.contentCount()).toBe(1);
    await running.stop();
    [put, remove] = [undefined, undefined];
    const again = await open({ dataDirectory: running.dataDirectory, env: { FILE_ABANDONED_AFTER: '0ms' } });
    await until(async () => (await again.contentCount()) === 0);
    expect(await again.uploadPdf(parts)).toMatchObject({ code: '0', data: { deduplicated: false } });
  });
});
