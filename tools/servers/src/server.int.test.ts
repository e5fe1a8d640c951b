import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { end, launch, processOf } from './server.ts';

/* Another's process is never taken for a server, and so never ended. The kernel is asked through /proc, as the command does: for Linux only. */

const directory = mkdtempSync(join(tmpdir(), 'parcelway-servers-'));
afterAll(async () => {
  await end(directory, 'SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

test('a server is never a later process that got its pid', async () => {
  const command = [process.execPath, '-e', 'setInterval(() => undefined, 1000)', directory];
  const artifact = { name: 'node', make: async () => undefined };
  const server = {
    name: 'one',
    artifact,
    ports: [1] as const,
    startDeadlineMs: 15_000,
    prepare: async () => ({ command }),
    check: async () => undefined,
  };
  await launch(server, directory, '');
  const pid = processOf(directory)?.pid;
  writeFileSync(join(directory, 'pid'), String(process.pid));
  expect([processOf(directory), await end(directory, 'SIGKILL')]).toEqual([undefined, false]);
  writeFileSync(join(directory, 'pid'), String(pid));
  expect(processOf(directory)).toEqual({ pid, paused: false });
});
