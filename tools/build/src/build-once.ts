import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository, with a slash at the end. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A hash of files with their names. @param files paths, absolute */
function hashOf(files: readonly string[]) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${relative(root, file)}\n`).update(readFileSync(file));
  return hash.digest('hex');
}

/** Sources of a workspace, without its tests. @param workspace such as `packages/page` */
export function sourcesIn(workspace: string): string[] {
  return readdirSync(`${root}${workspace}/src`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .sort();
}

/** Builds a folder when it was not built from these files, or with `--force`. The folder says what it was built from. */
export async function buildOnce(folder: string, files: readonly string[], build: () => void | Promise<void>): Promise<void> {
  const stamp = `${folder}/.sources`;
  const wanted = hashOf(files);
  if (!process.argv.includes('--force') && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  await build();
  // Last, into the folder that the build has emptied: a build that broke off is done again.
  writeFileSync(stamp, wanted);
}
