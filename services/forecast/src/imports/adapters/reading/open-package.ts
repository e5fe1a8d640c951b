import type { Readable } from 'node:stream';
import { AppError } from '@parcelway/kernel/app-error';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';

/** Parts of a package together may have so many bytes once they are unpacked. 50,000 rows of 20 columns have some 40 MB. */
const MAX_UNPACKED_BYTES = 160 * 1024 * 1024;
const MAX_ENTRIES = 2000;

/** The parts of a spreadsheet, which is a ZIP file. */
export interface SpreadsheetPackage {
  /** True when it has the part. */
  has(path: string): boolean;
  /** A part, unpacked as it is read. @throws AppError 42205 when there is none, or it cannot be unpacked */
  open(path: string): Promise<Readable>;
  /** Unpacked bytes that a part has. */
  sizeOf(path: string): number;
}

/** The refusal of a file that is no spreadsheet. */
export function damaged(cause?: unknown): AppError {
  return new AppError('42205', 'The file is no readable .xlsx spreadsheet: it is damaged or incomplete. Save it again as .xlsx', { cause });
}

/**
 * Opens a ZIP file. The sizes that it declares are bounded here, and the unpacking ends with an error where a part has more than it declares.
 * @throws AppError 42205, 42206
 */
export async function openPackage(content: Uint8Array<ArrayBuffer>): Promise<SpreadsheetPackage> {
  const entries = new Map<string, Entry>();
  let zip: ZipFile;
  try {
    zip = await fromBufferPromise(Buffer.from(content.buffer, content.byteOffset, content.byteLength), {
      lazyEntries: true,
      validateEntrySizes: true,
    });
    if (zip.entryCount > MAX_ENTRIES) throw new AppError('42206', 'The spreadsheet has too many parts');
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName.replace(/^\//, ''), entry);
  } catch (error) {
    throw error instanceof AppError ? error : damaged(error);
  }
  const bytes = [...entries.values()].reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (bytes > MAX_UNPACKED_BYTES) {
    throw new AppError(
      '42206',
      `The spreadsheet unpacks to more than ${MAX_UNPACKED_BYTES / 1024 / 1024} MB; remove pictures and other sheets`,
    );
  }
  return {
    has: (path) => entries.has(path),
    sizeOf: (path) => entries.get(path)?.uncompressedSize ?? 0,
    async open(path) {
      const entry = entries.get(path);
      if (entry === undefined) throw damaged();
      try {
        return await zip.openReadStreamPromise(entry);
      } catch (error) {
        throw damaged(error);
      }
    },
  };
}
