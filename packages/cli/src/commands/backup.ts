import { resolve } from 'node:path';
import type { Command } from 'commander';
import { CliError, exitCodes } from '../cli-error.ts';
import type { CommandContext, Outcome } from '../command-context.ts';
import { onServers } from '../on-servers.ts';
import { modeOf } from './doctor.ts';

const BACKUP_HINT = 'parcelctl doctor checks the servers. The folder does not hold a complete backup: delete it.';

/** The facts of a backup that are printed. */
type Facts = Readonly<Record<'mode' | 'environment' | 'began_at' | 'ended_at', string>> & {
  readonly files: readonly { readonly bytes: number }[];
};

function report(what: string, folder: string, { mode, environment, began_at, ended_at, files }: Facts): Outcome {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return {
    data: { folder, mode, environment, began_at, ended_at, files: files.length, bytes },
    text: `${what} ${folder}: ${files.length} files, ${bytes} bytes, everything acknowledged before ${began_at}.\n`,
  };
}

function addBackup(program: Command, { io, perform }: CommandContext): void {
  program
    .command('backup')
    .description('Back up the installation into a new folder, while it runs')
    .requiredOption('--to <folder>', 'new folder; it must be empty if it exists')
    .option('--no-objects', 'distributed mode: do not copy the bucket; back it up with the tools of the object store')
    .addHelpText(
      'after',
      '\nNeeds DATA_DIR, or the variables of a distributed installation with FILE_SECRET. The backup contains secrets. See docs/backup.md.',
    )
    .action(
      perform<{ readonly to: string; readonly objects: boolean }>(async ({ to, objects }) => {
        const folder = resolve(to);
        // The backup contains keys and signing secrets.
        process.umask(0o077);
        const manifest = await onServers(io, BACKUP_HINT, async (env, say) => {
          if (modeOf(env) === 'embedded')
            return (await import('@parcelway/platform/backup/embedded-backup')).backUpEmbedded(env, folder, say);
          return (await import('@parcelway/platform/backup/distributed-backup')).backUpDistributed(env, folder, say, { objects });
        });
        return report('Backed up to', folder, manifest);
      }),
    );
}

function addRestore(program: Command, { io, perform }: CommandContext): void {
  program
    .command('restore')
    .description('Restore a backup into an empty installation before it is started')
    .requiredOption('--from <folder>', 'the backup')
    .option('--check', 'only verify the checksums of the backup')
    .addHelpText('after', '\nFails if the data directory, the databases, the bucket or the topics are not empty. See docs/backup.md.')
    .action(
      perform<{ readonly from: string; readonly check?: boolean }>(async ({ from, check = false }) => {
        const folder = resolve(from);
        process.umask(0o077);
        const manifest = await onServers(io, BACKUP_HINT, async (env, say) => {
          if (check) {
            const { readManifest, verifyFiles } = await import('@parcelway/platform/backup/manifest');
            const read = await readManifest(folder);
            await verifyFiles(folder, read);
            return read;
          }
          if (modeOf(env) === 'embedded')
            return (await import('@parcelway/platform/backup/embedded-backup')).restoreEmbedded(env, folder, say);
          const stores = await io.stores?.();
          if (stores === undefined)
            throw new CliError(
              exitCodes.usage,
              'This parcelctl is installed without the services',
              'Run the parcelctl that is installed with the services.',
            );
          return (await import('@parcelway/platform/backup/distributed-restore')).restoreDistributed(env, stores, folder, say);
        });
        return report(check ? 'Valid backup:' : 'Restored', folder, manifest);
      }),
    );
}

/** Adds `backup` and `restore`. */
export function addBackupCommands(program: Command, context: CommandContext): void {
  addBackup(program, context);
  addRestore(program, context);
}
