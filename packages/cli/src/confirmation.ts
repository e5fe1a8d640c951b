import type { Command } from 'commander';
import { CliError, exitCodes, usageError } from './cli-error.ts';
import type { Io } from './command-context.ts';

/**
 * Adds `--yes` to a command. Without it and without a terminal, the command calls nothing.
 * @param hint what to look at before, such as `Check with parcelctl tenant list which tenant it is`
 * @param isAsked whether these options need a confirmation; default always
 */
export function withConfirmation(command: Command, io: Io, hint: string, isAsked: (options: object) => boolean = () => true): Command {
  return command.option('--yes', 'do not ask for confirmation').hook('preAction', () => {
    const options = command.opts<{ yes?: boolean }>();
    if (!options.yes && io.confirm === undefined && isAsked(options))
      throw usageError('There is no terminal to ask for confirmation', `${hint}, then add --yes.`);
  });
}

/** Gets a yes on the terminal. @param otherwise what a no leaves, such as `Nothing was deleted.` @throws CliError */
export async function confirm(io: Io, question: string, otherwise: string): Promise<void> {
  if (!(await io.confirm?.(question))) throw new CliError(exitCodes.refused, otherwise);
}
