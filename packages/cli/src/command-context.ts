import type { Readable } from 'node:stream';
import type { ServiceStore } from '@parcelway/platform/service';
import type { Command } from 'commander';
import { type AdminClient, createAdminClient, type Data } from './admin-client.ts';
import { CliError, exitCodes } from './cli-error.ts';
import { type Environ, findInstallation } from './find-installation.ts';

/** What a run reads and writes. */
export interface Io {
  readonly env: Environ;
  /** Standard output. */
  out(text: string): void;
  /** Standard error. */
  err(text: string): void;
  /**
   * Calls `stop` on Ctrl-C instead of ending the process. A second Ctrl-C ends the process.
   * Absent without a terminal. @returns a function that removes the handler
   */
  onInterrupt?(stop: () => void): () => void;
  /** Asks the user for a confirmation. Absent without a terminal. */
  confirm?(question: string): Promise<boolean>;
  /** Standard input. */
  readonly input?: Readable;
  /** Milliseconds between two looks at what the platform works on; by default those of the command. */
  readonly pollMs?: number;
  /** The stores of every service. Loads their code only when called; absent where the services are not installed. */
  stores?(): Promise<readonly ServiceStore[]>;
}

/** The result of a command. */
export interface Outcome {
  /** Printed as one JSON object with `--json`. */
  readonly data: Data;
  /** Printed without `--json`; lines with their ends. */
  readonly text: string;
  /** Default 0. */
  readonly exitCode?: number;
}

/** Makes the context of one run. */
export function createCommandContext(io: Io) {
  let exitCode: number = exitCodes.ok;
  const end = (outcome: Outcome | number, command: Command): void => {
    exitCode = typeof outcome === 'number' ? outcome : (outcome.exitCode ?? exitCodes.ok);
    if (typeof outcome === 'number') return;
    io.out(command.optsWithGlobals<{ json?: boolean }>().json ? `${JSON.stringify(outcome.data)}\n` : outcome.text);
  };
  return {
    io,
    /**
     * The action of a command: finds the installation, calls `work` and prints its result. `work` gets the arguments of the command line
     * first and its options last.
     */
    // Commander passes (…arguments, options, command).
    act<O>(work: (client: AdminClient, args: readonly string[], options: O) => Promise<Outcome>) {
      return async (...given: unknown[]) => {
        const client = createAdminClient(findInstallation(io.env));
        end(await work(client, given.slice(0, -2) as string[], given.at(-2) as O), given.at(-1) as Command);
      };
    },
    /**
     * The action of a command that does not call the admin API. `work` gets all options and the arguments, and returns its result, or the exit code when it has
     * printed by itself.
     */
    perform<O>(work: (options: O, args: readonly string[]) => Promise<Outcome | number>) {
      return async (...given: unknown[]) => {
        const command = given.at(-1) as Command;
        end(await work(command.optsWithGlobals() as O, given.slice(0, -2) as string[]), command);
      };
    },
    /** Exit code of the command that ran. */
    exitCode: () => exitCode,
  };
}

/** A run: its input and output, and how it ended. */
export type CommandContext = ReturnType<typeof createCommandContext>;

/** Gets a yes on the terminal. @param otherwise what a no leaves, such as `Nothing was deleted.` @throws CliError */
export async function confirm(io: Io, question: string, otherwise: string): Promise<void> {
  if (!(await io.confirm?.(question))) throw new CliError(exitCodes.refused, otherwise);
}

/** The rows in a list of a response. */
export function rowsOf(data: Data, name: string): readonly Data[] {
  const rows = data[name];
  return Array.isArray(rows) ? (rows as Data[]) : [];
}
