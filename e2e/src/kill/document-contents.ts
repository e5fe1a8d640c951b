import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An object on disk ends with so many bytes of its key. */
const TRAILER_BYTES = 512;

/**
 * Reads every stored object that holds documents, those that a kill left without a record included.
 * @param dataDirectory of a platform in embedded mode
 * @returns how many different contents there are
 */
export function documentContents(dataDirectory: string): number {
  const files = readdirSync(join(dataDirectory, 'blobs'), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.parentPath.includes('/objects'),
  );
  const hashes: string[] = [];
  for (const { parentPath, name } of files) {
    const bytes = readFileSync(join(parentPath, name));
    const trailer = bytes.subarray(-TRAILER_BYTES).toString('utf8');
    if (!trailer.includes('"document/')) continue;
    hashes.push(createHash('sha256').update(bytes.subarray(0, -TRAILER_BYTES)).digest('hex'));
  }
  return new Set(hashes).size;
}
