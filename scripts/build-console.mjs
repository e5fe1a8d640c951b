// Builds the merchant's page into packages/console/dist/page, unless what is there was built from the same sources.
// `--force` builds it in any case.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../packages/console/', import.meta.url));
/** Says what the page was built from. */
const stamp = `${root}dist/page/.sources`;

/** A hash of all that the page is made from: its sources, how it is built, and the versions of what builds it. */
function sources() {
  const inSrc = readdirSync(`${root}src`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length));
  const hash = createHash('sha256');
  for (const name of ['index.html', 'package.json', 'vite.config.ts', ...inSrc.sort()]) {
    hash.update(`${name}\n`).update(readFileSync(root + name));
  }
  return hash.digest('hex');
}

const wanted = sources();
const current = existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;

if (!current || process.argv.includes('--force')) {
  const { build } = await import('vite');
  await build({ root, configFile: `${root}vite.config.ts`, logLevel: 'warn' });
  // Last, into the folder that the build has emptied: a build that broke off is done again.
  writeFileSync(stamp, wanted);
}
