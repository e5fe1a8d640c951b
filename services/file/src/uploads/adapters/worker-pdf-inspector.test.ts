import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Logger, silentLogger } from '@parcelway/kernel/logger';
import { A4, deflated, pdfOfContent, pdfOfObjects, pdfOfPages, type SampleOptions } from '../../testing/sample-pdf.ts';
import { WorkerPdfInspector } from './worker-pdf-inspector.ts';

const pdfOf = (pages: number, options: SampleOptions = {}): Promise<Buffer> =>
  pdfOfPages(
    Array.from({ length: pages }, () => ({})),
    options,
  );

/** Keeps a renderer busy for far longer than an inspection may take: lines of half a million dashes each. */
const endless = (): Buffer => pdfOfContent(`[0.0005] 0 d ${'0 0 m 288 432 l S '.repeat(100_000)}`);

/** A PDF of a few kilobytes whose object stream decompresses to that many bytes. */
const bomb = (bytes: number): Buffer =>
  pdfOfObjects([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[4 0 R]/Count 1>>',
    deflated('/Type/ObjStm/N 1/First 5', Buffer.alloc(bytes, ' ')),
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 288 432]/Contents 5 0 R>>',
    deflated('', Buffer.alloc(bytes, ' ')),
  ]);

/** A worker may be slow to start on a machine that has much else to do: these tests wait for what it finds. */
const patient = { maxWaitMs: 600_000, maxDrawingMs: 600_000 };

let inspector: WorkerPdfInspector;

/** One inspector for the tests of a group: none of them leaves it in another state, and each start of its worker takes a second. */
function useOneInspector(): void {
  beforeAll(() => {
    inspector = new WorkerPdfInspector(silentLogger, patient);
  });
  afterAll(() => inspector.close());
}

/** An inspector for each test of a group. */
function useInspectors(): void {
  beforeEach(() => {
    inspector = new WorkerPdfInspector(silentLogger, patient);
  });
  afterEach(async () => {
    jest.useRealTimers();
    await inspector.close();
  });
}

