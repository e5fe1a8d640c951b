// Builds the merchant's page into packages/console/dist/page, and the guides into packages/console/dist/guides, unless what is
// there was built from the same sources. `--force` builds them in any case.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildGuides, guideSources } from '../packages/console/guides/build-guides.mjs';

const root = fileURLToPath(new URL('../packages/console/', import.meta.url));
const force = process.argv.includes('--force');

/** A hash of files with their names. @param {readonly string[]} files paths, absolute */
function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${relative(root, file)}\n`).update(readFileSync(file));
  return hash.digest('hex');
}

/** What the page is made from: its sources, how it is built, and the versions of what builds it. */
function pageSources() {
  const inSrc = readdirSync(`${root}src`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => `${entry.parentPath}/${entry.name}`);
  return [...['index.html', 'package.json', 'vite.config.ts'].map((name) => root + name), ...inSrc.sort()];
}

/** Builds a folder of dist/ when it was not built from these files. The folder says what it was built from. */
async function buildOnce(folder, files, build) {
  const stamp = `${root}dist/${folder}/.sources`;
  const wanted = hashOf(files);
  if (!force && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  await build();
  // Last, into the folder that the build has emptied: a build that broke off is done again.
  writeFileSync(stamp, wanted);
}

await buildOnce('page', pageSources(), async () => {
  const { build } = await import('vite');
  await build({ root, configFile: `${root}vite.config.ts`, logLevel: 'warn' });
});
await buildOnce('guides', [`${root}package.json`, ...guideSources()], () => buildGuides(`${root}dist/guides`));
