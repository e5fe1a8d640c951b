import { version } from '@parcelway/platform/version';
import { Command, CommanderError } from 'commander';
import { type ApiCommand, addCommands, type CommandGroup } from './api-command.ts';
import { CliError, exitCodes } from './cli-error.ts';
import { createCommandContext, type Io } from './command-context.ts';
import { addArchiveCommands } from './commands/archive.ts';
import { addBackupCommands } from './commands/backup.ts';
import { connectionCommands } from './commands/connection.ts';
import { dlqCommands } from './commands/dlq.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addImportCommand } from './commands/import.ts';
import { keyCommands } from './commands/key.ts';
import { addListenCommand } from './commands/listen.ts';
import { auditCommand, operatorCommands, queuesCommand, statusCommand } from './commands/operator.ts';
import { parcelCommands } from './commands/parcel.ts';
import { tenantCommands } from './commands/tenant.ts';
import { unclaimedCommands, warehouseCommands } from './commands/warehouse.ts';
import { webhookCommands } from './commands/webhook.ts';

const HELP = `
How it finds the platform:
  PARCEL_ADMIN_URL and PARCEL_ADMIN_TOKEN, if both are set; else
  quickstart.json or admin.json in DATA_DIR (default ./.data), which the platform writes.
  parcelctl listen and parcelctl import use the key of a tenant: see their --help.

Exit codes: 0 done, 1 refused by the platform, 2 wrong usage, 3 platform not found or not reachable.

A first tenant:
  parcelctl tenant create --name 'Acme Trading'
  parcelctl key issue --tenant tnt_… --expires-in 90d
  parcelctl warehouse add --code WH1 --name 'Shenzhen 1'
  parcelctl key issue --warehouse WH1`;

/** Commands that call the admin API. */
export const apiCommands: readonly (CommandGroup | ApiCommand)[] = [
  tenantCommands,
  keyCommands,
  warehouseCommands,
  connectionCommands,
  webhookCommands,
  dlqCommands,
  unclaimedCommands,
  parcelCommands,
  operatorCommands,
  auditCommand,
  statusCommand,
  queuesCommand,
];

function createProgram(io: Io): { readonly program: Command; readonly exitCode: () => number } {
  const context = createCommandContext(io);
  // Configure the program first: commands copy its configuration when they are added.
  const program = new Command('parcelctl')
    .description('Operates a Parcelway installation: tenants, keys, warehouses, connections, webhooks, dead letters.')
    .version(version, '--version', 'print the version')
    .option('--json', 'print the data of the response as one JSON object; listen prints one object per line')
    .addHelpText('after', HELP)
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .configureOutput({ writeOut: (text) => io.out(text), writeErr: (text) => io.err(text) })
    .showHelpAfterError('(add --help to see the usage)')
    .exitOverride();
  for (const entry of apiCommands) addCommands(program, context, entry);
  addListenCommand(program, context);
  addImportCommand(program, context);
  addDoctorCommand(program, context);
  addBackupCommands(program, context);
  addArchiveCommands(program, context);
  return { program, exitCode: context.exitCode };
}

/**
 * Runs one command line.
 * @param args without the names of node and script
 * @returns the exit code
 */
export async function runParcelctl(args: readonly string[], io: Io): Promise<number> {
  const { program, exitCode } = createProgram(io);
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode();
  } catch (error) {
    // Commander has already printed the error. Help and version are not errors.
    if (error instanceof CommanderError) {
      const asked = error.code === 'commander.helpDisplayed' || error.code === 'commander.version';
      return asked ? exitCodes.ok : exitCodes.usage;
    }
    if (!(error instanceof CliError)) throw error;
    io.err(`${error.message}\n${error.hint === undefined ? '' : `${error.hint}\n`}`);
    return error.exitCode;
  }
}
