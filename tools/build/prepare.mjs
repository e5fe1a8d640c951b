// Runs after `npm ci`: builds the workspaces. An installation without development tools (`npm ci --omit=dev`) cannot
// build and takes the built files as they are.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

/** Runs a program of Node; false when it fails. */
const run = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0;

if (existsSync(compiler)) {
  process.exitCode = run(compiler, '-b') && run('tools/build/dist/pages-main.js') ? 0 : 1;
} else if (!existsSync(fileURLToPath(new URL('../../services/all-in-one/dist/main.js', import.meta.url)))) {
  console.warn(
    'parcelway: not built, because the compiler is a development dependency; run `npm ci` without --omit=dev, or copy the dist/ folders in.',
  );
}
