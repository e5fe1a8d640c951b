import { MAX_DISCARDED } from '@parcelway/contracts/admin-api';
import { consumedTopics } from '@parcelway/contracts/topics';
import type { Data } from '../admin-client.ts';
import { type ApiCommand, type CommandGroup, option, required, rows, YES } from '../api-command.ts';
import { confirm, rowsOf } from '../command-context.ts';
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
    parameters: [option(...TOPIC), option('--limit <count>', 'maximum per topic; default 100', 'limit')],
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
      return `${cellText(redriven)} ${redriven === 1 ? 'message was' : 'messages were'} sent again to ${topic}.\n${passedText}`;
    },
  },
];

const countOf = (count: number): string => (count === 1 ? '1 dead letter' : `${count} dead letters`);

/** Deletes exactly the dead letters that were named or shown. Those that arrive meanwhile stay. */
const deletion: ApiCommand = {
  name: 'delete',
  about: 'Delete dead letters permanently: the oldest ones, or the ones given. Asks for confirmation',
  route: `POST ${PATH}/discard`,
  parameters: [
    required(...TOPIC),
    option('--limit <count>', `maximum, up to ${MAX_DISCARDED}; default ${DEFAULT_LIMIT}`, undefined, parseCount),
    {
      flags: '--offset <partition:offset>',
      about: 'this dead letter, as shown by dlq list; can be repeated',
      parse: (text, former: readonly LogPosition[] = []) => [...former, parsePosition(text)],
      conflicts: 'limit',
    },
    YES,
  ],
  asks: { hint: 'Check with parcelctl dlq list what would be deleted' },
  async fetch(client, { path, call, values: { topic, limit = DEFAULT_LIMIT, offset, yes } }, io) {
    const query = { topic: String(topic), limit: String(limit) };
    const listed = offset === undefined ? rowsOf(await client.call(PATH, { query }), 'dead_letters') : undefined;
    const positions = listed?.map(({ partition, offset: at }) => ({ partition, offset: at })) ?? (offset as readonly LogPosition[]);
    if (positions.length === 0) return { discarded: 0, dead_letters: [] };
    if (yes !== true) {
      io.err(listed === undefined ? `${positions.map((at) => `${at.partition}:${at.offset}`).join(' ')}\n` : textOf(listed));
      const question = `Delete ${countOf(positions.length)} of ${topic} permanently? These messages will never be processed.`;
      await confirm(io, question, 'Nothing was deleted.');
    }
    return client.call(path, { ...call, body: { topic, dead_letters: positions } });
  },
  show(data, { topic, offset }) {
    const deleted = rowsOf(data, 'dead_letters');
    return deleted.length === 0 && offset === undefined
      ? textOf([])
      : `${textOf(deleted)}${countOf(deleted.length)} of ${topic} deleted.\n`;
  },
};

/** `dlq …`. */
export const dlqCommands: CommandGroup = {
  name: 'dlq',
  about: 'Dead letters: messages that no consumer could process',
  commands: [...lists, deletion],
};
