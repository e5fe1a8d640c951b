import type { Environ } from '@parcelway/platform/config';

/** Scripts of npm that start what runs until it is stopped; `npx` is what npx calls itself. */
const STARTED_BY = ['start', 'start:distributed', 'npx'];
/** How often what npm started looks whether npm is still there. */
const PARENT_CHECK_MS = 200;

/**
 * Stops this process when npm, which started it, has been killed: nobody could stop it any more, and a platform would go on
 * holding the port and the data directory against the next start, `parcelctl listen` forwarding.
 */
export function stopWithNpm(env: Environ): void {
  if (!STARTED_BY.includes(env['npm_lifecycle_event'] ?? '')) return;
  const npm = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(check);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS);
  check.unref();
}
