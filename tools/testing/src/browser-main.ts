// `npm run test:browser`: the console and the station in a real browser, on a platform in embedded mode. Needs what `npm run build` has built.
import { messageOf } from '@parcelway/tools-servers/caught-error';
import { findBrowser } from './browser.ts';
import { report, runJest } from './jest-run.ts';

const started = performance.now();
/** The browser; undefined, after saying why, when there is none. */
function browser() {
  try {
    return findBrowser();
  } catch (error) {
    console.error(messageOf(error));
    return undefined;
  }
}

const CHROMIUM_PATH = browser();
if (CHROMIUM_PATH === undefined) {
  process.exitCode = 1;
} else {
  const run = await runJest({
    project: 'browser',
    args: process.argv.slice(2),
    env: { CHROMIUM_PATH, PARCELWAY_MODE: 'embedded' },
    timeoutMs: 900_000,
  });
  process.exitCode = report([run], [], started) ? 0 : 1;
}
