import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openEmbeddedBus } from '@parcelway/bus/embedded-driver';
import { runParcelctl } from '@parcelway/cli/run-parcelctl';
import { serviceNames } from '@parcelway/contracts/service-name';
import { deadLetterTopic, PARTITIONS, topics } from '@parcelway/contracts/topics';
import { systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';

const TOKEN = 'canary-token-of-the-admin-api';
const HOUR_MS = 3_600_000;

interface Line {
  readonly check: string;
  readonly status: string;
  readonly message: string;
}

describe('parcelctl doctor, embedded', () => {
  let directory: string;

  const doctor = async () => {
    let text = '';
    const write = (part: string): void => {
      text += part;
    };
    const code = await runParcelctl(['doctor', '--json'], { env: { DATA_DIR: directory }, out: write, err: write });
    const { findings } = JSON.parse(text) as { findings: Line[] };
    return { code, text, line: (check: string) => findings.find((line) => line.check === check) };
  };

  /** Opens a file of a service, with what waits in its outbox. */
  const makeFile = async (name: string, waitingSince: readonly number[]): Promise<SqliteDatabase> => {
    const db = new SqliteDatabase(join(directory, `${name}.db`));
    db.migrate([SqliteOutbox.schema, 'CREATE TABLE things (id INTEGER PRIMARY KEY, text TEXT) STRICT']);
    for (const at of waitingSince) {
      const outbox = new SqliteOutbox(db, { ...systemClock, now: () => at });
      await db.transaction(() => outbox.append({ topic: topics.forecast, key: 'k', value: 'v' }));
    }
    return db;
  };

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'doctor-'));
    for (const name of serviceNames) (await makeFile(name, name === 'tracking' ? [Date.now() - HOUR_MS, Date.now()] : [])).close();
    const bus = await openEmbeddedBus({
      path: join(directory, 'bus.db'),
      clock: systemClock,
      logger: silentLogger,
      partitions: PARTITIONS,
    });
    await bus.publish([{ topic: deadLetterTopic(topics.warehouse), key: 'k', value: 'poison' }]);
    await bus.close();
    // Nobody listens on port 1.
    writeFileSync(join(directory, 'admin.json'), JSON.stringify({ url: 'http://127.0.0.1:1', token: TOKEN }));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  test('looks into files of a platform that does not run', async () => {
    const { code, line, text } = await doctor();
    expect(code).toBe(1);
    expect(line('database forecast')).toMatchObject({ status: 'ok' });
    expect(line('outbox forecast')).toMatchObject({ status: 'ok', message: 'empty' });
    expect(line('outbox tracking')).toMatchObject({ status: 'wrong', message: '2 messages waiting, the oldest for 1 h' });
    expect(line(`dead letters ${topics.warehouse}`)).toMatchObject({ status: 'warning', message: expect.stringMatching(/^1 message /) });
    expect(line('admin API')).toMatchObject({ status: 'wrong', message: expect.stringContaining('Cannot reach the admin API') });
    expect(text).not.toContain(TOKEN);
  });

  test('looks into files that a process works with, what it committed last included', async () => {
    const db = await makeFile('webhook', [Date.now() - HOUR_MS]);
    try {
      expect((await doctor()).line('outbox webhook')).toMatchObject({ status: 'wrong' });
    } finally {
      db.close();
    }
  });

  test('a damaged and a missing file, and a directory that others may read', async () => {
    const path = join(directory, 'file.db');
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xa5, 4096));
    rmSync(join(directory, 'gateway.db'));
    chmodSync(directory, 0o755);
    const { line } = await doctor();
    expect(line('database file')).toMatchObject({ status: 'wrong', message: expect.stringMatching(/damaged|cannot be read/) });
    expect(line('database gateway')).toMatchObject({ status: 'wrong', message: expect.stringContaining('does not exist') });
    expect(line('data directory')).toMatchObject({ status: 'warning' });
  });

  test('a data directory that is not there', async () => {
    rmSync(directory, { recursive: true });
    const { code, line } = await doctor();
    expect(code).toBe(1);
    expect(line('data directory')).toMatchObject({ status: 'wrong', message: expect.stringContaining('does not exist') });
  });
});
