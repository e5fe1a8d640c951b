// `npm run test:browser`: the pages in a real browser, on a platform in embedded mode. Needs what `npm run build` has built.
import { messageOf } from '@parcelway/tools-servers/caught-error';
import { BROWSER_TESTS_MS, findBrowser } from './browser.ts';
import { report, runJest } from './jest-run.ts';

const started = performance.now();
try {
  const env = { CHROMIUM_PATH: findBrowser(), PARCELWAY_MODE: 'embedded' };
  const run = await runJest({ project: 'browser', args: process.argv.slice(2), env, timeoutMs: BROWSER_TESTS_MS });
  process.exitCode = report([run], [], started) ? 0 : 1;
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
