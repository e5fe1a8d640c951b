import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('main.js', import.meta.url));

/**
 * Brings up the servers of `npm run servers` where they are not, and returns the variables that name them.
 * @throws Error when they cannot be had; the reason has been printed
 */
export function localServers() {
  const up = spawnSync(process.execPath, [main, 'up'], { stdio: 'inherit' });
  if (up.status !== 0) throw new Error('The local servers did not come up');
  const { stdout } = spawnSync(process.execPath, [main, 'env'], { encoding: 'utf8' });
  return Object.fromEntries([...stdout.matchAll(/^export (\w+)='(.*)'$/gm)].map(([, name, value]) => [name, value]));
}

/** Takes the local servers down, with their data. */
export function stopLocalServers() {
  spawnSync(process.execPath, [main, 'down'], { stdio: 'inherit' });
}
