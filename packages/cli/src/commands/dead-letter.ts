import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { type DeadLetterChoice, listDeadLetters, renderDeadLetters, topicOption } from '../dead-letters.ts';
import { parseCount } from '../option-values.ts';
import { cellText } from '../table.ts';
import { addDiscardCommand } from './discard-dead-letters.ts';

/** Adds `dlq …`. */
export function addDeadLetterCommands(program: Command, context: CommandContext): void {
  const { act } = context;
  const dlq = program.command('dlq').description('Dead letters: messages that no consumer could handle');
  dlq
    .command('list')
    .description('List dead letters, of all topics unless one is named')
    .addOption(topicOption())
    .option('--limit <count>', 'at most so many of a topic; default 100', parseCount)
    .action(
      act<DeadLetterChoice>(async (client, _args, options) => {
        const letters = await listDeadLetters(client, options);
        return { data: { dead_letters: letters }, text: renderDeadLetters(letters) };
      }),
    );
  dlq
    .command('redrive')
    .description('Send dead letters to the topic they came from, once the cause is mended')
    .addOption(topicOption().makeOptionMandatory())
    .option('--limit <count>', 'at most so many; default 1000', parseCount)
    .action(
      act<DeadLetterChoice>(async (client, _args, { topic, limit }) => {
        const data = await client.call('/admin/v1/dead-letters/redrive', { body: { topic, limit } });
        return { data, text: `${cellText(data['redriven'])} messages were sent again to ${topic}.\n` };
      }),
    );
  addDiscardCommand(dlq, context);
}
