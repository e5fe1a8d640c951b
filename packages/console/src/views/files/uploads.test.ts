import { describe, expect, test } from '@jest/globals';
import type { UploadedFile } from '@parcelway/contracts/file-api';
import { ApiFailure } from '@parcelway/page/api/failure';
import {
  failedFirst,
  MOST_COPIED,
  type NamedFile,
  readFiles,
  roomOf,
  tableOf,
  type Upload,
  type UploadSteps,
  uploadAll,
} from './uploads.ts';

const receiptOf = (name: string) => ({ origin_name: name, url: `https://x/files/${name}` }) as UploadedFile;

const uploadsOf = (...files: readonly Pick<File, 'name' | 'size'>[]): Upload[] =>
  files.map((file, id) => ({ id, file: file as File, state: 'waiting' }));

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

describe('names and urls', () => {
  const fileOf = (index: number): NamedFile => ({ origin_name: `${index}.pdf`, url: `https://x/files/${index}` });

  async function outcome(count: number) {
    const reported: number[] = [];
    const asked: Array<string | undefined> = [];
    const readPage = async (cursor: string | undefined) => {
      asked.push(cursor);
      const begin = Number(cursor ?? 0);
      const end = Math.min(count, begin + 100);
      return { items: Array.from({ length: end - begin }, (_, index) => fileOf(begin + index)), next: end < count ? String(end) : null };
    };
    return { found: await readFiles(readPage, (read) => reported.push(read)), reported, asked };
  }

  test('all pages of a list are read, with the progress', async () => {
    const { found, reported, asked } = await outcome(250);
    expect([found.files.length, found.isCut]).toEqual([250, false]);
    expect(found.files.at(-1)).toEqual(fileOf(249));
    expect(reported).toEqual([100, 200, 250]);
    expect(asked).toEqual([undefined, '100', '200']);
  });

  test('a list that is too long is cut, and no page is read in vain', async () => {
    const all = await outcome(MOST_COPIED);
    expect([all.found.files.length, all.found.isCut]).toEqual([MOST_COPIED, false]);
    const more = await outcome(MOST_COPIED + 1);
    expect([more.found.files.length, more.found.isCut, more.asked.length]).toEqual([MOST_COPIED, true, MOST_COPIED / 100]);
  });

  test('the table has a row for each file, and no name breaks it', () => {
    expect(tableOf([fileOf(1), { origin_name: 'a\tb\n.pdf', url: 'https://x/files/2' }])).toBe(
      '1.pdf\thttps://x/files/1\na b .pdf\thttps://x/files/2',
    );
  });
});
