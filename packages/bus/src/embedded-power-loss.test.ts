import { once } from 'node:events';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from '@jest/globals';
import { useDirectory } from '@parcelway/kernel/testing/use-directory';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { spawnSource } from './testing/source-process.ts';

const FRAME_BYTES = 24 + 4096;
const HEADER_BYTES = 32;

/** Writes numbers, each with a message, on and on; says which are on the disk, and how many pages the log had then. Checkpoints come all the time. */
const program = (path: string): string => `
  import { openEmbeddedBus } from './embedded-driver.ts';
  import { systemClock } from '@parcelway/kernel/clock';
  import { silentLogger } from '@parcelway/kernel/logger';
  import { SqliteDatabase } from '@parcelway/sqlite/database';
  import { SqliteFile } from '@parcelway/sqlite/sqlite-file';
  const file = new SqliteFile(${JSON.stringify(path)}, { lookMs: 5, minPages: 20, maxPages: 200 });
  const log = await openEmbeddedBus({ db: new SqliteDatabase(file), clock: systemClock, logger: silentLogger, partitions: 3 });
  const db = new SqliteDatabase(file, 'service');
  db.migrate(['CREATE TABLE service_numbers (n INTEGER PRIMARY KEY, filling TEXT NOT NULL) STRICT']);
  let next = 0;
  const write = async () => {
    for (;;) {
      const n = next++;
      await db.transaction(() => {
        db.run('INSERT INTO service_numbers VALUES (?, ?)', n, 'x'.repeat((n * 37) % 5000));
        log.append({ topic: 't', key: 'k' + (n % 7), value: String(n) });
      });
      const { log: pages } = file.db.prepare('PRAGMA wal_checkpoint(NOOP)').get();
      console.log(n + ' ' + pages);
    }
  };
  await Promise.all([1, 2, 3, 4, 5].map(write));`;

const directory = useDirectory();

interface Acknowledged {
  readonly n: number;
  /** Pages that the log had when the number was on the disk. */
  readonly pages: number;
}

/** Kills the program after so many numbers. @returns those since the log was begun anew, and those before */
async function killed(
  path: string,
  count: number,
): Promise<{ readonly before: readonly number[]; readonly since: readonly Acknowledged[] }> {
  const child = spawnSource(program(path), '');
  const exit = once(child, 'exit');
  let before: number[] = [];
  let since: Acknowledged[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const [n = 0, pages = 0] = line.split(' ').map(Number);
    if (pages < (since.at(-1)?.pages ?? 0)) [before, since] = [[...before, ...since.map((one) => one.n)], []];
    since.push({ n, pages });
    if (before.length + since.length === count) child.kill('SIGKILL');
  }
  await exit;
  return { before, since };
}

/**
 * Bytes of the log that a checkpoint has brought to the disk, before it moved them: without them the main file is not whole. SQLite has the number of pages
 * in the index of the log (nBackfillAttempted; sqlite.org/walformat.html).
 */
function bytesOnDisk(path: string): number {
  const pages = readFileSync(`${path}-shm`).readUInt32LE(128);
  return pages === 0 ? 0 : HEADER_BYTES + pages * FRAME_BYTES;
}

/** What is in a file whose log ends, or is noise, behind a place. */
function leftOf(path: string, bytes: number, isNoise: boolean) {
  const copy = join(directory.path, 'copy.db');
  copyFileSync(path, copy);
  const log = readFileSync(`${path}-wal`);
  writeFileSync(`${copy}-wal`, isNoise ? log.fill(0xa5, bytes) : log.subarray(0, bytes));
  const db = new SqliteDatabase(copy);
  try {
    expect(db.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    if (db.get("SELECT 1 FROM sqlite_master WHERE name = 'service_numbers'") === undefined) return { numbers: [], messages: [] };
    return {
      numbers: db.all<{ n: number }>('SELECT n FROM service_numbers ORDER BY n').map(({ n }) => n),
      messages: db.all<{ value: Uint8Array }>('SELECT value FROM records').map(({ value }) => Number(Buffer.from(value))),
    };
  } finally {
    db.close();
    for (const end of ['', '-wal', '-shm']) rmSync(copy + end, { force: true });
  }
}

test.each([150, 700, 2000])(
  'wherever the log is cut, what was acknowledged before is there, each with its message (%i numbers)',
  async (count) => {
    const path = join(directory.path, 'file.db');
    const { before, since } = await killed(path, count);
    const [size, least] = [readFileSync(`${path}-wal`).length, bytesOnDisk(path)];
    const cuts = new Set([least, size]);
    for (let cut = 0; cut < 40; cut += 1) cuts.add(Math.floor(least + Math.random() * (size - least)));
    for (const { pages } of since.slice(-10)) cuts.add(HEADER_BYTES + pages * FRAME_BYTES);
    for (const bytes of [...cuts].filter((cut) => cut >= least)) {
      const { numbers, messages } = leftOf(path, bytes, Math.random() < 0.5);
      const there = new Set(numbers);
      const acknowledged = [...before, ...since.filter(({ pages }) => HEADER_BYTES + pages * FRAME_BYTES <= bytes).map(({ n }) => n)];
      expect(acknowledged.filter((n) => !there.has(n))).toEqual([]);
      expect(messages.sort((a, b) => a - b)).toEqual(numbers);
      // The first of them, without a gap.
      expect(numbers).toEqual(numbers.map((_, index) => index));
    }
  },
  60_000,
);
