import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Logger } from '@parcelway/kernel/logger';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { embeddedLogSchema } from './embedded-log.ts';
import { EmbeddedPositions } from './embedded-positions.ts';

async function until(what: string, condition: () => boolean): Promise<void> {
  const end = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`not reached: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

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
    positions.advance('g', 't', 0, 1);
    const first = positions.flush();
    await until('the settling', () => settling === 1);
    positions.advance('g', 't', 0, 2);
    expect(stored('g')).toBe(0);
    const second = positions.flush();
    release();
    await first;
    expect(stored('g')).toBe(1);
    await until('the next settling', () => settling === 2);
    release();
    await second;
    expect(stored('g')).toBe(2);
    expect(positions.next('g', 't', 0)).toBe(2);
  });

  test('what could not be settled is settled again in the background, and told of once', async () => {
    let tries = 0;
    await register('g', async () => {
      tries += 1;
      if (tries < 3) throw new Error('The disk is out');
    });
    positions.advance('g', 't', 0, 7);
    await until('the first try', () => tries === 1);
    expect(stored('g')).toBe(0);
    await until('the position to be written', () => stored('g') === 7);
    expect(tries).toBe(3);
    expect(warnings).toHaveLength(1);
  });

  test('only groups with news are settled', async () => {
    const settled: string[] = [];
    await register('busy', async () => void settled.push('busy'));
    await register('idle', async () => void settled.push('idle'));
    await register('plain');
    positions.advance('busy', 't', 0, 1);
    positions.advance('plain', 't', 0, 3);
    await positions.flush();
    await positions.flush();
    expect(settled).toEqual(['busy']);
    expect([stored('busy'), stored('plain')]).toEqual([1, 3]);
  });
});
