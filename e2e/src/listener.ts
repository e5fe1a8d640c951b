import { fileURLToPath } from 'node:url';
import type { Program } from '@parcelway/harness/program';
import { until } from '@parcelway/kernel/testing/until';
import type { Stage } from './stage.ts';
import { usePrograms } from './use-programs.ts';

const PARCELCTL = fileURLToPath(new URL('../../dist/parcelctl.js', import.meta.url));

/** A line that `parcelctl listen --json` prints. */
export type Note = Readonly<Record<string, unknown>> & { readonly type: string };

/** `parcelctl listen --json`, running. */
export class Listener {
  readonly #program: Program;

  constructor(program: Program) {
    this.#program = program;
  }

  get notes(): readonly Note[] {
    return this.#program.lines().map((line) => JSON.parse(line) as Note);
  }

  /** Waits for a note of a type. @throws Error when the command ends before it */
  async until(type: string): Promise<Note> {
    const found = (): Note | undefined => this.notes.find((note) => note.type === type);
    await until(() => found() !== undefined || !this.#program.running, { what: `the note "${type}"` });
    // What it printed last may come after its end.
    const end = this.#program.running ? undefined : await this.#program.end();
    const note = found();
    if (!note) throw new Error(`It ended with ${end?.code} before "${type}": ${JSON.stringify(this.notes)} ${this.#program.stderr}`);
    return note;
  }

  /** Presses Ctrl-C. @returns its exit code and last note */
  async stop(): Promise<{ readonly code: number | null; readonly last: Note | undefined }> {
    const { code } = await this.#program.end('SIGINT');
    return { code, last: this.notes.at(-1) };
  }
}

/** Starts listeners on a stage and waits until each is ready. One that still listens after its test is ended. */
export function useListeners(stage: Stage): (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Listener> {
  const start = usePrograms();
  return async (args, env) => {
    const options = { env: { DATA_DIR: stage.platform.dataDirectory, ...env } };
    const listener = new Listener(start(process.execPath, [PARCELCTL, 'listen', '--json', ...args], options));
    await listener.until('ready');
    return listener;
  };
}
