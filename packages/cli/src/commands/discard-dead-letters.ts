import { MAX_DISCARDED } from '@parcelway/contracts/admin-api';
import { type Command, Option } from 'commander';
import type { AdminClient, Data } from '../admin-client.ts';
import { CliError, exitCodes, usageError } from '../cli-error.ts';
import { type CommandContext, type Io, type Outcome, rowsOf } from '../command-context.ts';
import { listDeadLetters, renderDeadLetters, topicOption } from '../dead-letters.ts';
import { type LogPosition, parseCount, parsePosition } from '../option-values.ts';

const DEFAULT_LIMIT = 100;

interface DiscardOptions {
  readonly topic: string;
  readonly limit?: number;
  readonly offset?: readonly LogPosition[];
  readonly yes?: boolean;
}

const countOf = (count: number): string => (count === 1 ? '1 dead letter' : `${count} dead letters`);

/** Gets a yes before anything is lost: from the command line, or from who sits before it. @throws CliError */
async function assertMeant(io: Io, { topic, yes = false }: DiscardOptions, count: number, shown: string): Promise<void> {
  if (yes) return;
  io.err(shown);
  const question = `Discard ${countOf(count)} of ${topic} for good? What should have followed from them will not happen.`;
  if (!(await io.confirm?.(question))) throw new CliError(exitCodes.refused, 'Nothing was discarded.');
}

/** Discards exactly what was named or shown: what has come meanwhile stays. */
async function discard(client: AdminClient, io: Io, options: DiscardOptions): Promise<Outcome> {
  const { topic, limit = DEFAULT_LIMIT, offset } = options;
  const letters = offset === undefined ? await listDeadLetters(client, { topic, limit }) : undefined;
  const positions = offset ?? letters?.map(({ partition, offset: at }) => ({ partition, offset: at })) ?? [];
  if (positions.length === 0) return { data: { discarded: 0, dead_letters: [] }, text: renderDeadLetters([]) };
  const shown = letters === undefined ? `${offset?.map((at) => `${at.partition}:${at.offset}`).join(' ')}\n` : renderDeadLetters(letters);
  await assertMeant(io, options, positions.length, shown);
  const data: Data = await client.call('/admin/v1/dead-letters/discard', { body: { topic, dead_letters: positions } });
  const discarded = rowsOf(data, 'dead_letters');
  return { data, text: `${renderDeadLetters(discarded)}${countOf(discarded.length)} of ${topic} discarded.\n` };
}

/** Adds `dlq discard`. */
export function addDiscardCommand(dlq: Command, { io, act }: CommandContext): void {
  const find = act<DiscardOptions>((client, _args, options) => discard(client, io, options));
  dlq
    .command('discard')
    .description('Give dead letters up for good, the oldest ones or those that are named. Asks first')
    .addOption(topicOption().makeOptionMandatory())
    .option('--limit <count>', `at most so many, up to ${MAX_DISCARDED}; default ${DEFAULT_LIMIT}`, parseCount)
    .addOption(
      new Option('--offset <partition:offset>', 'this one, as dlq list shows it; may be given again')
        .argParser((text, former: readonly LogPosition[] | undefined) => [...(former ?? []), parsePosition(text)])
        .conflicts('limit'),
    )
    .option('--yes', 'do not ask')
    .action(async (...given: unknown[]) => {
      const { limit = DEFAULT_LIMIT, offset = [], yes = false } = given.at(-2) as DiscardOptions;
      if (Math.max(limit, offset.length) > MAX_DISCARDED) throw usageError(`At most ${MAX_DISCARDED} are discarded at once`);
      if (!yes && io.confirm === undefined)
        throw usageError('There is no terminal to ask on', 'parcelctl dlq list shows what would be lost; --yes discards without asking.');
      await find(...given);
    });
}
