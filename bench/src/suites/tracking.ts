import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runScript } from '../child-server.ts';
import type { Row } from '../report/row.ts';
import type { Suite, SuiteOptions } from '../suite.ts';
import { dropTrackingDatabase, fillMongo } from '../tracking/mongo-shipments.ts';
import { measurePolling } from '../tracking/polling.ts';
import { measurePushes } from '../tracking/pushes.ts';
import { measureSelection } from '../tracking/selection.ts';
import { targetsOf } from '../tracking/targets.ts';

const TENANT = 'tnt_load';

async function selectionInSqlite(options: SuiteOptions): Promise<readonly Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'parcelway-bench-'));
  const fill = async (count: number, dueEvery: number): Promise<string> => {
    const file = join(directory, `tracking-${count}.db`);
    await runScript('processes/fill-shipments.js', [file, TENANT, String(count), String(dueEvery)]);
    return file;
  };
  try {
    return await measureSelection(options, { kind: 'sqlite', name: 'SQLite', fill });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function selectionInMongo(options: SuiteOptions): Promise<readonly Row[]> {
  const names: string[] = [];
  const fill = async (count: number, dueEvery: number): Promise<string> => {
    const name = `bench-tracking-${randomUUID().slice(0, 8)}`;
    names.push(name);
    await fillMongo(name, TENANT, count, dueEvery);
    return name;
  };
  try {
    return await measureSelection(options, { kind: 'mongo', name: 'MongoDB', fill });
  } finally {
    for (const name of names) await dropTrackingDatabase(name);
  }
}

/** The pushes and the polls of tracking sources, and the selection of what is due, each next to a reference and to its target. */
export const tracking: Suite = async (options) => {
  const rows = [...(await measurePushes(options)), ...(await measurePolling(options)), ...(await selectionInSqlite(options))];
  options.table(targetsOf(rows));
  return rows;
};

/** The selection of what is due, in MongoDB: pushes and polls differ by their store alone. */
export const trackingInMongo: Suite = async (options) => {
  const rows = await selectionInMongo(options);
  options.table(targetsOf(rows));
  return rows;
};
