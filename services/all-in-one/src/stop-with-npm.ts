import type { Environ } from '@parcelway/platform/config';

/** How often a platform that npm started looks whether npm is still there. */
const PARENT_CHECK_MS = 200;

/**
 * Stops the platform when npm, which started it, has been killed: nobody could stop it any more, and it would go on
 * holding the port and the data directory against the next start.
 */
export function stopWithNpm(env: Environ): void {
  if (!['start', 'start:distributed'].includes(env['npm_lifecycle_event'] ?? '')) return;
  const npm = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(check);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS);
  check.unref();
}
