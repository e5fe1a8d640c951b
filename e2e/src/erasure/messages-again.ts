import { join } from 'node:path';
import { topics } from '@parcelway/contracts/topics';
import { platformMode } from '@parcelway/harness/installation';
import { withOutsider } from '@parcelway/harness/kafka-outsider';
import type { PlatformProcess } from '@parcelway/harness/platform-process';
import { until } from '@parcelway/kernel/testing/until';
import { DatabaseSync } from '@photostructure/sqlite';

/** Topics whose messages are about forecasts, and the group that could not process those that become dead letters. */
export const forecastTopics = {
  [topics.forecast]: 'tracking',
  [topics.warehouse]: 'file',
  [topics.tracking]: 'webhook',
} as const;
type ForecastTopic = keyof typeof forecastTopics;
const names = Object.keys(forecastTopics) as ForecastTopic[];

const FINISHED_WITHIN_MS = 30_000;

/** What a consumer that cannot process a message writes beside its bytes. */
const headersOf = (topic: ForecastTopic, partition: number, offset: string, key: string): Record<string, string> => ({
  'dlq-topic': topic,
  'dlq-partition': String(partition),
  'dlq-offset': offset,
  'dlq-group': forecastTopics[topic],
  'dlq-code': '50000',
  'dlq-message': 'A defect of a former release',
  'dlq-failed-at': new Date().toISOString(),
  'dlq-key': key,
});

/** A message of a tenant that is appended again. The end of a forecast is not: it would delete what the others bring back. */
const isAppended = (tenantId: string, key: string, value: Uint8Array | null): boolean =>
  key.startsWith(`${tenantId}/`) && !Buffer.from(value ?? []).includes('"forecast.expired"');

const APPEND = `INSERT INTO records (topic, partition, "offset", key, value, headers, timestamp) VALUES (?1, ?2,
  (SELECT coalesce(max("offset") + 1, 0) FROM records WHERE topic = ?1 AND partition = ?2), ?3, ?4, ?5, ?6)`;

interface Row {
  readonly partition: number;
  readonly offset: number;
  readonly key: string;
  readonly value: Uint8Array;
}

async function appendEmbedded(platform: PlatformProcess, tenantId: string, suffix: '' | '.dlq'): Promise<void> {
  await platform.stop();
  const db = new DatabaseSync(join(platform.dataDirectory, 'parcelway.db'));
  try {
    for (const topic of names) {
      const rows = db.prepare('SELECT * FROM records WHERE topic = ?').all(topic) as unknown as Row[];
      for (const { partition, offset, key, value } of rows.filter((row) => isAppended(tenantId, row.key, row.value))) {
        const headers = suffix === '' ? null : JSON.stringify(headersOf(topic, partition, String(offset), key));
        db.prepare(APPEND).run(`${topic}${suffix}`, partition, key, value, headers, Date.now());
      }
    }
  } finally {
    db.close();
  }
  await platform.start();
}

const appendToKafka = (platform: PlatformProcess, tenantId: string, suffix: '' | '.dlq'): Promise<void> =>
  withOutsider({ platform }, async (outsider) => {
    for (const topic of names) {
      const own = (await outsider.read(topic)).filter(({ key, value }) => isAppended(tenantId, String(key), value));
      const messages = own.map(({ partition, offset, key, value }) => ({
        key,
        value,
        ...(suffix !== '' && { headers: headersOf(topic, partition, offset, String(key)) }),
      }));
      if (messages.length > 0) await outsider.produce(`${topic}${suffix}`, ...messages);
    }
  });

/**
 * Appends every message about a tenant's forecasts once more, but for the ends of forecasts: behind its topic (`''`), or as dead letters (`'.dlq'`).
 * Embedded, the platform is stopped for it and started again.
 */
export function appendAgain(platform: PlatformProcess, tenantId: string, suffix: '' | '.dlq'): Promise<void> {
  return platformMode() === 'embedded' ? appendEmbedded(platform, tenantId, suffix) : appendToKafka(platform, tenantId, suffix);
}

const OPEN = `SELECT count(*) AS count FROM records AS r JOIN positions AS p ON p.topic = r.topic AND p.partition = r.partition
  WHERE r.topic = ? AND p.group_name <> 'dlq-redrive' AND r."offset" >= p.next`;

/** Waits until every service has finished every message about forecasts that the log has now. */
export async function untilConsumed(platform: PlatformProcess): Promise<void> {
  if (platformMode() === 'distributed') {
    await withOutsider({ platform }, (outsider) => outsider.untilQuiet(FINISHED_WITHIN_MS, names));
    return;
  }
  const db = new DatabaseSync(join(platform.dataDirectory, 'parcelway.db'), { readOnly: true });
  try {
    const open = (): number => names.reduce((sum, topic) => sum + (db.prepare(OPEN).get(topic) as { count: number }).count, 0);
    await until(() => open() === 0, { within: FINISHED_WITHIN_MS, what: 'every message to be finished' });
  } finally {
    db.close();
  }
}
