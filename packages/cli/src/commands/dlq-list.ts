import { consumedTopics } from '@parcelway/contracts/topics';
import { Option } from 'commander';
import type { AdminClient, Data } from '../admin-client.ts';
import { rowsOf } from '../command-context.ts';
import { type Column, cellText, renderTable } from '../table.ts';

const SHOWN_CHARACTERS = 60;

const columns: readonly Column[] = [
  ['TOPIC', 'topic'],
  ['OFFSET', (deadLetter) => `${deadLetter['partition']}:${deadLetter['offset']}`],
  ['GROUP', 'group'],
  ['FAILED', 'failed_at'],
  ['REASON', 'reason'],
  ['MESSAGE', (deadLetter) => cellText(deadLetter['value']).slice(0, SHOWN_CHARACTERS)],
];

/** Selects dead letters. */
export interface DeadLetterFilter {
  readonly topic?: string;
  /** Maximum per topic. */
  readonly limit?: number;
}

/** The option that names the topic that dead letters came from. */
export const topicOption = (): Option => new Option('--topic <topic>', 'topic that the messages came from').choices(consumedTopics);

/** The oldest dead letters of a topic, or of every topic. @throws CliError */
export async function listDeadLetters(client: AdminClient, { topic, limit }: DeadLetterFilter): Promise<readonly Data[]> {
  const deadLetters: Data[] = [];
  for (const name of topic === undefined ? consumedTopics : [topic]) {
    const data = await client.call('/admin/v1/dead-letters', { query: { topic: name, limit: limit?.toString() } });
    deadLetters.push(...rowsOf(data, 'dead_letters'));
  }
  return deadLetters;
}

/** Dead letters as a table for people. */
export function renderDeadLetters(deadLetters: readonly Data[]): string {
  return renderTable(deadLetters, columns, 'There are no dead letters.');
}
