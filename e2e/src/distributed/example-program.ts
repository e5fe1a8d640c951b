import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const EXAMPLES = fileURLToPath(new URL('../../../docs/examples/', import.meta.url));

/** A program of docs/examples that runs as a reader would run it. */
export class ExampleProgram {
  readonly #child: ChildProcess;
  #output = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.on('data', (chunk) => {
      this.#output += chunk;
    });
  }

  /** @param env what the program is told, besides PATH */
  static start(name: string, env: Readonly<Record<string, string>>): ExampleProgram {
    const child = spawn(process.execPath, [name], {
      cwd: EXAMPLES,
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return new ExampleProgram(child);
  }

  /** The whole lines that it has printed so far. */
  lines(): readonly string[] {
    return this.#output.split('\n').slice(0, -1);
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
  }
}
