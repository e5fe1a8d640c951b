import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import type { Program } from '@parcelway/harness/program';
import { until } from '@parcelway/kernel/testing/until';
import { useDirectory } from '../use-directory.ts';
import { usePrograms } from '../use-programs.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const start = usePrograms();
const directory = useDirectory();

/** Starts the platform as the README does, and resolves with its address for operators once it is ready. */
async function npmStart(): Promise<{ readonly npm: Program; readonly healthUrl: string }> {
  const npm = start('npm', ['start'], { cwd: root, env: { DATA_DIR: directory.path, PORT: '0', LOG_LEVEL: 'warn' } });
  await npm.untilPrinted(/is ready/);
  const { admin } = JSON.parse(readFileSync(join(directory.path, 'quickstart.json'), 'utf8')) as { admin: { url: string } };
  const healthUrl = `${admin.url}/healthz`;
  expect((await fetch(healthUrl)).status).toBe(200);
  return { npm, healthUrl };
}

const isGone = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => false,
    () => true,
  );

test('SIGTERM to npm stops the platform with 0', async () => {
  const started = await npmStart();
  expect(await started.npm.end('SIGTERM')).toEqual({ code: 0, signal: null });
  // The platform itself has gone with npm, not only the shell between them.
  expect(await isGone(started.healthUrl)).toBe(true);
}, 90_000);

test('a platform whose npm was killed stops by itself', async () => {
  const started = await npmStart();
  await started.npm.end('SIGKILL');
  await until(() => isGone(started.healthUrl), { within: 20_000, what: 'the platform to stop' });
}, 90_000);

test('with its port in use it names the variable', async () => {
  const taken = createServer();
  await once(taken.listen(0, '127.0.0.1'), 'listening');
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, DATA_DIR: directory.path, HOST: '127.0.0.1', PORT: String((taken.address() as AddressInfo).port) };
  const run = spawnSync('npm', ['start'], { cwd: root, env, encoding: 'utf8', timeout: 60_000 });
  taken.close();
  expect([run.status, run.stderr]).toEqual([1, expect.stringContaining('Stop it, or choose another port with PORT')]);
}, 90_000);
