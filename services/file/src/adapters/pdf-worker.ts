import type { PdfFindings } from '../domain/pdf-findings.ts';

/** What the worker is given at its start. */
export interface PdfWorkerData {
  /** Path of the PDF library. */
  readonly library: string;
  /** Bytes that one inspection may allocate for what it decompresses. They lie outside of the heap, which has a limit of its own. */
  readonly maxBytes: number;
}

/** What the worker sends once it has loaded the library. */
export const WORKER_READY = 'ready';

/**
 * What the worker runs: it responds to each PDF with what it has found. Its text is given to the worker, so that it must not use anything from
 * outside of itself.
 */
export async function inspectInWorker(): Promise<void> {
  const { parentPort, workerData } = await import('node:worker_threads');
  const { createRequire } = await import('node:module');
  const { library, maxBytes } = workerData as PdfWorkerData;
  const { EncryptedPDFError, PDFDocument } = createRequire(library)(library) as typeof import('@cantoo/pdf-lib');
  let left = 0;
  // A stream of a few kilobytes can decompress to gigabytes. The library has no limit for that, but allocates all of it as byte arrays.
  globalThis.Uint8Array = new Proxy(Uint8Array, {
    construct(target, values: [unknown]) {
      if (typeof values[0] === 'number') left -= values[0];
      if (left < 0) throw new RangeError('The PDF decompresses to too much');
      return Reflect.construct(target, values) as Uint8Array;
    },
  });
  const inspect = async (content: Uint8Array): Promise<PdfFindings> => {
    left = maxBytes;
    try {
      const document = await PDFDocument.load(content, { updateMetadata: false });
      const pages = document.getPageCount();
      return { isReadable: left >= 0, isEncrypted: false, pages };
    } catch (error) {
      // Whatever else fails, the PDF is damaged: that is a finding.
      return { isReadable: left >= 0, isEncrypted: error instanceof EncryptedPDFError, pages: 0 };
    }
  };
  // The library writes about damaged objects.
  console.warn = () => undefined;
  parentPort?.on('message', (content: Uint8Array) => void inspect(content).then((findings) => parentPort.postMessage(findings)));
  parentPort?.postMessage('ready');
}
