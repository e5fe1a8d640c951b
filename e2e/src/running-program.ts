import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';

/** How a program is started. */
export interface ProgramOptions {
  /** Its environment besides PATH and HOME. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** It is killed after this time; default never. */
  readonly withinMs?: number;
}

/** How a program has ended. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program that runs as a child process, without standard input. */
export class RunningProgram {
  readonly #child: ChildProcess;
  readonly #ended: Promise<ProgramEnd>;
  #stdout = '';
  #stderr = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.on('data', (chunk: Buffer) => {
      this.#stdout += chunk.toString();
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr += chunk.toString();
    });
    // The end comes after the last output.
    this.#ended = once(child, 'close').then(([code, signal]) => ({ code, signal }) as ProgramEnd);
    // A program that cannot be started has no end; its caller gets the error.
    this.#ended.catch(() => undefined);
  }

  static start(command: string, args: readonly string[], { env = {}, cwd, withinMs }: ProgramOptions = {}): RunningProgram {
    const { PATH, HOME } = process.env;
    const child = spawn(command, args, {
      env: { PATH, HOME, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(cwd !== undefined && { cwd }),
      ...(withinMs !== undefined && { timeout: withinMs, killSignal: 'SIGKILL' as const }),
    });
    return new RunningProgram(child);
  }

  /** All that it has printed. */
  get stdout(): string {
    return this.#stdout;
  }

  /** All that it has logged. */
  get stderr(): string {
    return this.#stderr;
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The whole lines that it has printed so far. */
  lines(): readonly string[] {
    return this.#stdout.split('\n').slice(0, -1);
  }

  /** Waits until what it has printed matches. @returns the match @throws Error with its log when it ends before */
  async untilPrinted(text: RegExp): Promise<RegExpExecArray> {
    const found = await until(() => text.exec(this.#stdout) ?? (this.running ? undefined : 'ended'), {
      within: 60_000,
      what: `the program to print ${text}`,
    });
    if (found !== 'ended') return found;
    // What it printed last may come after its end.
    const end = await this.#ended;
    const match = text.exec(this.#stdout);
    if (match === null)
      throw new Error(`The program ended with ${end.code ?? end.signal} before it printed ${text}:\n${this.#stdout}${this.#stderr}`);
    return match;
  }

  /** Sends a signal; without one waits for its own end. */
  end(signal?: NodeJS.Signals): Promise<ProgramEnd> {
    if (signal !== undefined && this.running) this.#child.kill(signal);
    return this.#ended;
  }
}

/** Starts programs for the tests of a file. One that still runs after its test is killed. */
export function usePrograms(): (command: string, args: readonly string[], options?: ProgramOptions) => RunningProgram {
  const started: RunningProgram[] = [];
  afterEach(async () => {
    await Promise.all(started.splice(0).map((program) => program.end('SIGKILL')));
  }, 30_000);
  return (command, args, options) => {
    const program = RunningProgram.start(command, args, options);
    started.push(program);
    return program;
  };
}
