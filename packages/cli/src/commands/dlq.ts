import { MAX_DISCARDED } from '@parcelway/contracts/admin-api';
import { consumedTopics } from '@parcelway/contracts/topics';
import { type Command, Option } from 'commander';
import type { AdminClient, Data } from '../admin-client.ts';
import { type ApiCommand, addGroup, option, required, rows } from '../api-command.ts';
import { usageError } from '../cli-error.ts';
import { type CommandContext, type Io, type Outcome, rowsOf } from '../command-context.ts';
import { confirm, withConfirmation } from '../confirmation.ts';
import { type LogPosition, parseCount, parsePosition } from '../option-values.ts';
import { type Column, cellText } from '../table.ts';

const PATH = '/admin/v1/dead-letters';
const DEFAULT_LIMIT = 100;
const SHOWN_CHARACTERS = 60;

const columns: readonly Column[] = [
  ['TOPIC', 'topic'],
  ['OFFSET', (deadLetter) => `${deadLetter['partition']}:${deadLetter['offset']}`],
  ['GROUP', 'group'],
  ['FAILED', 'failed_at'],
  ['REASON', 'reason'],
  ['MESSAGE', (deadLetter) => cellText(deadLetter['value']).slice(0, SHOWN_CHARACTERS)],
];

const TOPIC = ['--topic <topic>', 'topic that the messages came from', 'topic', consumedTopics] as const;
const renderDeadLetters = rows('dead_letters', columns, 'There are no dead letters.');
const textOf = (deadLetters: readonly Data[]): string => renderDeadLetters({ dead_letters: deadLetters });

const lists: readonly ApiCommand[] = [
  {
    name: 'list',
    about: 'List the dead letters of one topic or of all topics',
    route: `GET ${PATH}`,
    parameters: [option(...TOPIC), option('--limit <count>', 'maximum per topic; default 100', 'limit', parseCount)],
    async fetch(client, { path, call: { query } }) {
      const found: Data[] = [];
      for (const topic of query?.['topic'] === undefined ? consumedTopics : [query['topic']])
        found.push(...rowsOf(await client.call(path, { query: { ...query, topic } }), 'dead_letters'));
      return { dead_letters: found };
    },
    show: renderDeadLetters,
  },
  {
    name: 'redrive',
    about: 'Send dead letters to the topic they came from again. Fix the cause first',
    route: `POST ${PATH}/redrive`,
    parameters: [required(...TOPIC), option('--limit <count>', 'maximum; default 1000', 'limit', parseCount)],
    show({ redriven, passed_over: passed }, { topic }) {
      const passedText = passed ? `${cellText(passed)} were not, because their forecasts are deleted.\n` : '';
      return `${cellText(redriven)} messages were sent again to ${topic}.\n${passedText}`;
    },
  },
];

interface DeleteOptions {
  readonly topic: string;
  readonly limit?: number;
  readonly offset?: readonly LogPosition[];
  readonly yes?: boolean;
}

const countOf = (count: number): string => (count === 1 ? '1 dead letter' : `${count} dead letters`);

/** Deletes exactly the dead letters that were named or shown. Those that arrive meanwhile stay. */
async function deleteDeadLetters(client: AdminClient, io: Io, options: DeleteOptions): Promise<Outcome> {
  const { topic, limit = DEFAULT_LIMIT, offset, yes = false } = options;
  const listed =
    offset === undefined ? rowsOf(await client.call(PATH, { query: { topic, limit: String(limit) } }), 'dead_letters') : undefined;
  const positions = offset ?? listed?.map(({ partition, offset: at }) => ({ partition, offset: at })) ?? [];
  if (positions.length === 0) return { data: { discarded: 0, dead_letters: [] }, text: textOf([]) };
  const shown = listed === undefined ? `${offset?.map((at) => `${at.partition}:${at.offset}`).join(' ')}\n` : textOf(listed);
  if (!yes) {
    io.err(shown);
    const question = `Delete ${countOf(positions.length)} of ${topic} permanently? These messages will never be processed.`;
    await confirm(io, question, 'Nothing was deleted.');
  }
  const data = await client.call(`${PATH}/discard`, { body: { topic, dead_letters: positions } });
  const deleted = rowsOf(data, 'dead_letters');
  return { data, text: `${textOf(deleted)}${countOf(deleted.length)} of ${topic} deleted.\n` };
}

/** Adds `dlq delete`. */
function addDelete(dlq: Command, { io, act }: CommandContext): void {
  const command = dlq
    .command('delete')
    .description('Delete dead letters permanently: the oldest ones, or the ones given. Asks for confirmation')
    .addOption(new Option(TOPIC[0], TOPIC[1]).choices(consumedTopics).makeOptionMandatory())
    .option('--limit <count>', `maximum, up to ${MAX_DISCARDED}; default ${DEFAULT_LIMIT}`, parseCount)
    .addOption(
      new Option('--offset <partition:offset>', 'this dead letter, as shown by dlq list; can be repeated')
        .argParser((text, former: readonly LogPosition[] | undefined) => [...(former ?? []), parsePosition(text)])
        .conflicts('limit'),
    )
    .hook('preAction', () => {
      const { limit = DEFAULT_LIMIT, offset = [] } = command.opts<DeleteOptions>();
      if (Math.max(limit, offset.length) > MAX_DISCARDED) throw usageError(`At most ${MAX_DISCARDED} dead letters can be deleted at once`);
    })
    .action(act<DeleteOptions>((client, _args, options) => deleteDeadLetters(client, io, options)));
  withConfirmation(command, io, 'Check with parcelctl dlq list what would be deleted');
}

/** Adds `dlq …`. */
export function addDlqCommands(program: Command, context: CommandContext): void {
  addGroup(program, context, 'dlq', 'Dead letters: messages that no consumer could process', [...lists, addDelete]);
}
