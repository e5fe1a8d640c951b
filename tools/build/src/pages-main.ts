// Builds the pages of merchants, warehouses and operators into packages/{console,station,operator}/dist/page, and the documentation into
// packages/docs-site/dist/site, unless what is there was built from the same sources. `--force` builds them in any case.
import { buildSite } from '@parcelway/docs-site/build/build-site';
import { filesIn, siteSources } from '@parcelway/docs-site/build/site-sources';
import { buildOnce, root, sourcesIn } from './build-once.ts';

const packages = `${root}packages/`;

/** What a page is made from: its sources, those that pages share, how it is built, and the versions of what builds it. */
function pageSources(name: string) {
  const build = ['index.html', 'package.json', 'vite.config.ts'].map((file) => `${packages}${name}/${file}`);
  return [...build, `${packages}page/page-config.mjs`, ...sourcesIn('packages/page'), ...sourcesIn(`packages/${name}`)];
}

for (const name of ['console', 'station', 'operator']) {
  const folder = `${packages}${name}/`;
  await buildOnce(`${folder}dist/page`, pageSources(name), async () => {
    const { build } = await import('vite');
    await build({ root: folder, configFile: `${folder}vite.config.ts`, logLevel: 'warn' });
  });
}
const site = `${packages}docs-site/dist/site`;
const described = ['docs-site/src', 'contracts/src', 'kernel/src'].flatMap(filesIn);
await buildOnce(site, [`${packages}docs-site/package.json`, `${packages}page/src/languages.ts`, ...described, ...siteSources()], () =>
  buildSite(site),
);
