import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { fullScansOf } from '@parcelway/sqlite/full-scans';
import { EmbeddedLog, embeddedLogSchema } from './embedded-log.ts';
import { EmbeddedPositions } from './embedded-positions.ts';
import { EmbeddedRetention } from './embedded-retention.ts';

test('no statement of the log goes through a whole table', async () => {
  const db = new SqliteDatabase(':memory:');
  db.migrate(embeddedLogSchema);
  const clock = new ManualClock(0);
  const log = new EmbeddedLog(db, clock, 2);
  const positions = new EmbeddedPositions(db, silentLogger);
  await positions.register('g', ['t'], 2);
  await log.append([{ topic: 't', key: 'k', value: 'v' }]);
  log.read('t', 0, 0, 10);
  log.countFrom('t', 0, 0);
  positions.advance('g', 't', 0, positions.next('g', 't', 0) + 1);
  await positions.flush();
  clock.advance(365 * 86_400_000);
  await new EmbeddedRetention(db, clock, silentLogger).run();
  expect(db.statements().length).toBeGreaterThan(8);
  expect(fullScansOf(db)).toEqual([]);
  db.close();
});
