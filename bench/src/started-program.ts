import { type ChildProcess, spawn } from 'node:child_process';
import { until } from '@parcelway/kernel/testing/until';
import { endChild, endWithRun } from './child-server.ts';

const READY_WITHIN_MS = 60_000;
/** Characters of its output that are kept for an error. */
const KEPT_OUTPUT = 10_000;

/** A program that runs until it is ended. */
export interface StartedProgram {
  readonly pid: number;
  /** SIGTERM; resolves once it is gone. */
  stop(): Promise<void>;
  /** SIGKILL; resolves once it is gone. */
  kill(): Promise<void>;
}

/** How a program is started. */
export interface StartOptions {
  /** Names it in errors. */
  readonly name: string;
  /** Its environment besides PATH. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether it is ready. @param output the last of what it has printed */
  readonly isReady: (output: string) => boolean | Promise<boolean>;
  /** User and group to run as; default those of this process. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

/**
 * Starts a program and waits until it is ready. It ends with this process.
 * @throws Error with its output when it ends before, or is not ready in time
 */
export async function startProgram(
  [program, ...args]: readonly [string, ...string[]],
  { name, env, isReady, user }: StartOptions,
): Promise<StartedProgram> {
  const child: ChildProcess = spawn(program, args, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
    ...user,
  });
  endWithRun(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-KEPT_OUTPUT);
    });
  const ended = (): boolean => child.exitCode !== null || child.signalCode !== null;
  try {
    await until(async () => ended() || (await isReady(output)), { within: READY_WITHIN_MS, what: `${name} to be ready` });
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`${(error as Error).message}\n${output}`, { cause: error });
  }
  if (ended()) throw new Error(`${name} ended before it was ready:\n${output}`);
  return {
    pid: child.pid as number,
    stop: () => endChild(child),
    async kill() {
      child.kill('SIGKILL');
      await endChild(child);
    },
  };
}
