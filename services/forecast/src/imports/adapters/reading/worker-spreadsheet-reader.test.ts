import { afterEach, expect, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { xlsxParts, zipFile } from '../../../testing/zip-file.ts';
import type { SheetPart } from '../../domain/sheet-reading.ts';
import type { Reading } from '../../ports.ts';
import type { ReaderLimits } from './worker-spreadsheet-reader.ts';
import { WorkerSpreadsheetReader } from './worker-spreadsheet-reader.ts';

let reader: WorkerSpreadsheetReader;
const open = (limits?: ReaderLimits): WorkerSpreadsheetReader => {
  reader = new WorkerSpreadsheetReader(silentLogger, limits);
  return reader;
};
afterEach(() => reader.close());

const previewOf = (tenantId: string, signal?: AbortSignal): Reading => ({ tenantId, purpose: 'preview', signal });

async function count(content: Buffer, kind: 'csv' | 'xlsx', reading = previewOf('tnt_a')): Promise<number> {
  let rows = 0;
  for await (const part of reader.read(new Uint8Array(content), kind, reading)) rows += part.rows.length;
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

const lines = (count: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(Array.from({ length: count }, (_, index) => `${index},x`).join('\n')));

const columnName = (column: number): string => String.fromCharCode(65 + column);

/** A reading that has its thread and is at its first part. */
async function started(reading: Reading, rows = 2000): Promise<AsyncGenerator<SheetPart, void, void>> {
  const running = reader.read(lines(rows), 'csv', reading);
  await running.next();
  return running;
}
const smallCsv = Buffer.from('a\nb');

test('has two threads at most; who comes later waits for one, but not for ever', async () => {
  open({ waitMs: 200 });
  const running = [await started(previewOf('tnt_a')), await started(previewOf('tnt_b'))];
  await expect(count(smallCsv, 'csv', previewOf('tnt_c'))).rejects.toMatchObject({
    code: '50301',
    message: expect.stringContaining('try again'),
  });
  expect(reader.workers).toHaveLength(2);
  const waiting = count(smallCsv, 'csv', previewOf('tnt_c'));
  await running[0]?.return();
  expect(await waiting).toBe(2);
  await running[1]?.return();
  expect(reader.workers).toEqual([]);
  await reader.close();
  open();
  const tenants = ['tnt_a', 'tnt_b', 'tnt_c', 'tnt_a'];
  const counts = tenants.map((tenantId, index) => count(Buffer.from(lines(index + 1)), 'csv', previewOf(tenantId)));
  expect(await Promise.all(counts)).toEqual([1, 2, 3, 4]);
});

test('a preview whose client has gone is not read any more, and does not wait for a thread', async () => {
  open();
  const gone = new AbortController();
  const endless = Buffer.from(`a\n${'\n'.repeat(1_000_000)}`);
  const reading = expect(count(endless, 'csv', previewOf('tnt_a', gone.signal))).rejects.toMatchObject({ code: '50301' });
  const waiting = expect(count(smallCsv, 'csv', previewOf('tnt_a', gone.signal))).rejects.toMatchObject({ code: '50301' });
  await until(() => reader.workers.length === 1);
  gone.abort();
  await Promise.all([reading, waiting]);
  expect(reader.workers).toEqual([]);
  await expect(count(smallCsv, 'csv', previewOf('tnt_a', gone.signal))).rejects.toMatchObject({ code: '50301' });
  expect(await count(smallCsv, 'csv')).toBe(2);
});

test('that is closed ends what is being read and who waits, at once', async () => {
  open();
  const running = [await started(previewOf('tnt_a')), await started(previewOf('tnt_b'))];
  const waiting = expect(count(Buffer.from('a'), 'csv')).rejects.toMatchObject({ code: '50301' });
  const beganAt = performance.now();
  await reader.close();
  await waiting;
  for (const one of running) await expect(one.next()).rejects.toMatchObject({ code: '50301' });
  expect(performance.now() - beganAt).toBeLessThan(5000);
});

test('notices at once that a thread ended between two parts', async () => {
  open();
  const running = await started(previewOf('tnt_a'));
  await reader.workers[0]?.terminate();
  const beganAt = performance.now();
  await expect(running.next()).rejects.toMatchObject({ code: '50301' });
  expect(performance.now() - beganAt).toBeLessThan(5000);
});

test('reads 50,000 rows of 20 columns, and as much text as there may be, with the heap that a thread has', async () => {
  open();
  const cell = (row: number, column: number): string =>
    `<c r="${columnName(column)}${row}" t="s"><v>${(row * 31 + column) % 150_000}</v></c>`;
  const sheetRow = (row: number): string =>
    `<row r="${row}">${Array.from({ length: 20 }, (_, column) => cell(row, column)).join('')}</row>`;
  const texts = Array.from({ length: 150_000 }, (_, index) => `${index} ${`${index * 7919} `.repeat(36)}`);
  const rows = Array.from({ length: 50_000 }, (_, index) => sheetRow(index + 1)).join('');
  expect(await count(zipFile(xlsxParts(rows, texts)), 'xlsx', { tenantId: 'tnt_a', purpose: 'import' })).toBe(50_000);
  // Writing and reading 80 MB takes seconds, and many more on a busy machine.
}, 180_000);
