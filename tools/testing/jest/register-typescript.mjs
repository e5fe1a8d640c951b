// Preloaded by worker threads of tests; see typescript-workers.mjs.
import { register } from 'node:module';

register('./load-typescript.mjs', import.meta.url);
