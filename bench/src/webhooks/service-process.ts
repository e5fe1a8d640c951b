import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { until } from '@parcelway/kernel/testing/until';
import { endChild } from '../child-server.ts';
import { endWithRun } from './end-with-run.ts';

const READY_WITHIN_MS = 60_000;

const main = fileURLToPath(new URL('../../../services/webhook/dist/main.js', import.meta.url));
const hook = new URL('../processes/profile-hook.js', import.meta.url).href;

/** The webhook service as an operator runs it in distributed mode: a process of its own. */
export interface ServiceProcess {
  readonly pid: number;
  /** SIGKILL; resolves once it is gone. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts it and waits until it is ready. @throws Error with what it logged when it ends before */
export async function startServiceProcess(env: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const profile = process.env['PROFILE_DIR'];
  const profiling = profile === undefined ? {} : { NODE_OPTIONS: `--import ${hook}`, PROFILE_DIR: profile, REPLICA_ID: 'webhook' };
  const child: ChildProcess = spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'], ...profiling, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithRun(child);
  let output = '';
  let errors = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-10_000);
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-10_000);
  });
  const ended = (): boolean => child.exitCode !== null || child.signalCode !== null;
  try {
    await until(() => output.includes('is ready') || ended(), { within: READY_WITHIN_MS, what: 'the webhook service to be ready' });
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  if (ended()) throw new Error(`The webhook service ended before it was ready:\n${errors}${output}`);
  return {
    pid: child.pid as number,
    async kill() {
      child.kill('SIGKILL');
      await endChild(child);
    },
    stop: () => endChild(child),
  };
}
