import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { until } from '@parcelway/kernel/testing/until';

const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 10_000;
const REPLY_WITHIN_MS = 10_000;
/** Characters of its output that are kept for an error. */
const KEPT_OUTPUT = 10_000;

/** A running program. It ends with this process. */
export interface Child {
  readonly pid: number;
  /** SIGTERM; resolves once it is gone. */
  stop(): Promise<void>;
  /** SIGKILL; resolves once it is gone. */
  kill(): Promise<void>;
}

/** A script of this package that runs as a child process. */
export interface Script<Info> extends Child {
  /** Data of its ready message. */
  readonly info: Info;
  /** @throws Error when the script throws, exits or misses the deadline */
  ask<Reply>(question: unknown): Promise<Reply>;
}

/** How a program is started. */
export interface StartOptions {
  /** Names it in errors. */
  readonly name: string;
  /** Its environment besides PATH. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it is ready. @param output the last of what it has printed */
  readonly isReady: (output: string) => boolean | Promise<boolean>;
  /** User and group to run as; default those of this process. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

/** Processes that this one has started and that have not ended. */
const running = new Set<ChildProcess>();

/** Kills all of them, for an abrupt end of the benchmark. */
export function killChildren(): void {
  for (const child of running) child.kill('SIGKILL');
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (hasEnded(child)) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  await gone;
  clearTimeout(timer);
}

/** Starts a program and waits until it is ready. @throws Error with its output when it exits early or is not ready in time */
async function launch(
  command: readonly [string, ...string[]],
  { name, isReady }: StartOptions,
  options: SpawnOptions,
  listen: (child: ChildProcess) => void = () => undefined,
): Promise<Child & { readonly child: ChildProcess }> {
  const [program, ...args] = command;
  const child = spawn(program, args, options);
  running.add(child);
  child.once('exit', () => running.delete(child));
  listen(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-KEPT_OUTPUT);
    });
  try {
    await until(async () => hasEnded(child) || (await isReady(output)), { within: READY_WITHIN_MS, what: `${name} to be ready` });
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`${(error as Error).message}\n${output}`, { cause: error });
  }
  if (hasEnded(child)) throw new Error(`${name} ended before it was ready:\n${output}`);
  return { child, pid: child.pid as number, stop: () => end(child, 'SIGTERM'), kill: () => end(child, 'SIGKILL') };
}

/** Starts a program and waits until it is ready. @throws Error with its output when it exits early or is not ready in time */
export function startProgram(command: readonly [string, ...string[]], options: StartOptions): Promise<Child> {
  const env = { PATH: process.env['PATH'], ...options.env };
  return launch(command, options, { env, stdio: ['ignore', 'pipe', 'pipe'], cwd: '/', ...options.user });
}

const pathOf = (script: string): string => fileURLToPath(new URL(script, import.meta.url));

/** Messages between this process and a script. The first one from a script has its `info`. */
type Message = { readonly info: unknown } | { readonly id: number; readonly reply?: unknown; readonly error?: string };

/** Starts a script and waits until it announces that it is ready. @param script path below `dist`, such as `processes/constant-server.js` */
export async function startScript<Info>(script: string, args: readonly string[] = []): Promise<Script<Info>> {
  let info: unknown;
  const waiting = new Map<number, { resolve(reply: unknown): void; reject(error: Error): void; timer: NodeJS.Timeout }>();
  const settle = (id: number, error?: string, reply?: unknown): void => {
    const one = waiting.get(id);
    clearTimeout(one?.timer);
    waiting.delete(id);
    if (error === undefined) one?.resolve(reply);
    else one?.reject(new Error(error));
  };
  const options: StartOptions = { name: script, isReady: () => info !== undefined };
  const stdio: SpawnOptions['stdio'] = ['ignore', 'ignore', 'pipe', 'ipc'];
  const { child, ...started } = await launch([process.execPath, pathOf(script), ...args], options, { stdio }, (launched) => {
    launched.on('message', (message: Message) => {
      if ('info' in message) ({ info } = message);
      else settle(message.id, message.error, message.reply);
    });
    launched.once('exit', () => {
      for (const id of [...waiting.keys()]) settle(id, `${script} has ended`);
    });
  });
  let asked = 0;
  return {
    ...started,
    info: info as Info,
    ask<Reply>(question: unknown): Promise<Reply> {
      if (!child.connected) return Promise.reject(new Error(`${script} has ended`));
      asked += 1;
      const id = asked;
      return new Promise<Reply>((resolve, reject) => {
        const timer = setTimeout(() => settle(id, `${script} did not respond in time`), REPLY_WITHIN_MS);
        waiting.set(id, { resolve: resolve as (reply: unknown) => void, reject, timer });
        child.send({ id, question }, (error) => error && settle(id, String(error)));
      });
    },
  };
}

/** Called by a script: reports that it is ready, with `info`, and responds to questions with `respond`. The script exits with its parent process. */
export function announceReady<Question>(info: object, respond: (question: Question) => unknown = () => undefined): void {
  const send = (message: Message): void => void process.send?.(message);
  process.on('message', ({ id, question }: { readonly id: number; readonly question: Question }) => {
    (async () => respond(question))().then(
      (reply) => send({ id, reply }),
      (error: unknown) => send({ id, error: String(error) }),
    );
  });
  process.once('disconnect', () => process.exit(1));
  send({ info });
}

/** Runs a program until it exits. @returns its standard output @throws Error with its output unless `good` has its exit code */
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

/** True when something listens on a port of loopback. */
export function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const over = (taken: boolean): void => {
      socket.destroy();
      resolve(taken);
    };
    socket.setTimeout(1000, () => over(false));
    socket.once('connect', () => over(true)).once('error', () => over(false));
  });
}
