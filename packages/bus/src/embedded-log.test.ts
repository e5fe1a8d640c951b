import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { useDirectory } from '@parcelway/kernel/testing/use-directory';
import { SqliteDatabase, type SqlValue } from '@parcelway/sqlite/database';
import fc from 'fast-check';
import { BatchLoop } from './batch-loop.ts';
import type { BatchHandler, LogRecord } from './driver.ts';
import { GroupPositions } from './embedded-group-positions.ts';
import { EmbeddedLog, embeddedLogSchema, RecordTail } from './embedded-log.ts';
import { EmbeddedRetention } from './embedded-retention.ts';
import { openBusInFile } from './testing/bus-in-file.ts';

test('large records come in small batches', async () => {
  const driver = await openBusInFile(':memory:', { clock: new ManualClock(0), logger: silentLogger, partitions: 1 });
  await driver.publish(Array.from({ length: 45 }, () => ({ topic: 't', key: 'k', value: new Uint8Array(400_000) })));
  const sizes: number[] = [];
  const handle: BatchHandler = async (batch) => {
    sizes.push(batch.length);
    return { done: batch.length, pauseMs: 0 };
  };
  await driver.consume({ group: 'g', topics: ['t'], handle });
  await until(() => sizes.length === 3, { what: 'all records' });
  expect(sizes).toEqual([20, 20, 5]);
  await driver.close();
});

test('a loop delivers what is appended while a batch is under way, and at whatever moment it ends', async () => {
  let [appended, next] = [1, 0];
  const got: string[] = [];
  const appendNext = (): void => {
    if (appended === 50) return;
    appended += 1;
    loop.wake();
  };
  const record = (offset: number): LogRecord => ({
    ...{ topic: 't', partition: 0, offset: String(offset), key: null, value: null, headers: {}, timestamp: 0 },
  });
  const loop = new BatchLoop({
    source: {
      next: (limit) => Array.from({ length: Math.min(limit, appended - next) }, (_, place) => record(next + place)),
      finished: (_records, done) => {
        next += done;
      },
      fit: (limit) => limit,
    },
    async handle(batch) {
      got.push(...batch.map(({ offset }) => offset));
      // Each time somewhat later: within the batch, between its end and that of the run, and after it.
      const turns = got.length % 10;
      void (async () => {
        for (let turn = 0; turn < turns; turn += 1) await null;
        appendNext();
      })();
      return { done: batch.length, pauseMs: 0 };
    },
    failed: () => undefined,
  });
  loop.wake();
  await until(() => got.length === 50, { what: 'all records' });
  expect(got).toEqual(Array.from({ length: 50 }, (_, offset) => String(offset)));
});

describe('embedded tail', () => {
  const NOW = 1_700_000_000_000;

  function record(offset: number, { bytes = 1, partition = 0, timestamp = NOW } = {}): LogRecord {
    return { topic: 't', partition, offset: String(offset), key: 'k', value: Buffer.alloc(bytes), headers: {}, timestamp };
  }

  function offsets(tail: RecordTail, from: number, limit = 1000, now = NOW): string[] | undefined {
    return tail.read('t', 0, from, limit, now)?.map(({ offset }) => offset);
  }

  describe('the tail of the log', () => {
    test('never has a gap, in whatever order records come', () => {
      const come = fc.array(fc.nat(12), { maxLength: 30 });
      fc.assert(
        fc.property(come, fc.nat(12), (order, from) => {
          const tail = new RecordTail();
          for (const offset of order) tail.add(record(offset));
          const read = offsets(tail, from) ?? [];
          expect(read).toEqual(read.map((_, index) => String(from + index)));
        }),
      );
    });

    test('keeps a bounded number of records and of bytes', () => {
      const many = new RecordTail();
      for (let offset = 0; offset < 10_000; offset += 1) many.add(record(offset));
      expect(offsets(many, 9_999)).toEqual(['9999']);
      expect(offsets(many, 9_999 - 256)).toBeUndefined();

      const large = new RecordTail();
      for (let offset = 0; offset < 9; offset += 1) large.add(record(offset, { bytes: 1_000_000, partition: offset }));
      expect(large.read('t', 0, 0, 10, NOW)).toBeUndefined();
      large.add(record(0, { bytes: 9_000_000 }));
      expect(offsets(large, 0)).toBeUndefined();
    });

    test('leaves old records to the file, where the retention may have deleted them', () => {
      const tail = new RecordTail();
      tail.add(record(0));
      expect(offsets(tail, 0, 10, NOW + 60_000)).toEqual(['0']);
      expect(offsets(tail, 0, 10, NOW + 60_001)).toBeUndefined();
    });
  });
});

