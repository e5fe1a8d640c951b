import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { openBusInFile } from '@parcelway/bus/testing/bus-in-file';
import { runParcelctl } from '@parcelway/cli/run-parcelctl';
import { deadLetterTopic, PARTITIONS, topics } from '@parcelway/contracts/topics';
import { systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { useDirectory } from '@parcelway/kernel/testing/use-directory';
import { openSqliteStore } from '@parcelway/platform/open-store';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { workLeases } from '@parcelway/store/shared/work-leases';
import { backServices, gateway } from './services.ts';

const TOKEN = 'canary-token-of-the-admin-api';

interface Line {
  readonly check: string;
  readonly status: string;
  readonly message: string;
}

describe('parcelctl doctor, embedded', () => {
  const directory = useDirectory();

  const doctor = async () => {
    let text = '';
    const write = (part: string): void => {
      text += part;
    };
    const stores = async () => [gateway, ...backServices];
    const code = await runParcelctl(['doctor', '--json'], { env: { DATA_DIR: directory.path }, out: write, err: write, stores });
    const { findings } = JSON.parse(text) as { findings: Line[] };
    return { code, text, line: (check: string) => findings.find((line) => line.check === check) };
  };

  beforeEach(async () => {
    const bus = await openBusInFile(join(directory.path, 'parcelway.db'), {
      clock: systemClock,
      logger: silentLogger,
      partitions: PARTITIONS,
    });
    await bus.publish([{ topic: deadLetterTopic(topics.warehouse), key: 'k', value: 'poison' }]);
    await bus.close();
    // Nobody listens on port 1.
    writeFileSync(join(directory.path, 'admin.json'), JSON.stringify({ url: 'http://127.0.0.1:1', token: TOKEN }));
  });

  test('looks into files of a platform that does not run', async () => {
    const { code, line, text } = await doctor();
    expect(code).toBe(1);
    expect(line('database')).toMatchObject({ status: 'ok' });
    expect(line(`dead letters ${topics.warehouse}`)).toMatchObject({ status: 'warning', message: expect.stringMatching(/^1 message /) });
    expect(line('admin API')).toMatchObject({ status: 'wrong', message: expect.stringContaining('Cannot reach the admin API') });
    expect(text).not.toContain(TOKEN);
  });

  test('looks into a file that a process works with, what it committed last included', async () => {
    const db = new SqliteDatabase(join(directory.path, 'parcelway.db'));
    try {
      await db.transaction(() => db.run("INSERT INTO positions VALUES ('g', ?, 0, 0)", deadLetterTopic(topics.warehouse)));
      expect((await doctor()).line('consumers')).toMatchObject({ message: expect.stringMatching(/^1 consumer/) });
    } finally {
      db.close();
    }
  });

  test('names documents that do not fit their schema, with their field', async () => {
    const db = new SqliteDatabase(join(directory.path, 'parcelway.db'), 'tracking');
    const { store } = openSqliteStore(db, [workLeases]);
    const lease = { owner: '', dueAt: 0, place: '' };
    await store.apply(['polls', 'retention'].map((name) => ({ in: workLeases, insert: { name, ...lease } })));
    expect((await doctor()).line('documents tracking')).toMatchObject({ status: 'ok', message: '2 documents checked' });
    await db.transaction(() => db.run("UPDATE tracking_work_leases SET body = json_set(body, '$.dueAt', 'soon') WHERE name = 'retention'"));
    db.close();
    const { code, line } = await doctor();
    expect(code).toBe(1);
    expect(line('documents tracking')).toMatchObject({ status: 'wrong', message: 'work_leases retention: dueAt must be an integer' });
    expect(line('documents forecast')).toMatchObject({ status: 'ok', message: '0 documents checked' });
  });

  test('a damaged file, a missing one, and a directory that others may read', async () => {
    const path = join(directory.path, 'parcelway.db');
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xa5, 4096));
    chmodSync(directory.path, 0o755);
    const { line } = await doctor();
    expect(line('database')).toMatchObject({ status: 'wrong', message: expect.stringMatching(/damaged|cannot be read/) });
    expect(line('data directory')).toMatchObject({ status: 'warning' });
    rmSync(path);
    expect((await doctor()).line('database')).toMatchObject({ status: 'wrong', message: expect.stringContaining('does not exist') });
  });

  test('a data directory that is not there', async () => {
    rmSync(directory.path, { recursive: true });
    const { code, line } = await doctor();
    expect(code).toBe(1);
    expect(line('data directory')).toMatchObject({ status: 'wrong', message: expect.stringContaining('does not exist') });
  });
});
