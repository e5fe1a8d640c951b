// Hooks of a worker thread: modules in TypeScript are compiled as Jest compiles those of the main thread. What was compiled is kept in .cache: tests start hundreds of threads.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';

const CACHE = fileURLToPath(new URL('../../../.cache/compiled-for-threads/', import.meta.url));
const options = {
  configFile: false,
  swcrc: false,
  jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

function readCompiled(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes a file that other threads see whole or not at all. */
function writeWhole(file, text) {
  mkdirSync(CACHE, { recursive: true });
  const partial = `${file}.${process.pid}.${threadId}`;
  writeFileSync(partial, text);
  renameSync(partial, file);
}

/** Compiles a TypeScript file. @public called by Node */
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(url);
  const source = readFileSync(filename, 'utf8');
  const key = createHash('sha256')
    .update(JSON.stringify([options, filename, source]))
    .digest('hex');
  const file = `${CACHE}${key}.mjs`;
  let code = readCompiled(file);
  if (code === undefined) {
    // Loaded only here: it takes longer than everything else that a thread starts with.
    const { transformSync } = await import('@swc/core');
    ({ code } = transformSync(source, { ...options, filename }));
    writeWhole(file, code);
  }
  return { format: 'module', source: code, shortCircuit: true };
}
