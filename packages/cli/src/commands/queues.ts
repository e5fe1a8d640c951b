import type { Command } from 'commander';
import type { Data } from '../admin-client.ts';
import { type CommandContext, rowsOf } from '../command-context.ts';
import { type Column, renderTable } from '../table.ts';

const columns: readonly Column[] = [
  ['SERVICE', 'service'],
  ['QUEUE', 'name'],
  ['WAITING', 'waiting'],
  ['OLDEST', 'oldest'],
];

/** A queue as a row; the topic of events is part of the name. */
function rowOf({ service, queue, topic, waiting, oldest_wait_seconds: oldest }: Data): Data {
  const age = typeof oldest === 'number' && oldest > 0 ? `${Math.round(oldest)} s` : '-';
  return { service, name: [queue, topic].filter(Boolean).join(' '), waiting, oldest: age };
}

/** Adds `queues`. */
export function addQueuesCommand(program: Command, { act }: CommandContext): void {
  program
    .command('queues')
    .description('What waits in each service: events, messages, webhooks, polls, unclaimed events, documents')
    .action(
      act(async (client) => {
        const data = await client.call('/admin/v1/queues');
        const unknown = Array.isArray(data['unknown']) ? (data['unknown'] as readonly string[]) : [];
        const table = renderTable(rowsOf(data, 'queues').map(rowOf), columns, 'No queues');
        return { data, text: unknown.length === 0 ? table : `${table}\nNot known now: ${unknown.join(', ')}. Look at: parcelctl status` };
      }),
    );
}
