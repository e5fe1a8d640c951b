import { PDFDocument } from '@cantoo/pdf-lib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
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

let inspector: WorkerPdfInspector;
beforeEach(() => {
  inspector = new WorkerPdfInspector(silentLogger);
});
afterEach(() => inspector.close());

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
