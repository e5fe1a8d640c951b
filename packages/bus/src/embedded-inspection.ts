import { consumedTopics, deadLetterTopic } from '@parcelway/contracts/topics';
import { SqliteInspector } from '@parcelway/sqlite/inspection';
import { REDRIVE_GROUP } from './dead-letters.ts';

/** What waits in an embedded log. */
export interface EmbeddedLogState {
  /** Of every topic that has any: dead letters that were neither redriven nor deleted. */
  readonly deadLetters: readonly { readonly topic: string; readonly count: number }[];
  /** Of every group and topic: messages that it has not finished. */
  readonly lags: readonly { readonly group: string; readonly topic: string; readonly count: number }[];
}

/** Records behind a group's position; one without a position has finished nothing. */
const OPEN = `SELECT count(*) AS count FROM records AS r
  LEFT JOIN positions AS p ON p.group_name = ?1 AND p.topic = r.topic AND p.partition = r.partition
  WHERE r.topic = ?2 AND r."offset" >= coalesce(p.next, 0)`;

/**
 * Looks into the file of an embedded log, also while a process works with it.
 * @throws the driver's error when it cannot be read
 */
export function inspectEmbeddedLog(path: string): EmbeddedLogState {
  const file = new SqliteInspector(path);
  try {
    const countOpen = (group: string, topic: string): number => file.all<{ count: number }>(OPEN, group, topic)[0]?.count ?? 0;
    const groups = file.all<{ group: string; topic: string }>(
      'SELECT DISTINCT group_name AS "group", topic FROM positions WHERE group_name <> ? ORDER BY group_name, topic',
      REDRIVE_GROUP,
    );
    return {
      deadLetters: consumedTopics
        .map((topic) => ({ topic, count: countOpen(REDRIVE_GROUP, deadLetterTopic(topic)) }))
        .filter(({ count }) => count > 0),
      lags: groups.map(({ group, topic }) => ({ group, topic, count: countOpen(group, topic) })),
    };
  } finally {
    file.close();
  }
}
