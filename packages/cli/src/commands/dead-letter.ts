import { topics } from '@parcelway/contracts/topics';
import { type Command, Option } from 'commander';
import type { AdminClient, Data } from '../admin-client.ts';
import { type CommandContext, rowsOf } from '../command-context.ts';
import { parseCount } from '../option-values.ts';
import { type Column, cellText, renderTable } from '../table.ts';

const SHOWN_CHARACTERS = 60;

const columns: readonly Column[] = [
  ['TOPIC', 'topic'],
  ['OFFSET', (letter) => `${letter['partition']}:${letter['offset']}`],
  ['GROUP', 'group'],
  ['FAILED', 'failed_at'],
  ['REASON', 'reason'],
  ['MESSAGE', (letter) => cellText(letter['value']).slice(0, SHOWN_CHARACTERS)],
];

interface DeadLetterOptions {
  readonly topic?: string;
  readonly limit?: number;
}

async function listDeadLetters(client: AdminClient, { topic, limit }: DeadLetterOptions): Promise<Data> {
  const letters: Data[] = [];
  for (const name of topic === undefined ? Object.values(topics) : [topic]) {
    const data = await client.call('/admin/v1/dead-letters', { query: { topic: name, limit: limit?.toString() } });
    letters.push(...rowsOf(data, 'dead_letters'));
  }
  return { dead_letters: letters };
}

const topicOption = (): Option => new Option('--topic <topic>', 'topic that the messages came from').choices(Object.values(topics));

/** Adds `dlq …`. */
export function addDeadLetterCommands(program: Command, { act }: CommandContext): void {
  const dlq = program.command('dlq').description('Dead letters: messages that no consumer could handle');
  dlq
    .command('list')
    .description('List dead letters, of all topics unless one is named')
    .addOption(topicOption())
    .option('--limit <count>', 'at most so many of a topic; default 100', parseCount)
    .action(
      act<DeadLetterOptions>(async (client, _args, options) => {
        const data = await listDeadLetters(client, options);
        return { data, text: renderTable(rowsOf(data, 'dead_letters'), columns, 'There are no dead letters.') };
      }),
    );
  dlq
    .command('redrive')
    .description('Send dead letters to the topic they came from, once the cause is mended')
    .addOption(topicOption().makeOptionMandatory())
    .option('--limit <count>', 'at most so many; default 1000', parseCount)
    .action(
      act<DeadLetterOptions>(async (client, _args, { topic, limit }) => {
        const data = await client.call('/admin/v1/dead-letters/redrive', { body: { topic, limit } });
        return { data, text: `${cellText(data['redriven'])} messages were sent again to ${topic}.\n` };
      }),
    );
}
