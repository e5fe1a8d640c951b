import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, opendir, rename } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** A file of an export. */
interface ListedFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

async function listed(folder: string, path: string): Promise<ListedFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { name: relative(folder, path), bytes, sha256: hash.digest('hex') };
}

/**
 * Writes the manifest: the facts, and name, bytes and SHA-256 of every other file of the folder. However many files there are, one at a time is in memory.
 * @param except a file that is not listed
 * @param facts at least one
 * @returns bytes of all files
 */
export async function writeManifest(
  folder: string,
  { name, except }: { readonly name: string; readonly except: string },
  facts: Readonly<Record<string, unknown>>,
): Promise<number> {
  const part = join(folder, `${name}.part`);
  const file = await open(part, 'w');
  let total = 0;
  try {
    await file.appendFile(`${JSON.stringify(facts).slice(0, -1)},"files":[`);
    let separator = '\n';
    for await (const entry of await opendir(folder, { recursive: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile() || path === part || path === join(folder, except)) continue;
      const one = await listed(folder, path);
      await file.appendFile(`${separator}${JSON.stringify(one)}`);
      separator = ',\n';
      total += one.bytes;
    }
    await file.appendFile('\n]}\n');
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, join(folder, name));
  return total;
}
