// Unit tests run on the sources, worker threads included: one whose file is TypeScript gets hooks that compile it.
import { createRequire } from 'node:module';

// Not imported: what Jest has imported once, it no longer reads from the module that is changed here.
const threads = createRequire(import.meta.url)('node:worker_threads');
const PATCHED = Symbol.for('parcelway.typescript-workers');

if (!(PATCHED in threads)) {
  const { Worker } = threads;
  const preload = new URL('./register-typescript.mjs', import.meta.url).href;
  threads.Worker = class extends Worker {
    constructor(file, options = {}) {
      super(file, String(file).endsWith('.ts') ? { ...options, execArgv: ['--import', preload] } : options);
    }
  };
  threads[PATCHED] = true;
}
