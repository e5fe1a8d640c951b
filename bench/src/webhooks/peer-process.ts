import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { until } from '@parcelway/kernel/testing/until';
import { endChild } from '../child-server.ts';
import { endWithRun } from './end-with-run.ts';

/** The user that owns nothing, as Debian numbers it: servers that refuse to run as root run as this one. */
const NOBODY = 65_534;
const START_WITHIN_MS = 60_000;

const asRoot = process.getuid?.() === 0;

/** A directory that the peer's servers may write to. */
export function serverDirectory(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (asRoot) chownSync(path, NOBODY, NOBODY);
  return path;
}

/** A server of the peer that runs. */
export interface PeerProcess {
  readonly pid: number;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/**
 * Starts a program of the peer and waits until its port takes connections.
 * @param user `server` for servers that refuse to run as root
 * @throws Error with its output when it ends before
 */
export async function startPeerProcess(
  command: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  port: number,
  user: 'server' | 'own' = 'server',
): Promise<PeerProcess> {
  const [program, ...args] = command;
  const child: ChildProcess = spawn(program, args, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
    ...(asRoot && user === 'server' ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  endWithRun(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-5000);
    });
  const ended = (): boolean => child.exitCode !== null || child.signalCode !== null;
  try {
    await until(async () => ended() || (await responds(port)), { within: START_WITHIN_MS, what: `${program} on port ${port}` });
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`${(error as Error).message}\n${output}`, { cause: error });
  }
  if (ended()) throw new Error(`${program} ended before it was ready:\n${output}`);
  return {
    pid: child.pid as number,
    stop: () => endChild(child),
    async kill() {
      child.kill('SIGKILL');
      await endChild(child);
    },
  };
}

function responds(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (response: boolean): void => {
      socket.destroy();
      resolve(response);
    };
    socket.setTimeout(1000, () => end(false));
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}

/** Program and arguments that run a command as the user of the peer's servers. */
export function asServerUser(command: readonly string[]): readonly [string, ...string[]] {
  const prefix = asRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : ['env'];
  return [...prefix, ...command] as [string, ...string[]];
}

/** A process and all that descend from it. */
export function processTree(root: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(all.map((name) => [Number(name), parentOf(Number(name))]));
  const belongs = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at)) if (at === root) return true;
    return false;
  };
  return [...parents.keys()].filter(belongs);
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    // It has ended between the listing and this look.
    return undefined;
  }
}
