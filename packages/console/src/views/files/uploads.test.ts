import { expect, test } from '@jest/globals';
import type { UploadedFile } from '@parcelway/contracts/file-api';
import { ApiFailure } from '@parcelway/page/api/failure';
import { failedFirst, pauseOf, roomOf, type Upload, type UploadSteps, uploadAll } from './uploads.ts';

const receiptOf = (name: string) => ({ origin_name: name, url: `https://x/files/${name}` }) as UploadedFile;
const uploadsOf = (...files: readonly Pick<File, 'name' | 'size'>[]): Upload[] =>
  files.map((file, id) => ({ id, file: file as File, state: 'waiting' }));

/** Uploads, and returns the last report of each file with the seconds that were waited. */
async function outcome(uploads: readonly Upload[], send: UploadSteps['send'], stop = new AbortController()) {
  const last = new Map<number, Upload>();
  const waited: number[] = [];
  const wait = async (seconds: number) => void waited.push(seconds);
  await uploadAll(uploads, { send, wait, signal: stop.signal }, (upload) => last.set(upload.id, upload));
  return { uploads: [...last.values()], waited };
}

test('a file that is refused or too large does not keep the next one back', async () => {
  const uploads = uploadsOf({ name: 'a.pdf', size: 1 }, { name: 'b.pdf', size: 10_485_761 }, { name: 'c.pdf', size: 1 });
  const found = await outcome(uploads, async (file) => {
    if (file.name === 'a.pdf') throw new ApiFailure('42205');
    return receiptOf(file.name);
  });
  expect(found.uploads.map(({ state, failure }) => [state, failure?.code])).toEqual([
    ['failed', '42205'],
    ['failed', '42206'],
    ['done', undefined],
  ]);
  expect(failedFirst(found.uploads).map(({ file }) => file.name)).toEqual(['a.pdf', 'b.pdf', 'c.pdf']);
  expect(failedFirst(found.uploads.toReversed()).map(({ file }) => file.name)).toEqual(['b.pdf', 'a.pdf', 'c.pdf']);
  expect(found.uploads.map(({ receipt }) => receipt?.url)).toEqual([undefined, undefined, 'https://x/files/c.pdf']);
});

test('a file is sent again when the platform asks to wait, but not for ever', async () => {
  let calls = 0;
  const busy = new ApiFailure('42901', { retryAfterSeconds: 300 });
  const found = await outcome(uploadsOf({ name: 'a.pdf', size: 1 }), async (file) => {
    calls += 1;
    if (calls === 1) throw busy;
    return receiptOf(file.name);
  });
  expect([found.uploads[0]?.state, found.waited]).toEqual(['done', [60]]);
  const never = await outcome(uploadsOf({ name: 'a.pdf', size: 1 }), () => Promise.reject(busy));
  expect([never.uploads[0]?.state, never.waited.length]).toEqual(['failed', 9]);
});

test('nothing more is sent once the view is gone', async () => {
  const stop = new AbortController();
  const found = await outcome(
    uploadsOf({ name: 'a.pdf', size: 1 }, { name: 'b.pdf', size: 1 }),
    async (file) => {
      stop.abort();
      return receiptOf(file.name);
    },
    stop,
  );
  expect(found.uploads.map(({ file }) => file.name)).toEqual(['a.pdf']);
});

test('files that are added meanwhile are uploaded after the others', async () => {
  const uploads = uploadsOf({ name: 'a.pdf', size: 1 }, { name: 'b.pdf', size: 1 });
  const [later] = uploadsOf({ name: 'c.pdf', size: 1 });
  const found = await outcome(uploads, async (file) => {
    if (file.name === 'b.pdf') uploads.push({ ...(later as Upload), id: 2 });
    return receiptOf(file.name);
  });
  expect(found.uploads.map(({ file, state }) => [file.name, state])).toEqual([
    ['a.pdf', 'done'],
    ['b.pdf', 'done'],
    ['c.pdf', 'done'],
  ]);
});

test('a list takes files of each choice, up to the longest list', () => {
  expect([roomOf(0), roomOf(200), roomOf(990), roomOf(1000)]).toEqual([200, 200, 10, 0]);
});

test('the next file waits until the platform takes it, and the first and the last one wait for nothing', async () => {
  const uploads = uploadsOf({ name: 'a.pdf', size: 1 }, { name: 'b.pdf', size: 1 }, { name: 'c.pdf', size: 1 });
  const found = await outcome(uploads, async (file, onRate) => {
    onRate({ limit: 50, remaining: file.name === 'a.pdf' ? 1 : 0, resetSeconds: 10 });
    return receiptOf(file.name);
  });
  expect(found.waited).toEqual([0.2]);
});

test('the wait is the time of one request, and never longer than a minute', () => {
  const of = (limit: number, remaining: number, resetSeconds: number) => pauseOf({ limit, remaining, resetSeconds });
  expect([of(50, 0, 10), of(1, 0, 1000), of(50, 1, 10), of(0, 0, 10)]).toEqual([0.2, 60, 0, 0]);
});
