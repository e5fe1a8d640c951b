import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { until } from '@parcelway/harness/until';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'parcelway-npm-start-'));
let npm: ChildProcess | undefined;

afterEach(() => {
  if (npm?.exitCode === null) npm.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

test('npm start is ready with its banner, and SIGTERM to npm stops the platform with 0', async () => {
  npm = spawn('npm', ['start'], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: directory, PORT: '0', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(npm, 'exit');
  let printed = '';
  npm.stdout?.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  await until(() => printed.includes('is ready'), { within: 60_000, what: 'the banner' });
  const { admin } = JSON.parse(readFileSync(join(directory, 'quickstart.json'), 'utf8')) as { admin: { url: string } };
  expect((await fetch(`${admin.url}/healthz`)).status).toBe(200);
  npm.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  // The platform itself has gone with npm, not only the shell between them.
  await expect(fetch(`${admin.url}/healthz`)).rejects.toThrow();
}, 90_000);
