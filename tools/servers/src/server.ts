import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Artifact } from './artifact.ts';
import { codeOf, messageOf } from './caught-error.ts';
import { lastLines } from './run-command.ts';
import { waitUntil } from './wait-until.ts';

/** How a server is started. Its command names its folder, by which its process is recognised. */
export interface Preparation {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A server of a set. */
export interface Server {
  /** Also the name of its folder in the run directory. */
  readonly name: string;
  readonly artifact: Artifact;
  /** All ports that it listens on. */
  readonly ports: readonly [number, ...number[]];
  /** Time to start on a slow, busy machine, in milliseconds. */
  readonly startDeadlineMs: number;
  /** Writes its configuration. */
  readonly prepare: (places: { readonly program: string; readonly directory: string }) => Promise<Preparation>;
  /** Throws while it does not respond; takes a few seconds at most. */
  readonly check: () => Promise<void>;
  /** Throws while it responds, but does not serve in its set yet. */
  readonly settled?: () => Promise<void>;
}

/** A server that does not end by itself in this time is killed. */
const STOP_DEADLINE_MS = 30_000;
const SIGNAL_DEADLINE_MS = 10_000;
/** Processes end while they are looked at, and some are not ours to read. */
const NO_PROCESS = new Set<unknown>(['ENOENT', 'ESRCH', 'EACCES', 'EPERM']);

const recordIn = (directory: string) => join(directory, 'pid');
const logIn = (directory: string) => join(directory, 'server.log');

/** The running process of a server. The pid alone is not believed, as pids are used again: its command has to name the folder. */
export function processOf(directory: string): { readonly pid: number; readonly paused: boolean } | undefined {
  try {
    const pid = Number(readFileSync(recordIn(directory), 'utf8'));
    if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(directory)) return undefined;
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return { pid, paused: stat[stat.lastIndexOf(')') + 2] === 'T' };
  } catch (error) {
    if (NO_PROCESS.has(codeOf(error))) return undefined;
    throw error;
  }
}

/** True when nothing listens on a port of loopback. */
export const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1' }, () => probe.close(() => resolve(true)));
  });

async function spawnServer({ command: [file = '', ...args], env }: Preparation, directory: string) {
  const log = openSync(logIn(directory), 'a');
  const child = spawn(file, args, {
    cwd: directory,
    env: { PATH: process.env.PATH, HOME: homedir(), LANG: 'C.UTF-8', ...env },
    stdio: ['ignore', log, log],
    // It outlives this command, and no Ctrl-C meant for this command reaches it.
    detached: true,
  });
  closeSync(log);
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  writeFileSync(recordIn(directory), String(child.pid));
  child.unref();
}

/**
 * Starts a server that does not run, and waits until it responds.
 * @param program folder of its artifact
 * @throws Error when one of its ports is taken, or with the last lines of its log; the process is ended then
 */
export async function launch(server: Server, directory: string, program: string) {
  const { name, ports, startDeadlineMs, prepare, check } = server;
  mkdirSync(directory, { recursive: true });
  for (const port of ports)
    if (!(await isFree(port)))
      throw new Error(`${name} needs port ${port}, which is taken. End its process, or set another PARCELWAY_SERVERS_PORT_BASE.`);
  try {
    await spawnServer(await prepare({ program, directory }), directory);
    const stop = () => (processOf(directory) === undefined ? new Error('the process ended') : undefined);
    await waitUntil(check, { deadlineMs: startDeadlineMs, stop });
  } catch (error) {
    await end(directory, 'SIGKILL');
    const log = existsSync(logIn(directory)) ? lastLines(readFileSync(logIn(directory), 'utf8').slice(-20_000)) : '    (no log)';
    throw new Error(`${name} did not start: ${messageOf(error)}\n  last lines of ${logIn(directory)}:\n${log}`);
  }
}

/**
 * Ends a server with a signal and waits until its process is gone. One that does not heed SIGTERM is killed.
 * @returns false when it did not run
 */
export async function end(directory: string, signal: 'SIGTERM' | 'SIGKILL'): Promise<boolean> {
  const running = processOf(directory);
  if (running === undefined) return false;
  process.kill(running.pid, signal);
  // One that is paused takes SIGTERM only when it goes on.
  if (running.paused && signal === 'SIGTERM') process.kill(running.pid, 'SIGCONT');
  const isGone = () => {
    if (processOf(directory) !== undefined) throw new Error(`process ${running.pid} still runs`);
  };
  try {
    await waitUntil(isGone, { deadlineMs: signal === 'SIGTERM' ? STOP_DEADLINE_MS : SIGNAL_DEADLINE_MS });
  } catch (error) {
    if (signal === 'SIGKILL') throw error;
    return end(directory, 'SIGKILL');
  }
  rmSync(recordIn(directory), { force: true });
  return true;
}

/** Holds a server as it is, or lets it go on. @throws Error when it does not run */
export async function hold(directory: string, signal: 'SIGSTOP' | 'SIGCONT') {
  const running = processOf(directory);
  if (running === undefined) throw new Error(`no server runs in ${directory}`);
  process.kill(running.pid, signal);
  const isTaken = () => {
    if (processOf(directory)?.paused !== (signal === 'SIGSTOP')) throw new Error(`process ${running.pid} has not taken ${signal}`);
  };
  await waitUntil(isTaken, { deadlineMs: SIGNAL_DEADLINE_MS });
}
