import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Program, type ProgramOptions } from '@parcelway/harness/program';

const REPLY_WITHIN_MS = 10_000;

/** A running program. */
export type Child = Pick<Program, 'pid' | 'end'>;

/** A script of this package that runs as a child process. */
export interface Script<Info> extends Child {
  /** Data of its ready message. */
  readonly info: Info;
  /** @throws Error when the script throws, exits or misses the deadline */
  ask<Reply>(question: unknown): Promise<Reply>;
}

/** How a program is started. */
export interface StartOptions extends Pick<ProgramOptions, 'env' | 'user'> {
  /** Names it in errors. */
  readonly name: string;
  /** Whether it is ready. @param output what it has printed */
  readonly isReady: (output: string) => boolean | Promise<boolean>;
}

/** Starts a program and waits until it is ready. @throws Error with its output when it exits early or is not ready in time */
export async function startProgram(
  [command, ...args]: readonly [string, ...string[]],
  { name, isReady, ...options }: StartOptions,
): Promise<Child> {
  const program = Program.start(command, args, { cwd: '/', ...options });
  await program.untilReady(() => isReady(program.stdout + program.stderr), name);
  return program;
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
  const program = Program.start(process.execPath, [pathOf(script), ...args], { env: process.env, ipc: true });
  const { child } = program;
  child.on('message', (message: Message) => {
    if ('info' in message) ({ info } = message);
    else settle(message.id, message.error, message.reply);
  });
  child.once('exit', () => {
    for (const id of [...waiting.keys()]) settle(id, `${script} has ended`);
  });
  await program.untilReady(() => info !== undefined, script);
  let asked = 0;
  return {
    pid: program.pid,
    end: (signal) => program.end(signal),
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
  const { status, stdout, stderr } = await Program.run(program, args, { env: process.env });
  if (status === null || !good.includes(status))
    throw new Error(`${program} failed with ${status}:\n${stderr.slice(-5000)}${stdout.slice(-5000)}`);
  return stdout;
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
