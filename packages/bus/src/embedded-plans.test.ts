import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { EmbeddedLog, embeddedLogSchema } from './embedded-log.ts';
import { EmbeddedPositions } from './embedded-positions.ts';
import { EmbeddedRetention } from './embedded-retention.ts';

const plans = new QueryPlans(
  ['embedded-log.ts', 'embedded-positions.ts', 'embedded-group-positions.ts', 'embedded-retention.ts'].map(
    (file) => new URL(file, import.meta.url),
  ),
  { 'DELETE FROM records WHERE topic': 'looks at the oldest of a partition, MAX_DELETED at most' },
);

test('no statement of the log reads more rows than it returns', async () => {
  const db = plans.open();
  db.migrate(embeddedLogSchema);
  const clock = new ManualClock(0);
  const log = new EmbeddedLog(db, clock, 2);
  const positions = new EmbeddedPositions(db, silentLogger);
  await positions.register({ group: 'g', topics: ['t'], partitions: 2 });
  await log.append([{ topic: 't', key: 'k', value: 'v' }]);
  // Another one, which does not have the newest in memory.
  for (const partition of [0, 1]) new EmbeddedLog(db, clock, 2).read('t', partition, 0, 10);
  log.countFrom('t', 0, 0);
  positions.of('g').advance(positions.of('g').position('t', 0), positions.of('g').position('t', 0).next + 1);
  await positions.of('g').flush();
  clock.advance(365 * 86_400_000);
  await new EmbeddedRetention(db, clock, silentLogger).run();
  await log.append([{ topic: 't', key: 'k', value: 'v' }]);
  db.close();
  expect(plans.findings()).toEqual([]);
});
