import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const built = fileURLToPath(new URL('../dist/container-servers.js', import.meta.url));

test('the search for an engine ends within three seconds when there is none', () => {
  const program = `
    const { containerEngine } = await import(${JSON.stringify(built)});
    await import('testcontainers');
    const since = performance.now();
    const engine = await containerEngine();
    process.stdout.write(JSON.stringify({ found: engine !== undefined, ms: performance.now() - since }));
  `;
  // A socket that is not there: what else testcontainers looks at on this machine may still respond.
  const env = { ...process.env, DOCKER_HOST: 'unix:///nowhere/docker.sock', NODE_OPTIONS: '' };
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { env, encoding: 'utf8', timeout: 60_000 });
  const { found, ms } = JSON.parse(stdout) as { found: boolean; ms: number };
  expect(typeof found).toBe('boolean');
  expect(ms).toBeLessThan(3000);
});
