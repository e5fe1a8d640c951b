// Bundles the programs of the product into `dist`, unless what is there was built from the same sources. `--force` bundles in any case.
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { buildOnce, root, sourcesIn } from './build-once.ts';
import { programs } from './programs.ts';

const folder = `${root}dist`;
/** Packages that are bundled: our own, and one of hundreds of files. Any other is loaded from node_modules. */
const isBundled = (id: string): boolean => /^([./]|@parcelway\/|typebox(\/|$))/.test(id);

const workspaces = ['packages', 'services'].flatMap((parent) => readdirSync(`${root}${parent}`).map((name) => `${parent}/${name}`));

await buildOnce(folder, [`${root}package-lock.json`, ...sourcesIn('tools/build'), ...workspaces.flatMap(sourcesIn)], async () => {
  const bundle = await rolldown({
    cwd: root,
    input: { ...programs },
    platform: 'node',
    resolve: { conditionNames: ['source', 'node', 'default'] },
    external: (id) => !isBundled(id),
    // With `minify` below: nothing is left out. Calls would be that are made for the error that they may throw, such as decodeURIComponent.
    treeshake: false,
    // Code that one program loads later is loaded by another from its start.
    checks: { ineffectiveDynamicImport: false },
  });
  rmSync(folder, { recursive: true, force: true });
  await bundle.write({
    dir: folder,
    format: 'esm',
    minify: false,
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
  });
  cpSync(`${root}packages/contracts/src/examples`, `${folder}/examples`, { recursive: true });
});
