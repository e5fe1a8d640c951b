// Builds this repository: `node tools/build/build.mjs` everything, `… product` what runs (programs, pages, documentation), `… FOLDER …` those projects and what they use.
// The compiler checks types and makes what tests, tools and benchmarks load. The programs of the product are bundled from the sources.
// `npm ci` runs it as `prepare`. Without the compiler (`npm ci --omit=dev`) it takes the built files as they are.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** By default the compiler takes four projects at once with four checkers each, and 10 GB. This takes half the time on two cores, and stays below 2 GB. */
const BUILD = ['--build', '--verbose', '--builders', '2', '--checkers', '1'];
const env = { GOMEMLIMIT: '1400MiB', ...process.env };

/** Runs a program of Node.js and shows what `shown` makes of each line. @returns true when it succeeds */
function run(args, shown = (line) => line) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
    createInterface({ input: child.stdout }).on('line', (line) => {
      const text = shown(line);
      if (text !== undefined) console.log(text);
    });
    child.once('close', (code) => resolve(code === 0));
  });
}

/** Of the compiler's report: a line for each project that it builds, and every error. */
function progress() {
  let projects = 0;
  let begun = 0;
  return (line) => {
    if (/^\s+\* /.test(line)) projects += 1;
    const [, building] = /Building project '(.*)\/tsconfig\.json'/.exec(line) ?? [];
    if (building !== undefined) return `building ${building} (${++begun} of at most ${projects})`;
    return line.trim() === '' || /^\s+\* |^[\d:]+ ?[AP]?M? - /.test(line) ? undefined : line;
  };
}

const compiler = `${root}node_modules/typescript/bin/tsc`;
const named = process.argv.slice(2);
const projects = named.map((name) => (name === 'product' ? 'tools/build' : name));

if (existsSync(compiler)) {
  const withProduct = named.length === 0 || named.includes('product');
  const steps = [
    // Generates the types of the SDK from the contracts before the SDK is compiled.
    [compiler, ...BUILD, 'tools/contracts'],
    ['tools/contracts/dist/sdk-main.js'],
    [compiler, ...BUILD, ...projects],
    ...(withProduct ? [['tools/build/dist/programs-main.js'], ['tools/build/dist/pages-main.js']] : []),
  ];
  let isBuilt = true;
  for (const step of steps) isBuilt &&= await run(step, progress());
  process.exitCode = isBuilt ? 0 : 1;
} else if (!existsSync(`${root}dist/all-in-one.js`)) {
  console.warn(
    'parcelway: not built, because the compiler is a development dependency. Run `npm ci` without --omit=dev, or copy the dist/ folders in.',
  );
}
