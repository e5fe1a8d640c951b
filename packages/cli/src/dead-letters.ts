import { consumedTopics } from '@parcelway/contracts/topics';
import { Option } from 'commander';
import type { AdminClient, Data } from './admin-client.ts';
import { rowsOf } from './command-context.ts';
import { type Column, cellText, renderTable } from './table.ts';

const SHOWN_CHARACTERS = 60;

const columns: readonly Column[] = [
  ['TOPIC', 'topic'],
  ['OFFSET', (letter) => `${letter['partition']}:${letter['offset']}`],
  ['GROUP', 'group'],
  ['FAILED', 'failed_at'],
  ['REASON', 'reason'],
  ['MESSAGE', (letter) => cellText(letter['value']).slice(0, SHOWN_CHARACTERS)],
];

/** Which dead letters. */
export interface DeadLetterChoice {
  readonly topic?: string;
  /** At most so many of a topic. */
  readonly limit?: number;
}

/** The option that names the topic that dead letters came from. */
export const topicOption = (): Option => new Option('--topic <topic>', 'topic that the messages came from').choices(consumedTopics);

/** The oldest dead letters of a topic, or of every topic. @throws CliError */
export async function listDeadLetters(client: AdminClient, { topic, limit }: DeadLetterChoice): Promise<readonly Data[]> {
  const letters: Data[] = [];
  for (const name of topic === undefined ? consumedTopics : [topic]) {
    const data = await client.call('/admin/v1/dead-letters', { query: { topic: name, limit: limit?.toString() } });
    letters.push(...rowsOf(data, 'dead_letters'));
  }
  return letters;
}

/** Dead letters as a table for people. */
export function renderDeadLetters(letters: readonly Data[]): string {
  return renderTable(letters, columns, 'There are no dead letters.');
}
