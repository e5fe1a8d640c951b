import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A file of a backup: where it is in it, and what must be in it. */
export interface StoredFile {
  /** With slashes, below the backup's folder. */
  readonly path: string;
  readonly bytes: number;
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
}

/** What went through a stream. */
type Digest = Omit<StoredFile, 'path'>;

const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

function meter(): { readonly through: Transform; readonly digest: () => Digest } {
  const hash = createHash('sha256');
  let bytes = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      done(null, chunk);
    },
  });
  return { through, digest: () => ({ bytes, sha256: hash.digest('hex') }) };
}

/** Makes the folder of a file, for this user alone. */
export async function makeFolderOf(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: DIRECTORY_MODE });
}

/** Writes a stream to a file and to the disk under it. */
export async function writeHashed(file: string, content: Readable | AsyncIterable<Uint8Array>): Promise<Digest> {
  await makeFolderOf(file);
  const { through, digest } = meter();
  await pipeline(content, through, createWriteStream(file, { mode: FILE_MODE, flags: 'wx' }));
  await flush(file);
  return digest();
}

/** Sees to it that a file is on the disk. */
export async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** What is in a file. */
export async function readHashed(file: string): Promise<Digest> {
  const { through, digest } = meter();
  through.resume();
  await pipeline(createReadStream(file), through);
  return digest();
}
