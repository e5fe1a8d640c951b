import { write, writeSync } from 'node:fs';

/** Characters that wait while nobody reads; lines beyond it are lost. */
const HELD = 1_000_000;
const RETRY_MS = 100;
/** What waits when the process ends has so long. */
const END_MS = 200;

let lost = 0;

/** How many lines this process could not write since it started. */
export const lostLogLines = (): number => lost;

/** A pipe or socket whose reader is behind. */
const isBusy = (error: NodeJS.ErrnoException): boolean => error.code === 'EAGAIN';

/** Lines for standard output or standard error. What cannot be written is lost and counted; it neither stops the process nor keeps it from ending. */
export class LogOutput {
  readonly #fd: number;
  #lines: string[] = [];
  #held = 0;
  #rest: Uint8Array = Buffer.alloc(0);
  #state: 'idle' | 'writing' | 'waiting' = 'idle';
  #isLineWhole = true;

  constructor(fd: number) {
    this.#fd = fd;
    // Node makes a pipe or socket non-blocking when it opens its stream. A blocked write would hold a thread, which is waited for at exit.
    const stream = fd === 1 ? process.stdout : fd === 2 ? process.stderr : undefined;
    // What threads print goes through the stream.
    stream?.on('error', () => {
      lost += 1;
    });
    process.on('exit', () => this.#end());
  }

  /** Writes a line, which ends with a line break, when the reader takes it. */
  write(line: string): void {
    if (this.#held + line.length > HELD) {
      lost += 1;
      return;
    }
    this.#lines.push(line);
    this.#held += line.length;
    if (this.#state === 'idle') this.#next();
  }

  #next(): void {
    if (this.#rest.length === 0) this.#rest = this.#take();
    this.#state = this.#rest.length === 0 ? 'idle' : 'writing';
    if (this.#state === 'idle') return;
    write(this.#fd, this.#rest, (error, bytes) => {
      if (error !== null && isBusy(error)) {
        this.#state = 'waiting';
        setTimeout(() => this.#next(), RETRY_MS).unref();
        return;
      }
      if (error === null) this.#written(bytes);
      else this.#lose();
      this.#next();
    });
  }

  #take(): Uint8Array {
    // The rest of a line that was cut off must not spoil the next one.
    const taken = Buffer.from((this.#isLineWhole || this.#lines.length === 0 ? '' : '\n') + this.#lines.join(''));
    this.#lines = [];
    this.#held = 0;
    return taken;
  }

  #written(bytes: number): void {
    this.#isLineWhole = this.#rest[bytes - 1] === 10;
    this.#rest = this.#rest.subarray(bytes);
  }

  #lose(): void {
    lost += this.#rest.reduce((lines, byte) => (byte === 10 ? lines + 1 : lines), 0);
    this.#rest = Buffer.alloc(0);
  }

  /** The last lines are written at once, for nothing runs after it. What is being written is finished by Node. */
  #end(): void {
    const until = performance.now() + END_MS;
    let left: Uint8Array = this.#state === 'writing' ? this.#take() : Buffer.concat([this.#rest, this.#take()]);
    const pause = new Int32Array(new SharedArrayBuffer(4));
    while (left.length > 0) {
      try {
        left = left.subarray(writeSync(this.#fd, left));
      } catch (error) {
        if (!isBusy(error as NodeJS.ErrnoException) || performance.now() > until) return;
        Atomics.wait(pause, 0, 0, END_MS / 20);
      }
    }
  }
}
