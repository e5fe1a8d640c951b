import { afterEach, expect, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import { xlsxParts, zipFile } from '../../../testing/zip-file.ts';
import type { ReaderLimits } from './worker-spreadsheet-reader.ts';
import { WorkerSpreadsheetReader } from './worker-spreadsheet-reader.ts';

let reader: WorkerSpreadsheetReader;
const open = (limits?: ReaderLimits): WorkerSpreadsheetReader => {
  reader = new WorkerSpreadsheetReader(silentLogger, limits);
  return reader;
};
afterEach(() => reader.close());

async function count(content: Buffer, kind: 'csv' | 'xlsx'): Promise<number> {
  let rows = 0;
  for await (const part of reader.read(new Uint8Array(content), kind)) rows += part.rows.length;
  return rows;
}

test('reads beside the event loop, part by part', async () => {
  open();
  const csv = Buffer.from(Array.from({ length: 1300 }, (_, index) => `${index},x`).join('\n'));
  expect(await count(csv, 'csv')).toBe(1300);
  const rows = Array.from({ length: 3000 }, (_, index) => `<row><c><v>${index}</v></c></row>`).join('');
  expect(await count(zipFile(xlsxParts(rows)), 'xlsx')).toBe(3000);
});

test('says why a file cannot be read', async () => {
  open();
  await expect(count(Buffer.from('a,"b'), 'csv')).rejects.toMatchObject({ code: '42205' });
  const lying = { ...xlsxParts(''), 'xl/worksheets/sheet1.xml': { content: Buffer.alloc(5_000_000, 32), declaredSize: 100 } };
  await expect(count(zipFile(lying), 'xlsx')).rejects.toMatchObject({ code: '42205' });
});

test('a file that takes too much memory or time ends with its thread', async () => {
  open({ maxHeapMb: 16 });
  const texts = Array.from({ length: 400_000 }, (_, index) => `a text of its own ${index}`);
  await expect(count(zipFile(xlsxParts('', texts)), 'xlsx')).rejects.toMatchObject({ code: '42206' });
  open({ deadlineMs: 1 });
  await expect(count(Buffer.from('a,b'), 'csv')).rejects.toMatchObject({ code: '42206' });
});

test('is closed for good', async () => {
  await open().close();
  await expect(count(Buffer.from('a'), 'csv')).rejects.toMatchObject({ code: '50301' });
});

const lines = (count: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(Array.from({ length: count }, (_, index) => `${index},x`).join('\n')));

test('has two threads at most; who comes later waits for one, but not for ever', async () => {
  open({ waitMs: 200 });
  const running = [reader.read(lines(2000), 'csv'), reader.read(lines(2000), 'csv')];
  for (const one of running) await one.next();
  await expect(count(Buffer.from('a'), 'csv')).rejects.toMatchObject({ code: '50301', message: expect.stringContaining('try again') });
  expect(reader.workers).toHaveLength(2);
  const waiting = count(Buffer.from('a\nb'), 'csv');
  await running[0]?.return();
  expect(await waiting).toBe(2);
  await running[1]?.return();
  expect(reader.workers).toEqual([]);
  await reader.close();
  open();
  expect(await Promise.all([1, 2, 3, 4].map((rows) => count(Buffer.from(lines(rows)), 'csv')))).toEqual([1, 2, 3, 4]);
});

test('that is closed ends what is being read and who waits, at once', async () => {
  open();
  const running = [reader.read(lines(2000), 'csv'), reader.read(lines(2000), 'csv')];
  for (const one of running) await one.next();
  const waiting = expect(count(Buffer.from('a'), 'csv')).rejects.toMatchObject({ code: '50301' });
  const beganAt = performance.now();
  await reader.close();
  await waiting;
  for (const one of running) await expect(one.next()).rejects.toMatchObject({ code: '50301' });
  expect(performance.now() - beganAt).toBeLessThan(5000);
});

test('notices at once that a thread ended between two parts', async () => {
  open();
  const running = reader.read(lines(2000), 'csv');
  await running.next();
  await reader.workers[0]?.terminate();
  const beganAt = performance.now();
  await expect(running.next()).rejects.toMatchObject({ code: '50301' });
  expect(performance.now() - beganAt).toBeLessThan(5000);
});

test('reads 50,000 rows of 20 columns, and as much text as there may be, with the heap that a thread has', async () => {
  open();
  const cells = Array.from({ length: 20 }, (_, index) => `<c t="s"><v>${index}</v></c>`).join('');
  const texts = Array.from({ length: 150_000 }, (_, index) => `${index} ${'x'.repeat(400)}`);
  expect(await count(zipFile(xlsxParts(`<row>${cells}</row>`.repeat(50_000), texts)), 'xlsx')).toBe(50_000);
  // Writing and reading 80 MB takes seconds, and many more on a busy machine.
}, 180_000);
