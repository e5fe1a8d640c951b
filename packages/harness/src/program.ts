import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@parcelway/kernel/testing/until';

/** How a program is started. */
export interface ProgramOptions {
  /** Its environment besides PATH and HOME. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** It is killed after this time; default never. */
  readonly withinMs?: number;
  /** User and group to run as; default those of this process. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** True to open a channel for messages. A program of this repository that has one ends with this process. */
  readonly ipc?: boolean;
}

/** How a program has ended. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** What a program left. */
export interface ProgramRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How many characters of a program's output and log are kept, counted from the end. */
const MAX_PRINTED = 20_000_000;
const MAX_LOG = 2_000_000;
const MAX_QUOTED = 10_000;
const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 30_000;
/** The last output may come so long after the end, unless children of the program still have its pipes. */
const OUTPUT_WITHIN_MS = 1000;

/** The last characters of a text, from the start of a line. */
const endOf = (text: string, max: number): string => (text.length <= max ? text : text.slice(-max).replace(/^.*\n/, ''));

const running = new Set<ChildProcess>();

/** Kills all programs that still run, for an abrupt end of this process. */
export function killPrograms(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** A program that runs as a child process, without standard input. */
export class Program {
  /** For messages, where it has a channel. */
  readonly child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #closed: Promise<unknown>;
  #stdout = '';
  #stderr = '';

  private constructor(child: ChildProcess) {
    this.child = child;
    running.add(child);
    child.stdout?.on('data', (chunk: Buffer) => {
      this.#stdout = endOf(this.#stdout + chunk.toString(), MAX_PRINTED);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = endOf(this.#stderr + chunk.toString(), MAX_LOG);
    });
    child.once('exit', () => running.delete(child));
    this.#exited = once(child, 'exit');
    this.#closed = once(child, 'close');
    // A program that cannot be started has no end; its caller gets the error.
    for (const end of [this.#exited, this.#closed]) end.catch(() => undefined);
  }

  static start(command: string, args: readonly string[], { env = {}, cwd, withinMs, user, ipc }: ProgramOptions = {}): Program {
    const { PATH, HOME } = process.env;
    const child = spawn(command, args, {
      env: { PATH, HOME, ...env },
      stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])],
      ...user,
      ...(cwd !== undefined && { cwd }),
      ...(withinMs !== undefined && { timeout: withinMs, killSignal: 'SIGKILL' as const }),
    });
    return new Program(child);
  }

  /** Runs a program to its end. */
  static async run(command: string, args: readonly string[], options?: ProgramOptions): Promise<ProgramRun> {
    const program = Program.start(command, args, options);
    const { code } = await program.end();
    return { status: code, stdout: program.stdout, stderr: program.stderr };
  }

  /** Process id; 0 when it could not be started. */
  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Its output: the last 20 million characters, in whole lines. */
  get stdout(): string {
    return this.#stdout;
  }

  /** Its log: the last 2 million characters, in whole lines. */
  get stderr(): string {
    return this.#stderr;
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The whole lines that it has printed so far. */
  lines(): readonly string[] {
    return this.#stdout.split('\n').slice(0, -1);
  }

  /** Waits until it is ready; kills one that takes too long. @param what names it @throws Error with its log when it ends before, or takes too long */
  async untilReady(isReady: () => unknown, what: string, { within = READY_WITHIN_MS, everyMs = 10 } = {}): Promise<void> {
    const logged = (): string => `${this.#stderr}${this.#stdout}`.slice(-MAX_QUOTED);
    await until(async () => !this.running || (await isReady()), { within, everyMs, what: `${what} to be ready` }).catch(
      async (error: Error) => {
        await this.end('SIGKILL');
        throw new Error(`${error.message}\n${logged()}`, { cause: error });
      },
    );
    if (this.running) return;
    await this.#lastOutput();
    throw new Error(`${what} ended before it was ready:\n${logged()}`);
  }

  /** Waits until what it has printed matches. @returns the match @throws Error with its log when it ends before */
  async untilPrinted(text: RegExp): Promise<RegExpExecArray> {
    await this.untilReady(() => text.test(this.#stdout), `The program that prints ${text}`).catch((error: unknown) => {
      if (!text.test(this.#stdout)) throw error;
    });
    return text.exec(this.#stdout) as RegExpExecArray;
  }

  /** Sends a signal, and SIGKILL when it has not ended in time; without a signal waits for its own end. */
  async end(signal?: NodeJS.Signals, within = STOP_WITHIN_MS): Promise<ProgramEnd> {
    if (signal === undefined) await this.#closed;
    else if (this.running) {
      this.child.kill(signal);
      const timer = setTimeout(() => this.child.kill('SIGKILL'), within);
      await this.#exited;
      clearTimeout(timer);
      await this.#lastOutput();
    }
    return { code: this.child.exitCode, signal: this.child.signalCode };
  }

  async #lastOutput(): Promise<void> {
    await Promise.race([this.#closed, pause(OUTPUT_WITHIN_MS, undefined, { ref: false })]);
  }
}
