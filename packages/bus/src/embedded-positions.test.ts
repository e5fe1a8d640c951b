import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Logger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { embeddedLogSchema } from './embedded-log.ts';
import { EmbeddedPositions } from './embedded-positions.ts';

describe('positions in the embedded log', () => {
  let directory: string;
  let db: SqliteDatabase;
  let warnings: string[];
  let positions: EmbeddedPositions;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'positions-'));
    db = new SqliteDatabase(join(directory, 'bus.db'));
    db.migrate(embeddedLogSchema);
    warnings = [];
    const ignore = (): void => undefined;
    const warn = (_fields: unknown, message: string): void => void warnings.push(message);
    const logger: Logger = { debug: ignore, info: ignore, warn, error: ignore, child: () => logger };
    positions = new EmbeddedPositions(db, logger);
  });
  afterEach(() => {
    db.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const stored = (group: string): number | undefined =>
    db.get<{ next: number }>('SELECT next FROM positions WHERE group_name = ? AND partition = 0', group)?.next;
  const register = (group: string, settle?: () => Promise<void>): Promise<void> =>
    positions.register({ group, topics: ['t'], partitions: 1, settle });

  test('what a group finishes while it settles is written the next time', async () => {
    let release = (): void => undefined;
    let settling = 0;
    await register('g', () => {
      settling += 1;
      return new Promise((resolve) => {
        release = resolve;
      });
    });
    positions.of('g').advance(positions.of('g').position('t', 0), 1);
    const first = positions.of('g').flush();
    await until(() => settling === 1, { what: 'the settling' });
    positions.of('g').advance(positions.of('g').position('t', 0), 2);
    expect(stored('g')).toBe(0);
    const second = positions.of('g').flush();
    release();
    await first;
    expect(stored('g')).toBe(1);
    await until(() => settling === 2, { what: 'the next settling' });
    release();
    await second;
    expect(stored('g')).toBe(2);
    expect(positions.of('g').position('t', 0).next).toBe(2);
  });

  test('what could not be settled is settled again in the background, after a pause, and logged once', async () => {
    const tries: number[] = [];
    await register('g', async () => {
      tries.push(performance.now());
      if (tries.length < 3) throw new Error('The disk is out');
    });
    positions.of('g').advance(positions.of('g').position('t', 0), 7);
    await until(() => tries.length === 1, { what: 'the first try' });
    expect(stored('g')).toBe(0);
    await until(() => stored('g') === 7, { what: 'the position to be written' });
    expect(tries).toHaveLength(3);
    expect((tries[1] as number) - (tries[0] as number)).toBeGreaterThan(500);
    expect(warnings).toHaveLength(1);
  });

  test('a flush that failed is tried again, though nothing further is finished', async () => {
    let tries = 0;
    await register('g', async () => {
      tries += 1;
      if (tries === 1) throw new Error('The disk is out');
    });
    positions.of('g').advance(positions.of('g').position('t', 0), 1);
    await expect(positions.of('g').flush()).rejects.toThrow('The disk is out');
    await until(() => stored('g') === 1, { what: 'the position to be written' });
  });

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

  test('once closed nothing is tried again', async () => {
    let tries = 0;
    await register('g', async () => {
      tries += 1;
      throw new Error('The disk is out');
    });
    positions.of('g').advance(positions.of('g').position('t', 0), 1);
    const planned = jest.spyOn(globalThis, 'setTimeout');
    try {
      await positions.close();
      positions.of('g').advance(positions.of('g').position('t', 0), 2);
      expect(planned.mock.calls.map(([, ms]) => ms)).not.toContain(1000);
      expect(planned.mock.calls.map(([, ms]) => ms)).not.toContain(50);
    } finally {
      planned.mockRestore();
    }
    expect(tries).toBe(1);
    expect(warnings).toEqual(['Positions could not be stored; the last messages will be processed again']);
  });
});
