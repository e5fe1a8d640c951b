import { existsSync, mkdirSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { type Logger, silentLogger } from '@parcelway/kernel/logger';
import { pdfOfPages } from '../../testing/sample-pdf.ts';
import { ContentFile } from './content-file.ts';
import { WorkerPdfInspector } from './worker-pdf-inspector.ts';

const pdfOf = (pages: number): Promise<Buffer> => pdfOfPages(Array.from({ length: pages }, () => ({})));

/** A worker may be slow to start on a machine that has much else to do: these tests wait for what it finds. */
const patient = { maxWaitMs: 600_000, maxDrawingMs: 600_000 };

let inspector: WorkerPdfInspector;
beforeEach(() => {
  inspector = new WorkerPdfInspector(silentLogger, patient);
});
afterEach(() => inspector.close());

test('without a folder for temporary files there are no findings, and there are some once it is back', async () => {
  const warnings: string[] = [];
  const logger = { ...silentLogger, warn: (_fields: unknown, message: string) => warnings.push(message) } as unknown as Logger;
  const folder = join(tmpdir(), `pdf-inspector-${process.pid}`);
  inspector = new WorkerPdfInspector(logger, { ...patient, folder });
  expect(await inspector.inspect('tnt_1', [await pdfOf(1)])).toBeUndefined();
  expect(warnings).toEqual([expect.stringContaining('check the disk of temporary files')]);
  mkdirSync(folder);
  try {
    expect(await inspector.inspect('tnt_1', [await pdfOf(1)])).toMatchObject({ pages: 1 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Descriptors of content files that this process has open. */
function openContents(): number {
  const descriptors = existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd') : [];
  return descriptors.filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).includes('parcelway-content');
    } catch {
      return false;
    }
  }).length;
}

test('a content that cannot be written leaves no owner with the findings of another, and no file open', async () => {
  const before = openContents();
  const [one, three] = [await pdfOf(1), await pdfOf(3)];
  // Of one length: the old content would be read as a whole.
  const length = Math.max(one.length, three.length);
  const padded = (content: Buffer): Buffer => Buffer.concat([content, Buffer.alloc(length - content.length, '\n')]);
  expect(await inspector.inspect('tnt_1', [padded(one)])).toMatchObject({ pages: 1 });
  const write = jest.spyOn(ContentFile.prototype, 'write').mockRejectedValueOnce(new Error('ENOSPC'));
  try {
    expect(await inspector.inspect('tnt_2', [padded(three)])).toBeUndefined();
  } finally {
    write.mockRestore();
  }
  expect(await inspector.inspect('tnt_2', [padded(three)])).toMatchObject({ pages: 3 });
  await inspector.close();
  expect(openContents()).toBe(before);
});

test('a worker that cannot be started is not blamed on a PDF', async () => {
  const warnings: string[] = [];
  const logger = { ...silentLogger, warn: (_fields: unknown, message: string) => warnings.push(message) } as unknown as Logger;
  inspector = new WorkerPdfInspector(logger, patient);
  const { execPath } = process;
  process.execPath = join(tmpdir(), 'no-such-program');
  try {
    expect(await inspector.inspect('tnt_1', [await pdfOf(1)])).toBeUndefined();
  } finally {
    process.execPath = execPath;
  }
  expect(warnings).toEqual([expect.stringContaining('cannot start')]);
  expect(await inspector.inspect('tnt_1', [await pdfOf(1)])).toMatchObject({ isReadable: true, pages: 1 });
});
