// Preloaded by worker threads of tests; see typescript-workers.cjs.
import { register } from 'node:module';

register('./load-typescript.mjs', import.meta.url);
