import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { parseCount } from '../option-values.ts';
import { cellText } from '../table.ts';
import { addDeleteCommand } from './dlq-delete.ts';
import { type DeadLetterFilter, listDeadLetters, renderDeadLetters, topicOption } from './dlq-list.ts';

/** Adds `dlq …`. */
export function addDlqCommands(program: Command, context: CommandContext): void {
  const { act } = context;
  const dlq = program.command('dlq').description('Dead letters: messages that no consumer could process');
  dlq
    .command('list')
    .description('List the dead letters of one topic or of all topics')
    .addOption(topicOption())
    .option('--limit <count>', 'maximum per topic; default 100', parseCount)
    .action(
      act<DeadLetterFilter>(async (client, _args, options) => {
        const deadLetters = await listDeadLetters(client, options);
        return { data: { dead_letters: deadLetters }, text: renderDeadLetters(deadLetters) };
      }),
    );
  dlq
    .command('redrive')
    .description('Send dead letters to the topic they came from again. Fix the cause first')
    .addOption(topicOption().makeOptionMandatory())
    .option('--limit <count>', 'maximum; default 1000', parseCount)
    .action(
      act<DeadLetterFilter>(async (client, _args, { topic, limit }) => {
        const data = await client.call('/admin/v1/dead-letters/redrive', { body: { topic, limit } });
        const passed = data['passed_over'];
        const passedText = passed ? `${cellText(passed)} were not, because their forecasts are deleted.\n` : '';
        return { data, text: `${cellText(data['redriven'])} messages were sent again to ${topic}.\n${passedText}` };
      }),
    );
  addDeleteCommand(dlq, context);
}
