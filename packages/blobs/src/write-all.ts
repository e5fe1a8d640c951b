import type { FileHandle } from 'node:fs/promises';

/**
 * Writes chunks to a file, behind what was written last, by one system call where that is possible.
 * @returns how many bytes they have
 * @throws the system's error when the disk does not take them
 */
export async function writeAll(handle: FileHandle, chunks: readonly Buffer[]): Promise<number> {
  const total = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const { bytesWritten } = await handle.writev(chunks);
  if (bytesWritten === total) return total;
  // A short write: usually a disk that is filling up. The rest goes on until the system says why.
  let rest = Buffer.concat(chunks).subarray(bytesWritten);
  while (rest.length > 0) rest = rest.subarray((await handle.write(rest)).bytesWritten);
  return total;
}
