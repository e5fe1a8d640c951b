import { MAX_DISCARDED } from '@parcelway/contracts/admin-api';
import { type Command, Option } from 'commander';
import type { AdminClient, Data } from '../admin-client.ts';
import { CliError, exitCodes, usageError } from '../cli-error.ts';
import { type CommandContext, type Io, type Outcome, rowsOf } from '../command-context.ts';
import { type LogPosition, parseCount, parsePosition } from '../option-values.ts';
import { listDeadLetters, renderDeadLetters, topicOption } from './dlq-list.ts';

const DEFAULT_LIMIT = 100;

interface DeleteOptions {
  readonly topic: string;
  readonly limit?: number;
  readonly offset?: readonly LogPosition[];
  readonly yes?: boolean;
}

const countOf = (count: number): string => (count === 1 ? '1 dead letter' : `${count} dead letters`);

/** Gets a confirmation before anything is deleted: `--yes`, or a yes on the terminal. @throws CliError */
async function confirmDeletion(io: Io, { topic, yes = false }: DeleteOptions, count: number, shown: string): Promise<void> {
  if (yes) return;
  io.err(shown);
  const question = `Delete ${countOf(count)} of ${topic} permanently? These messages will never be processed.`;
  if (!(await io.confirm?.(question))) throw new CliError(exitCodes.refused, 'Nothing was deleted.');
}

/** Deletes exactly the dead letters that were named or shown. Those that arrive meanwhile stay. */
async function deleteDeadLetters(client: AdminClient, io: Io, options: DeleteOptions): Promise<Outcome> {
  const { topic, limit = DEFAULT_LIMIT, offset } = options;
  const listed = offset === undefined ? await listDeadLetters(client, { topic, limit }) : undefined;
  const positions = offset ?? listed?.map(({ partition, offset: at }) => ({ partition, offset: at })) ?? [];
  if (positions.length === 0) return { data: { discarded: 0, dead_letters: [] }, text: renderDeadLetters([]) };
  const shown = listed === undefined ? `${offset?.map((at) => `${at.partition}:${at.offset}`).join(' ')}\n` : renderDeadLetters(listed);
  await confirmDeletion(io, options, positions.length, shown);
  const data: Data = await client.call('/admin/v1/dead-letters/discard', { body: { topic, dead_letters: positions } });
  const deleted = rowsOf(data, 'dead_letters');
  return { data, text: `${renderDeadLetters(deleted)}${countOf(deleted.length)} of ${topic} deleted.\n` };
}

/** Adds `dlq delete`. */
export function addDeleteCommand(dlq: Command, { io, act }: CommandContext): void {
  const run = act<DeleteOptions>((client, _args, options) => deleteDeadLetters(client, io, options));
  dlq
    .command('delete')
    .description('Delete dead letters permanently: the oldest ones, or the ones given. Asks for confirmation')
    .addOption(topicOption().makeOptionMandatory())
    .option('--limit <count>', `maximum, up to ${MAX_DISCARDED}; default ${DEFAULT_LIMIT}`, parseCount)
    .addOption(
      new Option('--offset <partition:offset>', 'this dead letter, as shown by dlq list; can be repeated')
        .argParser((text, former: readonly LogPosition[] | undefined) => [...(former ?? []), parsePosition(text)])
        .conflicts('limit'),
    )
    .option('--yes', 'do not ask for confirmation')
    .action(async (...given: unknown[]) => {
      const { limit = DEFAULT_LIMIT, offset = [], yes = false } = given.at(-2) as DeleteOptions;
      if (Math.max(limit, offset.length) > MAX_DISCARDED) throw usageError(`At most ${MAX_DISCARDED} dead letters can be deleted at once`);
      if (!yes && io.confirm === undefined)
        throw usageError(
          'There is no terminal to ask for confirmation',
          'Check with parcelctl dlq list what would be deleted, then add --yes.',
        );
      await run(...given);
    });
}
