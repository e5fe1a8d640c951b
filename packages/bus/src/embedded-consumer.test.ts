import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { SqliteDatabase, type SqlValue } from '@parcelway/sqlite/database';
import fc from 'fast-check';
import type { BatchLoop } from './batch-loop.ts';
import type { BatchHandler, LogRecord } from './driver.ts';
import { deliverPartition } from './embedded-consumer.ts';
import type { GroupPositions, PartitionPosition } from './embedded-group-positions.ts';
import { EmbeddedLog, embeddedLogSchema } from './embedded-log.ts';
import { EmbeddedPositions } from './embedded-positions.ts';
import { EmbeddedRetention } from './embedded-retention.ts';
import { RecordTail } from './embedded-tail.ts';

const record = (offset: number, size: number): LogRecord => {
  return { topic: 't', partition: 0, offset: String(offset), key: `k${offset}`, value: new Uint8Array(size), headers: {}, timestamp: 0 };
};

/** A loop over records in memory. */
function loopOver(records: readonly LogRecord[], handle: BatchHandler): BatchLoop {
  const log: Pick<EmbeddedLog, 'read'> = { read: (_topic, _partition, from, limit) => records.slice(from, from + limit) };
  const positions: Pick<GroupPositions, 'position' | 'advance'> = {
    position: () => ({ next: 0 }) as PartitionPosition,
    advance: (position, next) => {
      (position as { next: number }).next = next;
    },
  };
  return deliverPartition({ group: 'g', topic: 't', partition: 0, handle, log, positions, logger: silentLogger });
}

test('large records come in small batches', async () => {
  const sizes: number[] = [];
  const records = Array.from({ length: 60 }, (_, offset) => record(offset, 400_000));
  loopOver(records, async (batch) => {
    sizes.push(batch.length);
    return { done: batch.length, pauseMs: 0 };
  }).wake();
  await until(() => sizes.length === 3, { what: 'all records' });
  expect(sizes).toEqual([20, 20, 20]);
});

test('delivers what is appended while a batch is under way, and at whatever moment it ends', async () => {
  const records = [record(0, 1)];
  const got: string[] = [];
  const appendNext = (): void => {
    if (records.length === 50) return;
    records.push(record(records.length, 1));
    loop.wake();
  };
  const loop = loopOver(records, async (batch) => {
    got.push(...batch.map(({ offset }) => offset));
    // Each time somewhat later: within the batch, between its end and that of the run, and after it.
    const turns = got.length % 10;
    void (async () => {
      for (let turn = 0; turn < turns; turn += 1) await null;
      appendNext();
    })();
    return { done: batch.length, pauseMs: 0 };
  });
  loop.wake();
  await until(() => got.length === 50, { what: 'all records' });
  expect(got).toEqual(records.map(({ offset }) => offset));
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
    test('gives what follows a place that it holds, and nothing for others', () => {
      const tail = new RecordTail();
      for (const offset of [5, 6, 7]) tail.add(record(offset));
      expect(offsets(tail, 5, 2)).toEqual(['5', '6']);
      expect(offsets(tail, 7)).toEqual(['7']);
      for (const elsewhere of [0, 4, 8, 100]) expect(offsets(tail, elsewhere)).toBeUndefined();
      expect(tail.read('t', 1, 5, 10, NOW)).toBeUndefined();
      expect(tail.read('other', 0, 5, 10, NOW)).toBeUndefined();
    });

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
  const positions = new EmbeddedPositions(db, silentLogger);
  await positions.register({ group: 'g', topics: ['t'], partitions: 2 });
  await db.transaction(() => log.append({ topic: 't', key: 'k', value: 'v' }, () => undefined));
  // Another one, which does not have the newest in memory.
  for (const partition of [0, 1]) new EmbeddedLog(db, clock, 2).read('t', partition, 0, 10);
  log.countFrom('t', 0, 0);
  positions.of('g').advance(positions.of('g').position('t', 0), positions.of('g').position('t', 0).next + 1);
  await positions.of('g').flush();
  clock.advance(365 * 86_400_000);
  await new EmbeddedRetention(db, clock, silentLogger).deleteSome();
  await db.transaction(() => log.append({ topic: 't', key: 'k', value: 'v' }, () => undefined));
  db.close();
  expect([...db.findings]).toEqual([]);
  expect(db.explained.size).toBeGreaterThan(5);
});

describe('positions in the embedded log', () => {
  let directory: string;
  let db: SqliteDatabase;
  let positions: EmbeddedPositions;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'positions-'));
    db = new SqliteDatabase(join(directory, 'bus.db'));
    db.migrate(embeddedLogSchema);
    positions = new EmbeddedPositions(db, silentLogger);
  });
  afterEach(() => {
    db.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const stored = (group: string): number | undefined =>
    db.get<{ next: number }>('SELECT next FROM positions WHERE group_name = ? AND partition = 0', group)?.next;
  const register = (group: string, settle?: () => Promise<void>): Promise<void> =>
    positions.register({ group, topics: ['t'], partitions: 1, settle });

  test('a group whose disk stalls or fails holds up no other', async () => {
    await register('stalls', () => new Promise(() => undefined));
    await register('fails', () => Promise.reject(new Error('The disk is out')));
    await register('works');
    for (const group of ['stalls', 'fails', 'works']) positions.of(group).advance(positions.of(group).position('t', 0), 1);
    const failing = expect(positions.of('fails').flush()).rejects.toThrow('The disk is out');
    void positions.of('stalls').flush();
    await positions.of('works').flush();
    await failing;
    expect(['stalls', 'fails', 'works'].map(stored)).toEqual([0, 0, 1]);
  });

  test('only what has news is settled, each topic of a group by its own rule', async () => {
    const settled: string[] = [];
    const rule = (name: string) => async (): Promise<void> => void settled.push(name);
    await positions.register({ group: 'g', topics: ['t'], partitions: 1, settle: rule('t') });
    await positions.register({ group: 'g', topics: ['u'], partitions: 1 });
    await positions.register({ group: 'g', topics: ['v'], partitions: 1, settle: rule('v') });
    positions.of('g').advance(positions.of('g').position('t', 0), 1);
    positions.of('g').advance(positions.of('g').position('u', 0), 3);
    await positions.of('g').flush();
    await positions.of('g').flush();
    expect(settled).toEqual(['t']);
  });

  test('many positions of a group are written together, those of other groups stay', async () => {
    await positions.register({ group: 'g', topics: ['t', "u'"], partitions: 3 });
    await positions.register({ group: 'other', topics: ['t'], partitions: 1 });
    const moves: readonly (readonly [string, number, number])[] = [
      ['t', 0, 1],
      ['t', 2, Number.MAX_SAFE_INTEGER],
      ["u'", 1, 3],
      // Not registered.
      ['v', 0, 4],
    ];
    for (const [topic, partition, next] of moves) positions.of('g').advance(positions.of('g').position(topic, partition), next);
    await positions.of('g').flush();
    const rows = db.all<{ group_name: string; topic: string; partition: number; next: number }>('SELECT * FROM positions WHERE next > 0');
    expect(rows.map(({ group_name, topic, partition, next }) => [group_name, topic, partition, next])).toEqual(
      moves.map((move) => ['g', ...move]),
    );
    positions.of('g').advance(positions.of('g').position('t', 0), 5);
    await positions.of('g').flush();
    expect(stored('g')).toBe(5);
    expect(stored('other')).toBe(0);
  });
});
