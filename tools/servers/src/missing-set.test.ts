import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { missingSet } from './missing-set.ts';

let cache: string;
let server: ChildProcess | undefined;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'parcelway-servers-'));
});
afterEach(async () => {
  if (server?.kill('SIGKILL')) await once(server, 'exit');
  rmSync(cache, { recursive: true });
});

const sentence = (base: number): string => missingSet({ cache, run: join(cache, 'run', String(base)), base });

/** Start of a process in ticks since the machine's, which distinguishes it from a later one with its pid; see proc(5). */
function startTicksOf(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

/** A set of which Redis alone runs, or did: a process with the folder of the server in its command line. */
async function makeSet(base: number, runs: boolean): Promise<void> {
  const directory = join(cache, 'run', String(base), 'redis');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(cache, 'run', String(base), 'set.json'), JSON.stringify({ base, cluster: false, s3: 'versitygw' }));
  if (!runs) return;
  server = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', directory], { stdio: 'ignore' });
  await once(server, 'spawn');
  const pid = server.pid as number;
  writeFileSync(join(directory, 'process.json'), JSON.stringify({ pid, startTicks: startTicksOf(pid) }));
}

test('a set that is not there is said to be missing, and no more where none runs', async () => {
  expect(sentence(27_000)).toBe(`no set of servers in ${join(cache, 'run/27000')}`);
  await makeSet(27_400, false);
  expect(sentence(27_000)).toBe(`no set of servers in ${join(cache, 'run/27000')}`);
});

test('another set that runs is named by the variable that chooses it', async () => {
  await makeSet(27_400, true);
  expect(sentence(27_000)).toContain('; others run: set PARCELWAY_SERVERS_PORT_BASE to 27400');
});
