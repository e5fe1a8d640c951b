import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { until } from '@parcelway/harness/until';

const main = fileURLToPath(new URL('../../../demo/dist/main.js', import.meta.url));
let demo: ChildProcess | undefined;

afterEach(() => {
  if (demo?.exitCode === null) demo.kill('SIGKILL');
});

const isOpen = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 5000 });
    const end = (open: boolean): void => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => end(true));
    for (const failed of ['error', 'timeout']) socket.once(failed, () => end(false));
  });

test('the demo goes all the way, on one loopback address, and shows what tells a repeat and a webhook', async () => {
  demo = spawn(process.execPath, [main], { env: { PATH: process.env.PATH, HOME: process.env.HOME }, stdio: ['ignore', 'pipe', 'ignore'] });
  const exited = once(demo, 'exit');
  let printed = '';
  demo.stdout?.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  await until(() => /listens at .*:\d+/.test(printed), { within: 60_000, what: 'the demo to listen' });
  const port = Number(/listens at .*:(\d+)/.exec(printed)?.[1]);
  expect(await isOpen('127.0.0.1', port)).toBe(true);
  // What listens on every address of the machine listens here, too.
  expect(await isOpen('127.0.0.2', port)).toBe(false);
  expect(await isOpen('::1', port)).toBe(false);
  expect(await exited).toEqual([0, null]);
  expect(printed.match(/← 200 {2}Idempotent-Replayed: true\n/g)).toHaveLength(1);
  expect(printed).toMatch(/⇐ webhook-id: evt_\w+, webhook-signature: v1,/);
}, 120_000);
