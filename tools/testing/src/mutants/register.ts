// Preloaded into every process that runs tests against mutants: teaches Node to load TypeScript and `@jest/globals`.
import { register } from 'node:module';

register('./module-hooks.js', import.meta.url);
