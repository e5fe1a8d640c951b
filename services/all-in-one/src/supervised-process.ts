import { type ChildProcess, spawn } from 'node:child_process';
import { backOffMs } from '@parcelway/kernel/back-off';
import type { Logger } from '@parcelway/kernel/logger';

export interface SupervisedOptions {
  /** Such as `forecast-2`. */
  readonly name: string;
  readonly url: string;
  readonly adminUrl: string;
  /** The program, a file for Node. */
  readonly main: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Variables of the first start only. */
  readonly firstEnv: Readonly<Record<string, string>>;
  readonly logger: Logger;
  /** Called after each start and each end. */
  readonly onChange: () => void;
}

const RESTARTS = { firstMs: 100, maxMs: 5000 };
/** A process that lived this long is started again at once. */
const STABLE_MS = 10_000;
/** A process that does not end after SIGTERM within this time is killed; above what it gives itself. */
const STOP_WITHIN_MS = 27_000;

/** A child process that is started again when it ends. It ends with this process: the channel between them breaks. */
export class SupervisedProcess {
  readonly options: SupervisedOptions;
  #child: ChildProcess | undefined;
  #stopping = false;
  #starts = 0;
  #lastEnd: string | null = null;
  #failures = 0;
  #restart: NodeJS.Timeout | undefined;
  #becameReady: () => void = () => undefined;
  #failed: (error: Error) => void = () => undefined;
  readonly #firstReady: Promise<void>;

  constructor(options: SupervisedOptions) {
    this.options = options;
    this.#firstReady = new Promise((resolve, reject) => {
      this.#becameReady = resolve;
      this.#failed = reject;
    });
    // Whoever waits for it sees the failure; a stop during the start may leave nobody waiting.
    this.#firstReady.catch(() => undefined);
  }

  /** Of the present child; undefined between two. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** How the last child ended: its exit code or the signal; null while the first one runs. */
  get lastEnd(): string | null {
    return this.#lastEnd;
  }

  /** How often it has been started. */
  get starts(): number {
    return this.#starts;
  }

  /**
   * Starts it; resolves when it says that it is ready.
   * @throws Error when it refuses to run, as with a wrong configuration: it ended by itself with a failure before it was ever ready
   */
  start(): Promise<void> {
    this.#spawn();
    return this.#firstReady;
  }

  /** SIGTERM, and SIGKILL for what does not end in time. @returns false when it did not end cleanly */
  async stop(): Promise<boolean> {
    this.#stopping = true;
    clearTimeout(this.#restart);
    const child = this.#child;
    if (child === undefined) return true;
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
    const code = await ended;
    clearTimeout(timer);
    return code === 0;
  }

  #spawn(): void {
    const { main, env, firstEnv, onChange } = this.options;
    const startedAt = performance.now();
    this.#starts += 1;
    let child: ChildProcess;
    try {
      child = spawn(process.execPath, [main], {
        env: { ...env, ...(this.#starts === 1 ? firstEnv : {}) },
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
        // A group of its own: an interrupt from the keyboard reaches this process alone, which stops the others in order.
        detached: true,
      });
    } catch (error) {
      this.#notStarted(error as Error);
      return;
    }
    this.#child = child;
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(' is ready')) this.#becameReady();
      output = output.slice(-200);
    });
    child.once('error', (error) => {
      // Without a pid there never was a process, and there will be no exit.
      if (child.pid === undefined) this.#notStarted(error);
    });
    child.once('exit', (code, signal) => {
      this.#child = undefined;
      this.#lastEnd = signal ?? String(code);
      onChange();
      this.#ended(code, signal, performance.now() - startedAt);
    });
    onChange();
  }

  /** The system had no room for another process. */
  #notStarted(error: Error): void {
    this.#child = undefined;
    this.options.logger.error({ process: this.options.name, err: error }, 'A service could not be started');
    this.#ended(null, null, 0);
  }

  #ended(code: number | null, signal: NodeJS.Signals | null, livedMs: number): void {
    if (this.#stopping) return;
    const { name, logger } = this.options;
    // It has said why itself, and would say the same again. Ends by a signal come from outside and pass.
    if (code !== null) this.#failed(new Error(`${name} ended with ${code} before it was ready`));
    this.#failures = livedMs > STABLE_MS ? 0 : this.#failures + 1;
    const pauseMs = this.#failures === 0 ? 0 : backOffMs(RESTARTS, this.#failures);
    logger.warn({ process: name, code, signal, pauseMs }, 'A service ended; it is started again');
    this.#restart = setTimeout(() => this.#spawn(), pauseMs);
  }
}
