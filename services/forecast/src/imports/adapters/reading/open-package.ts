import type { Readable } from 'node:stream';
import { AppError } from '@parcelway/kernel/app-error';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { ElementCount } from './xml-events.ts';

/** Parts of a package together may have so many bytes once they are unpacked. 50,000 rows of 20 columns have some 40 MB. */
const MAX_UNPACKED_BYTES = 160 * 1024 * 1024;
const MAX_ENTRIES = 2000;
/** Parts may unpack to so many times their size: the sheets of spreadsheet programs do to 10 or 20 times. */
const MAX_RATIO = 100;
/** Below it, the ratio does not matter. */
const SMALL_BYTES = 8 * 1024 * 1024;

/** The parts of a spreadsheet, which is a ZIP file. */
export interface SpreadsheetPackage {
  /** Elements that were read of all parts. */
  readonly elements: ElementCount;
  /** True when it has the part. */
  has(path: string): boolean;
  /** A part, unpacked as it is read. @throws AppError 42205 when there is none, or it cannot be unpacked; 42206 when it unpacks to too many times its size */
  open(path: string): Promise<Readable>;
  /** Unpacked bytes that a part has. */
  sizeOf(path: string): number;
}

/** The refusal of a file that is no spreadsheet. */
export function damaged(cause?: unknown): AppError {
  return new AppError('42205', 'The file is no readable .xlsx spreadsheet: it is damaged or incomplete. Save it again as .xlsx', { cause });
}

/** Bounds what is unpacked of all parts. @throws AppError 42206 */
function assertSize(entries: readonly Entry[]): void {
  const bytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (bytes <= MAX_UNPACKED_BYTES) return;
  const most = MAX_UNPACKED_BYTES / 1024 / 1024;
  throw new AppError('42206', `The spreadsheet unpacks to more than ${most} MB; remove pictures and other sheets`);
}

/** Bounds what a part that is read unpacks to: more than that says nothing new. @throws AppError 42206 */
function assertRatio({ uncompressedSize, compressedSize }: Entry): void {
  if (uncompressedSize <= SMALL_BYTES || uncompressedSize <= compressedSize * MAX_RATIO) return;
  const message = `The spreadsheet unpacks to more than ${MAX_RATIO} times its size; remove what repeats: empty rows, formats, and columns of one text`;
  throw new AppError('42206', message);
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
  assertSize([...entries.values()]);
  return {
    elements: new ElementCount(),
    has: (path) => entries.has(path),
    sizeOf: (path) => entries.get(path)?.uncompressedSize ?? 0,
    async open(path) {
      const entry = entries.get(path);
      if (entry === undefined) throw damaged();
      assertRatio(entry);
      try {
        return await zip.openReadStreamPromise(entry);
      } catch (error) {
        throw damaged(error);
      }
    },
  };
}
