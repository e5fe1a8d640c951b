// Unit tests run on the sources, worker threads included: one whose file is TypeScript gets hooks that compile it.
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const threads = require('node:worker_threads');

const PATCHED = Symbol.for('parcelway.typescript-workers');

if (!(PATCHED in threads)) {
  const { Worker } = threads;
  const preload = pathToFileURL(join(__dirname, 'register-typescript.mjs')).href;
  threads.Worker = class extends Worker {
    constructor(file, options = {}) {
      super(file, String(file).endsWith('.ts') ? { ...options, execArgv: ['--import', preload] } : options);
    }
  };
  threads[PATCHED] = true;
}
