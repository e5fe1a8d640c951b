import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { launch } from './launch.ts';
import { end, hold, processOf, type Server } from './server.ts';

/** Listens on a port; it is known by the folder in its arguments, which it does not read. */
const PROGRAM = `
const [port, how] = process.argv.slice(1);
if (how === 'broken') throw new Error('no such luck');
require('node:http').createServer((_, response) => response.end()).listen(Number(port), '127.0.0.1');
`;

/** A port that nobody had a moment ago. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** A server made of Node alone. */
function nodeServer(port: number, how: 'plain' | 'broken' = 'plain'): Server {
  return {
    name: 'one',
    artifact: { name: 'node', make: async () => undefined },
    ports: [port],
    startDeadlineMs: 15_000,
    prepare: async ({ directory }) => ({ command: [process.execPath, '-e', PROGRAM, String(port), how, `${directory}/data`], env: {} }),
    check: async () => {
      await fetch(`http://127.0.0.1:${port}`, { signal: AbortSignal.timeout(1000) });
    },
  };
}

// The kernel is asked through /proc, so the command is for Linux only, and says so elsewhere.
describe('a server', () => {
  let run: string;
  let server: Server;
  const recordFile = () => join(run, 'one', 'process.json');

  beforeAll(() => {
    run = mkdtempSync(join(tmpdir(), 'parcelway-servers-'));
  });

  // A port for each test: other suites take free ones at the same time.
  beforeEach(async () => {
    server = nodeServer(await freePort());
  });

  afterEach(async () => {
    await end(run, server, 'SIGKILL');
  });

  afterAll(() => {
    rmSync(run, { recursive: true, force: true });
  });

  test('starts, is found by its record, and ends', async () => {
    await launch(run, server, '');
    expect(processOf(run, server)).toMatchObject({ paused: false, command: expect.stringContaining(join(run, 'one')) });
    expect(await end(run, server, 'SIGTERM')).toBe(true);
    expect(processOf(run, server)).toBeUndefined();
    expect(await end(run, server, 'SIGTERM')).toBe(false);
  });

  test('is held and goes on, and ends while it is held', async () => {
    await launch(run, server, '');
    await hold(run, server, 'SIGSTOP');
    expect(processOf(run, server)?.paused).toBe(true);
    await hold(run, server, 'SIGCONT');
    expect(processOf(run, server)?.paused).toBe(false);
    await hold(run, server, 'SIGSTOP');
    expect(await end(run, server, 'SIGTERM')).toBe(true);
    await expect(hold(run, server, 'SIGSTOP')).rejects.toThrow('one does not run');
  });

  test('is never another process that got its pid', async () => {
    mkdirSync(join(run, 'one'), { recursive: true });
    const stat = readFileSync(`/proc/${process.pid}/stat`, 'utf8');
    const startTicks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    writeFileSync(recordFile(), JSON.stringify({ pid: process.pid, startTicks }));
    expect(processOf(run, server)).toBeUndefined();
    expect(await end(run, server, 'SIGKILL')).toBe(false);
  });

  test('is never a later process of the same command line', async () => {
    await launch(run, server, '');
    const record = JSON.parse(readFileSync(recordFile(), 'utf8')) as { pid: number; startTicks: string };
    writeFileSync(recordFile(), JSON.stringify({ ...record, startTicks: String(Number(record.startTicks) - 1) }));
    expect(processOf(run, server)).toBeUndefined();
    writeFileSync(recordFile(), JSON.stringify(record));
  });

  test('does not start on a port that is taken', async () => {
    const stranger = createServer();
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const { port } = stranger.address() as AddressInfo;
    try {
      await expect(launch(run, nodeServer(port), '')).rejects.toThrow(`one needs port ${port}, which is taken`);
    } finally {
      await new Promise((resolve) => stranger.close(resolve));
    }
  });

  test('shows its last words when it does not start', async () => {
    await expect(launch(run, nodeServer(await freePort(), 'broken'), '')).rejects.toThrow(
      /one did not start: the process ended[\s\S]*no such luck/,
    );
  });
});
