import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { launch } from './launch.ts';
import { end, processOf, type Server } from './server.ts';

/* Another's process is never taken for a server, and so never ended. The kernel is asked through /proc, as the command does: for Linux only. */

const run = mkdtempSync(join(tmpdir(), 'parcelway-servers-'));
const recordFile = join(run, 'one', 'process.json');
const server: Server = {
  name: 'one',
  artifact: { name: 'node', make: async () => undefined },
  ports: [],
  startDeadlineMs: 15_000,
  prepare: async ({ directory }) => ({
    command: [process.execPath, '-e', 'setInterval(() => undefined, 1000)', `${directory}/data`],
    env: {},
  }),
  check: async () => undefined,
};

afterAll(async () => {
  await end(run, server, 'SIGKILL');
  rmSync(run, { recursive: true, force: true });
});

test('a server is never a later process that got its pid', async () => {
  await launch(run, server, '');
  const record = readFileSync(recordFile, 'utf8');
  writeFileSync(recordFile, record.replace('"startTicks":"', '"startTicks":"1'));
  expect(processOf(run, server)).toBeUndefined();
  expect(await end(run, server, 'SIGKILL')).toBe(false);
  writeFileSync(recordFile, record);
  expect(processOf(run, server)).toMatchObject({ paused: false });
});
