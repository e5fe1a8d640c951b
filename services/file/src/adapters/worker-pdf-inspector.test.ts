import { deflateSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import { WorkerPdfInspector } from './worker-pdf-inspector.ts';

async function pdfOf(
  pages: number,
  { useObjectStreams = true, password }: { useObjectStreams?: boolean; password?: string } = {},
): Promise<Buffer> {
  const document = await PDFDocument.create();
  for (let page = 0; page < pages; page += 1) document.addPage([288, 432]);
  if (password !== undefined) document.encrypt({ userPassword: password, ownerPassword: password });
  return Buffer.from(await document.save({ useObjectStreams, addDefaultPage: false }));
}

/** Keeps a parser busy for far longer than an inspection may take. */
const endless = (): Buffer => Buffer.from(`%PDF-1.7\n${'1 0 obj<</A['.repeat(700_000)}\n%%EOF`);

/** A PDF of a few kilobytes whose object stream decompresses to that many bytes. */
function bomb(bytes: number): Buffer {
  const stream = deflateSync(Buffer.alloc(bytes, ' '));
  return Buffer.concat([
    Buffer.from(`%PDF-1.5\n3 0 obj\n<</Type/ObjStm/N 1/First 5/Filter/FlateDecode/Length ${stream.length}>>\nstream\n`),
    stream,
    Buffer.from('\nendstream\nendobj\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[]/Count 0>>\nendobj\n'),
    Buffer.from('trailer\n<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n'),
  ]);
}

/** A worker may be slow to start on a machine that has much else to do: these tests wait for what it finds. */
const maxWaitMs = 600_000;

let inspector: WorkerPdfInspector;
beforeEach(() => {
  inspector = new WorkerPdfInspector(silentLogger, { maxWaitMs });
});
afterEach(async () => {
  jest.useRealTimers();
  await inspector.close();
});

describe('the inspector', () => {
  test.each([
    ['counts pages', 3, {}, { isEncrypted: false, pages: 3 }],
    ['counts pages that stand outside of object streams', 25, { useObjectStreams: false }, { isEncrypted: false, pages: 25 }],
    ['sees that there is no page', 0, {}, { isEncrypted: false, pages: 0 }],
    ['sees encryption', 1, { password: 'secret' }, { isEncrypted: true, pages: 0 }],
  ])('%s', async (_what, pages, options, findings) => {
    expect(await inspector.inspect('tnt_1', await pdfOf(pages, options))).toEqual({ isReadable: true, ...findings });
  });

  test('finds no page in what is damaged', async () => {
    const whole = await pdfOf(2);
    for (const content of [Buffer.from('%PDF-%%EOF'), whole.subarray(whole.length - 60), Buffer.alloc(1000, '%PDF-1.7\n<<[(')]) {
      expect(await inspector.inspect('tnt_1', Buffer.from(content))).toMatchObject({ isReadable: true, pages: 0 });
    }
  });

  test('gives up what takes too long, and goes on with the next', async () => {
    const [first, second] = await Promise.all([inspector.inspect('tnt_1', endless()), inspector.inspect('tnt_2', await pdfOf(1))]);
    expect(first).toMatchObject({ isReadable: false });
    expect(second).toMatchObject({ isReadable: true, pages: 1 });
  });

  test('inspects no other PDF of an owner for a while after one that takes too long', async () => {
    expect(await inspector.inspect('tnt_1', endless())).toMatchObject({ isReadable: false });
    expect(await inspector.inspect('tnt_1', await pdfOf(1))).toBeUndefined();
    expect(await inspector.inspect('tnt_2', await pdfOf(1))).toMatchObject({ pages: 1 });
  });

  test('gives up what decompresses to too much, and goes on with the same worker', async () => {
    await inspector.close();
    inspector = new WorkerPdfInspector(silentLogger, { maxBytes: 2_000_000, maxWaitMs });
    expect(await inspector.inspect('tnt_1', bomb(500_000))).toMatchObject({ isReadable: true });
    expect(await inspector.inspect('tnt_1', bomb(4_000_000))).toMatchObject({ isReadable: false });
    expect(await inspector.inspect('tnt_1', await pdfOf(1))).toBeUndefined();
    expect(await inspector.inspect('tnt_2', await pdfOf(1))).toMatchObject({ isReadable: true, pages: 1 });
  });

  test('lets no upload wait for long, neither for the start of the worker nor for others', async () => {
    inspector = new WorkerPdfInspector(silentLogger);
    const content = await pdfOf(1);
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date', 'hrtime'] });
    const found = ['tnt_1', 'tnt_2'].map((owner) => inspector.inspect(owner, Buffer.from(content)));
    jest.advanceTimersByTime(5000);
    expect(await Promise.all(found)).toEqual([undefined, undefined]);
  });

  test('has one inspection for an owner at a time, and few that wait', async () => {
    const owners = ['tnt_1', 'tnt_1', ...Array.from({ length: 12 }, (_, index) => `tnt_${index + 2}`)];
    const content = await pdfOf(1);
    const found = await Promise.all(owners.map((owner) => inspector.inspect(owner, Buffer.from(content))));
    expect(found[0]).toMatchObject({ pages: 1 });
    expect(found[1]).toBeUndefined();
    expect(found.filter((each) => each !== undefined)).toHaveLength(9);
    expect(await inspector.inspect('tnt_1', Buffer.from(content))).toMatchObject({ pages: 1 });
  });

  test('ends without findings when it is closed', async () => {
    const under = inspector.inspect('tnt_1', endless());
    const waiting = inspector.inspect('tnt_2', await pdfOf(1));
    await inspector.close();
    expect([await under, await waiting, await inspector.inspect('tnt_3', await pdfOf(1))]).toEqual([undefined, undefined, undefined]);
  });
});
