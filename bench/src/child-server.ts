import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const READY = 'READY ';
const READY_WITHIN_MS = 20_000;
const STOP_WITHIN_MS = 10_000;

/** A process of the benchmark. */
export interface Child<Info = undefined> {
  readonly pid: number;
  /** What it said when it was ready. */
  readonly info: Info;
  /** Ends it and resolves once it is gone. */
  stop(): Promise<void>;
}

/** Said by a process of the benchmark to the one that started it: it works now, and `info` says where. */
export function announceReady(info: object): void {
  process.stdout.write(`${READY}${JSON.stringify(info)}\n`);
}

/** Processes that this one has started and that have not ended. */
const running = new Set<ChildProcess>();

/** Has a process ended by {@link killChildren} as long as it runs. */
export function endWithRun(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
}

/** Ends all of them at once, for an end of the benchmark that leaves no time. */
export function killChildren(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Ends a process that this one has started. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  await gone;
  clearTimeout(timer);
}

/**
 * Starts a script of this package in a process of its own and waits until it announces that it is ready.
 * @param script path below `dist`, such as `processes/constant-server.js`
 * @throws Error with what it wrote to stderr when it ends or stays silent
 */
export async function startScript<Info>(script: string, args: readonly string[] = []): Promise<Child<Info>> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  endWithRun(child);
  let output = '';
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-10_000);
  });
  const info = await new Promise<Info>((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), READY_WITHIN_MS);
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const line = output.split('\n').find((text) => text.startsWith(READY));
      if (line === undefined || !output.endsWith('\n')) return;
      clearTimeout(timer);
      resolve(JSON.parse(line.slice(READY.length)) as Info);
    });
    child.once('exit', () => {
      clearTimeout(timer);
      reject(new Error(`${script} ended before it was ready:\n${errors}`));
    });
    child.once('error', reject);
  });
  return { pid: child.pid as number, info, stop: () => endChild(child) };
}

/** Runs a script of this package to its end and gives what it printed, which has to be JSON. */
export async function runScript<Result>(script: string, args: readonly string[]): Promise<Result> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  return JSON.parse(await runProgram(process.execPath, [path, ...args])) as Result;
}

/** Runs a program to its end and gives what it printed. @throws Error with its stderr when its exit code is none of `good` */
export async function runProgram(program: string, args: readonly string[], good: readonly number[] = [0]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === null || !good.includes(code))
    throw new Error(`${program} failed with ${code}:\n${errors.slice(-5000)}${output.slice(-5000)}`);
  return output;
}
