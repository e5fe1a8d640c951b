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