describe('the inspector', () => {
  useOneInspector();

  test.each<[string, number, SampleOptions, object]>([
    ['counts pages', 3, {}, { isEncrypted: false, pages: 3 }],
    ['counts pages that stand outside of object streams', 25, { useObjectStreams: false }, { isEncrypted: false, pages: 25 }],
    ['sees that there is no page', 0, {}, { isEncrypted: false, pages: 0 }],
    ['sees encryption', 1, { password: 'secret' }, { isEncrypted: true, pages: 0 }],
    ['sees encryption that needs no password', 1, { password: 'secret', needsPassword: false }, { isEncrypted: true, pages: 1 }],
  ])('%s', async (_what, pages, options, findings) => {
    expect(await inspector.inspect('tnt_1', [await pdfOf(pages, options)])).toMatchObject({ isReadable: true, ...findings });
  });

  test('measures pages in millimetres, as they are shown', async () => {
    const content = await pdfOfPages([{}, { size: A4 }, { size: [14_400, 20] }]);
    expect(await inspector.inspect('tnt_1', [content])).toMatchObject({
      sizes: [
        { width: 102, height: 152 },
        { width: 210, height: 297 },
        { width: 5080, height: 7 },
      ],
      barcodeSearch: 'complete',
    });
  });

  test('finds no page in what is damaged', async () => {
    const whole = await pdfOf(2);
    const contents = [
      Buffer.from('%PDF-%%EOF'),
      whole.subarray(whole.length - 60),
      Buffer.alloc(1000, '%PDF-1.7\n<<[('),
      pdfOfObjects(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 7>>']),
      pdfOfObjects(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R]/Count 1>>']),
    ];
    for (const content of contents) {
      expect(await inspector.inspect('tnt_1', [Buffer.from(content)])).toMatchObject({ isReadable: true, pages: 0 });
    }
  });
});

describe('barcodes', () => {
  useOneInspector();

  const NUMBER = '1Z999AA10123456784';
  test.each([
    ['Code128', { bcid: 'code128', text: NUMBER }, NUMBER],
    ['Code128', { bcid: 'gs1-128', text: '(420)90210(92)00190354567890123456' }, '42090210\u001d9200190354567890123456'],
    ['Code39', { bcid: 'code39', text: 'RX123456785GB' }, 'RX123456785GB'],
    ['ITF', { bcid: 'interleaved2of5', text: '340123450000000000' }, '340123450000000000'],
    ['QRCode', { bcid: 'qrcode', text: `https://track.example/${NUMBER}` }, `https://track.example/${NUMBER}`],
    ['DataMatrix', { bcid: 'datamatrix', text: NUMBER }, NUMBER],
    ['PDF417', { bcid: 'pdf417', text: NUMBER }, NUMBER],
    ['Aztec', { bcid: 'azteccode', text: NUMBER }, NUMBER],
  ])('of symbology %s are read', async (format, barcode, text) => {
    const content = await pdfOfPages([{ barcodes: [barcode] }]);
    expect(await inspector.inspect('tnt_1', [content])).toMatchObject({ barcodes: [{ page: 1, format, text }], barcodeSearch: 'complete' });
  });

  test('are read on A4, turned, of several pages, each text once', async () => {
    const code = (text: string) => ({ bcid: 'code128', text });
    const content = await pdfOfPages([
      { size: A4, barcodes: [code('FIRST-0001'), code('SECOND-0002')] },
      { barcodes: [code('THIRD-0003')], isTurned: true },
      { barcodes: [code('FIRST-0001')] },
    ]);
    const found = await inspector.inspect('tnt_1', [content]);
    expect(found?.barcodes.map(({ page, text }) => `${page} ${text}`).sort()).toEqual(['1 FIRST-0001', '1 SECOND-0002', '2 THIRD-0003']);
  });

  test('are read in the corners of a page, alone and together', async () => {
    const code = (text: string) => ({ bcid: 'code128', text });
    const content = await pdfOfPages([
      { size: A4, inCorners: true, barcodes: ['CORNER-1', 'CORNER-2', 'CORNER-3', 'CORNER-4'].map(code) },
      { size: A4, inCorners: true, barcodes: [code('ALONE')] },
      {},
    ]);
    const found = await inspector.inspect('tnt_1', [content]);
    const expected = ['1 CORNER-1', '1 CORNER-2', '1 CORNER-3', '1 CORNER-4', '2 ALONE'];
    expect(found?.barcodes.map(({ page, text }) => `${page} ${text}`).sort()).toEqual(expected);
  });

  test('of more than ten, ten are kept, and their text is cut', async () => {
    // With a mask that is given, it need not be searched for, which takes most of the time.
    const qr = (index: number) => ({ bcid: 'qrcode', text: `${index}-${'x'.repeat(400)}`, mask: 1 });
    const content = await pdfOfPages([
      { size: A4, barcodes: Array.from({ length: 6 }, (_, index) => qr(index)) },
      { size: A4, barcodes: Array.from({ length: 6 }, (_, index) => qr(6 + index)) },
    ]);
    const found = await inspector.inspect('tnt_1', [content]);
    expect(found?.barcodeSearch).toBe('incomplete');
    expect(found?.barcodes.map(({ text }) => text.length)).toEqual(Array(10).fill(300));
  });
});

/** The worker that an inspection starts. */
async function workerOf(inspect: () => Promise<unknown>): Promise<ChildProcess> {
  let worker: ChildProcess | undefined;
  const note = (message: unknown): void => {
    worker = (message as { readonly process: ChildProcess }).process;
  };
  subscribe('child_process', note);
  await inspect().finally(() => unsubscribe('child_process', note));
  if (worker === undefined) throw new Error('No worker was started');
  return worker;
}

describe('a hostile PDF', () => {
  useInspectors();

  test('that takes too long to draw ends with what is known of it; its owner has no further turn for a while, others have theirs', async () => {
    const contents = [endless(), await pdfOf(1), await pdfOf(1)];
    const owners = ['tnt_1', 'tnt_1', 'tnt_2'];
    const [first, waiting, other] = await Promise.all(
      contents.map((content, index) => inspector.inspect(String(owners[index]), [content])),
    );
    expect(first).toMatchObject({ isReadable: true, pages: 1, barcodes: [], barcodeSearch: 'timed_out' });
    expect(waiting).toBeUndefined();
    expect(other).toMatchObject({ isReadable: true, pages: 1, barcodeSearch: 'complete' });
    expect(await inspector.inspect('tnt_1', [await pdfOf(1)])).toBeUndefined();
    expect(await inspector.inspect('tnt_2', [await pdfOf(1)])).toMatchObject({ pages: 1 });
  });

  test('lets its upload go on before the drawing ends', async () => {
    const warnings: unknown[] = [];
    const logger = { ...silentLogger, warn: (fields: unknown) => warnings.push(fields) } as unknown as Logger;
    inspector = new WorkerPdfInspector(logger, { maxWaitMs: patient.maxWaitMs, maxDrawingMs: 0 });
    expect(await inspector.inspect('tnt_1', [endless()])).toMatchObject({ pages: 1, barcodeSearch: 'timed_out' });
    expect(warnings).toEqual([]);
    expect(await inspector.inspect('tnt_2', [await pdfOf(0)])).toMatchObject({ pages: 0 });
    expect(warnings).toEqual([{ tenant_id: 'tnt_1', reason: 'took too long' }]);
  });

  test('that decompresses to too much costs its worker, and the next is inspected', async () => {
    await inspector.close();
    inspector = new WorkerPdfInspector(silentLogger, { ...patient, maxBytes: 40_000_000 });
    expect(await inspector.inspect('tnt_1', [bomb(500_000)])).toMatchObject({ isReadable: true, pages: 1, barcodeSearch: 'complete' });
    const exceeded = await inspector.inspect('tnt_1', [bomb(100_000_000)]);
    expect(exceeded).toMatchObject({ barcodes: [], barcodeSearch: 'timed_out' });
    expect(await inspector.inspect('tnt_1', [await pdfOf(1)])).toBeUndefined();
    expect(await inspector.inspect('tnt_2', [await pdfOf(1)])).toMatchObject({ isReadable: true, pages: 1 });
  });

  test('that crashes its worker costs itself alone', async () => {
    // From here on the worker has started: what ends it is the PDF.
    const worker = await workerOf(() => pdfOf(1).then((content) => inspector.inspect('tnt_0', [content])));
    const crashed = inspector.inspect('tnt_1', [endless()]);
    worker.kill('SIGABRT');
    expect(await crashed).toMatchObject({ barcodes: [] });
    expect(await inspector.inspect('tnt_2', [await pdfOf(1)])).toMatchObject({ isReadable: true, pages: 1 });
  });
});

describe('a PDF that is made to be hard to read', () => {
  useOneInspector();

  const tree = (depth: number): (string | Buffer)[] => [
    '<</Type/Catalog/Pages 2 0 R>>',
    ...Array.from({ length: depth }, (_, level) => `<</Type/Pages/Kids[${level + 3} 0 R]/Count 1>>`),
    '<</Type/Page/MediaBox[0 0 288 432]>>',
  ];
  test.each<[string, () => Buffer | Promise<Buffer>]>([
    ['of 2,000 pages', () => pdfOf(2000, { useObjectStreams: false })],
    [
      'that says it has a billion pages',
      () => pdfOfObjects(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R]/Count 1000000000>>', '<</Type/Page/Parent 2 0 R>>']),
    ],
    ['whose page tree is 5,000 levels deep', () => pdfOfObjects(tree(5000))],
    [
      'whose page tree is a loop',
      () =>
        pdfOfObjects([
          '<</Type/Catalog/Pages 2 0 R>>',
          '<</Type/Pages/Kids[3 0 R]/Count 9>>',
          '<</Type/Pages/Parent 2 0 R/Kids[2 0 R]/Count 9>>',
        ]),
    ],
    ['whose page is as large as numbers go', () => pdfOfContent('0 0 9 9 re f', '', [], '0 0 1e30 1e30')],
    ['whose page is a line', () => pdfOfContent('0 0 9 9 re f', '', [], '0 0 1000000 0.0001')],
    [
      'whose form draws itself',
      () =>
        pdfOfContent('/F Do', '/XObject<</F 5 0 R>>', [
          deflated('/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</F 5 0 R>>>>', '/F Do'),
        ]),
    ],
    [
      'whose image says that it has 10¹⁰ dots',
      () =>
        pdfOfContent('288 0 0 432 0 0 cm /I Do', '/XObject<</I 5 0 R>>', [
          deflated(
            '/Type/XObject/Subtype/Image/Width 100000/Height 100000/BitsPerComponent 8/ColorSpace/DeviceRGB',
            Buffer.alloc(1_000_000),
          ),
        ]),
    ],
    [
      'whose content is compressed a hundred times over',
      () =>
        pdfOfObjects([
          '<</Type/Catalog/Pages 2 0 R>>',
          '<</Type/Pages/Kids[3 0 R]/Count 1>>',
          '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>',
          `<</Filter[${'/FlateDecode '.repeat(100)}]/Length 4>>\nstream\nabcd\nendstream`,
        ]),
    ],
    ['of nested arrays', () => Buffer.from(`%PDF-1.7\n${'1 0 obj<</A['.repeat(700_000)}\n%%EOF`)],
    [
      'of 10 MB of brackets',
      () => Buffer.concat([Buffer.from('%PDF-1.7\n1 0 obj '), Buffer.alloc(10_000_000, '['), Buffer.from('\n%%EOF')]),
    ],
  ])('%s ends with findings, and another owner has a turn after it', async (owner, make) => {
    // None of them is the owner of what came before: an owner may have no further turn.
    const [found, next] = await Promise.all([inspector.inspect(owner, [await make()]), inspector.inspect('tnt_2', [await pdfOf(1)])]);
    expect(found).toBeDefined();
    expect(next).toMatchObject({ isReadable: true, pages: 1, barcodeSearch: 'complete' });
  });
});

describe('waiting', () => {
  useInspectors();

  test('lets no upload wait for long, neither for the start of the worker nor for others', async () => {
    inspector = new WorkerPdfInspector(silentLogger);
    const content = await pdfOf(1);
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date', 'hrtime'] });
    const found = ['tnt_1', 'tnt_2'].map((owner) => inspector.inspect(owner, [Buffer.from(content)]));
    jest.advanceTimersByTime(5000);
    expect(await Promise.all(found)).toEqual([undefined, undefined]);
  });

  test('ends the worker, and the next inspection starts another', async () => {
    inspector = new WorkerPdfInspector(silentLogger, { ...patient, idleMs: 1 });
    const inspect = async () => expect(await inspector.inspect('tnt_1', [await pdfOf(1)])).toMatchObject({ pages: 1 });
    const worker = await workerOf(inspect);
    if (worker.signalCode === null) await once(worker, 'exit');
    expect(await workerOf(inspect)).not.toBe(worker);
  });

  test('ends without findings when it is closed', async () => {
    const under = inspector.inspect('tnt_1', [endless()]);
    const waiting = inspector.inspect('tnt_2', [await pdfOf(1)]);
    await inspector.close();
    expect([await under, await waiting, await inspector.inspect('tnt_3', [await pdfOf(1)])]).toEqual([undefined, undefined, undefined]);
  });
});

describe('a fault', () => {
  useInspectors();

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
});
