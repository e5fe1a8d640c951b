// Builds the pages of merchants, warehouses and operators into packages/{console,station,operator}/dist/page, and the documentation into
// packages/docs-site/dist/site, unless what is there was built from the same sources. `--force` builds them in any case.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSite } from '@parcelway/docs-site/build/build-site';
import { filesIn, siteSources } from '@parcelway/docs-site/build/site-sources';

const packages = fileURLToPath(new URL('../../../packages/', import.meta.url));
const force = process.argv.includes('--force');

/** A hash of files with their names. @param files paths, absolute */
function hashOf(files: readonly string[]) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${relative(packages, file)}\n`).update(readFileSync(file));
  return hash.digest('hex');
}

/** Sources of a package, without its tests. @param name folder below packages/ */
function sourcesIn(name: string) {
  return readdirSync(`${packages}${name}/src`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .sort();
}

/** What a page is made from: its sources, those that pages share, how it is built, and the versions of what builds it. */
function pageSources(name: string) {
  const build = ['index.html', 'package.json', 'vite.config.ts'].map((file) => `${packages}${name}/${file}`);
  return [...build, `${packages}page/page-config.mjs`, ...sourcesIn('page'), ...sourcesIn(name)];
}

/** Builds a folder when it was not built from these files. The folder says what it was built from. */
async function buildOnce(folder: string, files: readonly string[], build: () => void | Promise<void>) {
  const stamp = `${folder}/.sources`;
  const wanted = hashOf(files);
  if (!force && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  await build();
  // Last, into the folder that the build has emptied: a build that broke off is done again.
  writeFileSync(stamp, wanted);
}

for (const name of ['console', 'station', 'operator']) {
  const root = `${packages}${name}/`;
  await buildOnce(`${root}dist/page`, pageSources(name), async () => {
    const { build } = await import('vite');
    await build({ root, configFile: `${root}vite.config.ts`, logLevel: 'warn' });
  });
}
const site = `${packages}docs-site/dist/site`;
const described = ['docs-site/src', 'contracts/src', 'kernel/src'].flatMap(filesIn);
await buildOnce(site, [`${packages}docs-site/package.json`, `${packages}page/src/languages.ts`, ...described, ...siteSources()], () =>
  buildSite(site),
);