/** Explains each statement before it runs: a full scan and a sort in memory are findings. */
class ExplainedDatabase extends SqliteDatabase {
  readonly findings = new Set<string>();
  readonly explained = new Set<string>();

  override get<Row extends object>(sql: string, ...values: SqlValue[]): Row | undefined {
    return super.get(this.#explain(sql, values), ...values);
  }

  override all<Row extends object>(sql: string, ...values: SqlValue[]): Row[] {
    return super.all(this.#explain(sql, values), ...values);
  }

  override run(sql: string, ...values: SqlValue[]): ReturnType<SqliteDatabase['run']> {
    return super.run(this.#explain(sql, values), ...values);
  }

  #explain(sql: string, values: readonly SqlValue[]): string {
    if (!/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(sql)) return sql;
    this.explained.add(sql);
    for (const { detail } of super.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values))
      if (/^SCAN (?!CONSTANT ROW|json_each)|TEMP B-TREE/.test(detail)) this.findings.add(`${sql}: ${detail}`);
    return sql;
  }
}

test('no statement of the log scans a table or sorts in memory', async () => {
  const db = new ExplainedDatabase(':memory:');
  db.migrate(embeddedLogSchema);
  const clock = new ManualClock(0);
  const log = new EmbeddedLog(db, clock, 2);
  const positions = new GroupPositions(db, silentLogger, 'g');
  await positions.register(['t'], 2, undefined);
  await db.transaction(() => log.append({ topic: 't', key: 'k', value: 'v' }, () => undefined));
  // Another one, which does not have the newest in memory.
  for (const partition of [0, 1]) new EmbeddedLog(db, clock, 2).read('t', partition, 0, 10);
  log.countFrom('t', 0, 0);
  positions.advance(positions.position('t', 0), 1);
  await positions.flush();
  clock.advance(365 * 86_400_000);
  await new EmbeddedRetention(db, clock, silentLogger).deleteSome();
  await db.transaction(() => log.append({ topic: 't', key: 'k', value: 'v' }, () => undefined));
  db.close();
  expect([...db.findings]).toEqual([]);
  expect(db.explained.size).toBeGreaterThan(5);
});

describe('positions in the embedded log', () => {
  const directory = useDirectory();
  let db: SqliteDatabase;

  beforeEach(() => {
    db = new SqliteDatabase(join(directory.path, 'bus.db'));
    db.migrate(embeddedLogSchema);
  });
  afterEach(() => {
    db.close();
  });

  const stored = (group: string): number | undefined =>
    db.get<{ next: number }>('SELECT next FROM positions WHERE group_name = ? AND partition = 0', group)?.next;
  const register = async (group: string, settle?: () => Promise<void>): Promise<GroupPositions> => {
    const positions = new GroupPositions(db, silentLogger, group);
    await positions.register(['t'], 1, settle);
    return positions;
  };

  test('a group whose disk stalls or fails holds up no other', async () => {
    const stalls = await register('stalls', () => new Promise(() => undefined));
    const fails = await register('fails', () => Promise.reject(new Error('The disk is out')));
    const works = await register('works');
    for (const group of [stalls, fails, works]) group.advance(group.position('t', 0), 1);
    const failing = expect(fails.flush()).rejects.toThrow('The disk is out');
    void stalls.flush();
    await works.flush();
    await failing;
    expect(['stalls', 'fails', 'works'].map(stored)).toEqual([0, 0, 1]);
  });

  test('only what has news is settled, each topic of a group by its own rule', async () => {
    const settled: string[] = [];
    const rule = (name: string) => async (): Promise<void> => void settled.push(name);
    const positions = await register('g', rule('t'));
    await positions.register(['u'], 1, undefined);
    await positions.register(['v'], 1, rule('v'));
    positions.advance(positions.position('t', 0), 1);
    positions.advance(positions.position('u', 0), 3);
    await positions.flush();
    await positions.flush();
    expect(settled).toEqual(['t']);
  });
});
