import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'parcelway-npm-start-'));
let npm: ChildProcess | undefined;

afterEach(() => {
  if (npm?.exitCode === null) npm.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

/** Starts the platform as the README does, and resolves with its address for operators once it is ready. */
async function npmStart(): Promise<{ readonly npm: ChildProcess; readonly healthUrl: string }> {
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: directory, PORT: '0', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  npm = child;
  let printed = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  await until(() => printed.includes('is ready'), { within: 60_000, what: 'the banner' });
  const { admin } = JSON.parse(readFileSync(join(directory, 'quickstart.json'), 'utf8')) as { admin: { url: string } };
  const healthUrl = `${admin.url}/healthz`;
  expect((await fetch(healthUrl)).status).toBe(200);
  return { npm: child, healthUrl };
}

const isGone = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => false,
    () => true,
  );

test('SIGTERM to npm stops the platform with 0', async () => {
  const started = await npmStart();
  const exited = once(started.npm, 'exit');
  started.npm.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  // The platform itself has gone with npm, not only the shell between them.
  expect(await isGone(started.healthUrl)).toBe(true);
}, 90_000);

test('a platform whose npm was killed stops by itself', async () => {
  const started = await npmStart();
  started.npm.kill('SIGKILL');
  await until(() => isGone(started.healthUrl), { within: 20_000, what: 'the platform to stop' });
}, 90_000);

test.each(['PORT', 'ADMIN_PORT'])(
  'with the port of %s in use it names that variable',
  async (setting) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    try {
      const { port } = other.address() as AddressInfo;
      const env = {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        DATA_DIR: directory,
        HOST: '127.0.0.1',
        PORT: '0',
        [setting]: String(port),
      };
      const run = spawnSync('npm', ['start'], { cwd: root, env, encoding: 'utf8', timeout: 60_000 });
      expect(run.status).toBe(1);
      expect(run.stderr).toContain(`Stop it, or choose another port with ${setting}`);
    } finally {
      other.close();
    }
  },
  90_000,
);
