import type { ServiceStore } from '@parcelway/platform/service-store';
import type { Command } from 'commander';
import { type AdminClient, createAdminClient, type Data } from './admin-client.ts';
import { exitCodes } from './cli-error.ts';
import { type Environ, findInstallation } from './find-installation.ts';

/** What a run reads and writes. */
export interface Io {
  readonly env: Environ;
  /** Standard output. */
  out(text: string): void;
  /** Standard error. */
  err(text: string): void;
  /**
   * Calls `stop` when the operator ends the run (Ctrl-C), instead of ending the process; a second time ends it all the same.
   * Absent where nobody can. @returns a function that takes it back
   */
  onInterrupt?(stop: () => void): () => void;
  /** Asks whoever runs it, who may say no. Absent where there is nobody to ask. */
  confirm?(question: string): Promise<boolean>;
  /** What every service keeps in its database. Loads their code when called, not before; absent where that is not at hand. */
  stores?(): Promise<readonly ServiceStore[]>;
}

/** What a command found out. */
export interface Outcome {
  /** Printed as one JSON object with --json. */
  readonly data: Data;
  /** Printed otherwise; lines with their ends. */
  readonly text: string;
  /** Default 0. */
  readonly exitCode?: number;
}

/** A run: its input and output, and how it ended. */
export interface CommandContext {
  readonly io: Io;
  /**
   * The action of a command: finds the installation, works, prints. `work` gets the arguments of the command line first
   * and its options last.
   */
  // Commander hands over (…arguments, options, command).
  act<O>(work: (client: AdminClient, args: readonly string[], options: O) => Promise<Outcome>): (...given: unknown[]) => Promise<void>;
  /** The action of a command that finds what it needs by itself, and prints as it goes. `work` gets all options and gives the exit code. */
  perform<O>(work: (options: O) => Promise<number>): (...given: unknown[]) => Promise<void>;
  /** Exit code of the command that ran. */
  exitCode(): number;
}

/** Makes the context of one run. */
export function createCommandContext(io: Io): CommandContext {
  let exitCode: number = exitCodes.ok;
  return {
    io,
    act<O>(work: (client: AdminClient, args: readonly string[], options: O) => Promise<Outcome>) {
      return async (...given: unknown[]) => {
        const command = given.at(-1) as Command;
        const client = createAdminClient(findInstallation(io.env));
        const outcome = await work(client, given.slice(0, -2) as string[], given.at(-2) as O);
        io.out(command.optsWithGlobals<{ json?: boolean }>().json ? `${JSON.stringify(outcome.data)}\n` : outcome.text);
        exitCode = outcome.exitCode ?? exitCodes.ok;
      };
    },
    perform<O>(work: (options: O) => Promise<number>) {
      return async (...given: unknown[]) => {
        exitCode = await work((given.at(-1) as Command).optsWithGlobals() as O);
      };
    },
    exitCode: () => exitCode,
  };
}

/** The rows in a list of a response. */
export function rowsOf(data: Data, name: string): readonly Data[] {
  const rows = data[name];
  return Array.isArray(rows) ? (rows as Data[]) : [];
}
