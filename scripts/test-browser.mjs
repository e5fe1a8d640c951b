// `npm run test:browser`: the merchant's page in a real browser, on a platform in embedded mode. UPDATE_SCREENSHOTS=1 also
// takes the pictures of docs/console.md anew. Needs what `npm run build` has built.
import { findBrowser } from './browser.mjs';
import { report, runJest } from './jest-run.mjs';

const started = performance.now();
const CHROMIUM_PATH = findBrowser();
const run = await runJest({
  project: 'browser',
  args: process.argv.slice(2),
  env: { CHROMIUM_PATH, PARCELWAY_MODE: 'embedded' },
  timeoutMs: 600_000,
});
process.exitCode = report([run], [], started) ? 0 : 1;
