import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** A part of a ZIP file; its content comes piece by piece. */
export interface StreamedPart {
  readonly name: string;
  readonly content: Iterable<string> | AsyncIterable<string>;
}

/** Bytes of a gzip file in front of what is compressed, and behind it: there, CRC-32 and size, as a ZIP file has them. */
const GZIP = { head: 10, tail: 8 };
const VERSION = 20;
/** Names are UTF-8, and the sizes of a part follow it. */
const FLAGS = 0x808;
const DEFLATE = 8;
/** 1980-01-01: the least day that there is. */
const DAY = 0x21;

/** What is known of a part once it is written. */
interface Written {
  readonly name: Buffer;
  readonly at: number;
  /** CRC-32, then the sizes: compressed, and as it was. 4 bytes each. */
  readonly sizes: Buffer;
}

/** What the entries of a part have in common: 26 bytes. */
function headOf(name: Buffer, sizes: Buffer): Buffer {
  const head = Buffer.alloc(26);
  head.writeUInt16LE(VERSION, 0);
  head.writeUInt16LE(FLAGS, 2);
  head.writeUInt16LE(DEFLATE, 4);
  head.writeUInt16LE(DAY, 8);
  sizes.copy(head, 10);
  head.writeUInt16LE(name.length, 22);
  return head;
}

/** The end of the file: the directory of its parts. @param at where it begins */
function directoryOf(parts: readonly Written[], at: number): Buffer {
  const entries = parts.map((part) => {
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(part.at, 10);
    return Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([VERSION, 0]), headOf(part.name, part.sizes), rest, part.name]);
  });
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([directory, Buffer.from('PK\x05\x06'), end]);
}

/** Compresses a content. @returns its CRC-32 and sizes, as {@link Written} has them */
async function* deflated(content: StreamedPart['content']): AsyncGenerator<Buffer, Buffer, void> {
  const gzip = createGzip();
  const fed = pipeline(content, gzip);
  // What fails there ends the loop below with the same error.
  fed.catch(() => undefined);
  let held: Buffer = Buffer.alloc(0);
  let toSkip = GZIP.head;
  let size = 0;
  for await (const chunk of gzip as AsyncIterable<Buffer>) {
    const all = Buffer.concat([held, chunk.subarray(Math.min(toSkip, chunk.length))]);
    toSkip -= Math.min(toSkip, chunk.length);
    const ready = all.subarray(0, Math.max(0, all.length - GZIP.tail));
    held = all.subarray(ready.length);
    size += ready.length;
    if (ready.length > 0) yield ready;
  }
  await fed;
  const compressed = Buffer.alloc(4);
  compressed.writeUInt32LE(size);
  return Buffer.concat([held.subarray(0, 4), compressed, held.subarray(4)]);
}

/**
 * A ZIP file that is made while it is read, no faster: of its parts, only some pieces are in memory. It may have less than 4 GB.
 * @throws what a content throws
 */
export async function* zipStream(parts: Iterable<StreamedPart>): AsyncGenerator<Buffer, void, void> {
  const written: Written[] = [];
  let at = 0;
  for (const { name: given, content } of parts) {
    const name = Buffer.from(given);
    const begun = Buffer.concat([Buffer.from('PK\x03\x04'), headOf(name, Buffer.alloc(12)), name]);
    yield begun;
    const sizes = yield* deflated(content);
    yield Buffer.concat([Buffer.from('PK\x07\x08'), sizes]);
    written.push({ name, at, sizes });
    at += begun.length + sizes.readUInt32LE(4) + 4 + sizes.length;
  }
  yield directoryOf(written, at);
}
