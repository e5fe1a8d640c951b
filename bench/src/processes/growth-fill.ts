import { join } from 'node:path';
import { until } from '@parcelway/kernel/testing/until';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { DatabaseSync } from '@photostructure/sqlite';
import { type Copy, copyingOf } from '../suites/growth/copies.ts';
import type { CopyStore, Stored, StoredPart } from '../suites/growth/copy-store.ts';
import { COPIED_PARTS, type FillOrder, SERVICES, WAITING_EVERY } from '../suites/growth/model.ts';
import { sqliteCopies } from '../suites/growth/sqlite-copies.ts';
import { openMongoCopies } from './mongo-copies.ts';

/*
 * Fills the stores of a platform that has some parcels and nothing else with copies of them, beside the services. Argument: JSON of a FillOrder. Prints
 * { copies, perSecond }.
 */

const { kind, place, copies, numbers, ageStepMs } = JSON.parse(process.argv[2] ?? '{}') as FillOrder;
/** Copies that are made at once. */
const BATCH = kind === 'sqlite' ? 500 : 100;
/** Batches that are on their way to MongoDB. */
const AT_ONCE = 3;
const SETTLED_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 1_000;
/** Pages that a connection keeps in memory, in KiB: the order of random keys needs many. */
const CACHE_KIB = 200_000;
/** Pages of the log before they are moved into the file: those that are written again and again are moved once. */
const LOG_PAGES = 30_000;

const openSqlite = (service: string): CopyStore => sqliteCopies(service, new SqliteDatabase(join(place, `${service}.db`)));

/** What the services keep of the model, by service and table. */
async function readModel(stores: readonly CopyStore[]): Promise<readonly StoredPart[]> {
  const all = await Promise.all(
    stores.map(async (store) => (await store.read()).map(({ name, rows }) => ({ name: `${store.service}/${name}`, rows }))),
  );
  return all.flat().filter(({ name, rows }) => rows.length > 0 && COPIED_PARTS.has(name));
}

/** The same, once two looks give the same and nothing waits to be published or sent. */
function readSettled(stores: readonly CopyStore[]): Promise<readonly StoredPart[]> {
  let last = '';
  const look = async (): Promise<readonly StoredPart[] | undefined> => {
    const parts = await readModel(stores);
    const now = JSON.stringify(parts);
    const waits = parts.some(({ rows }) =>
      rows.some((row) => 'outbox' in row || row['status'] === 'pending' || row['status'] === 'sending'),
    );
    const isSettled = now === last && !waits;
    last = now;
    return isSettled ? parts : undefined;
  };
  return until(look, { within: SETTLED_WITHIN_MS, what: 'the model to be settled', everyMs: LOOK_EVERY_MS });
}

/** Writes batches of rows into the files of the services. */
function openFiles(): { insert(part: string, rows: readonly Stored[]): void; commit(): void; close(): void } {
  const files = new Map<string, InstanceType<typeof DatabaseSync>>();
  const statements = new Map<string, { run(...values: never[]): unknown }>();
  for (const service of SERVICES) {
    const db = new DatabaseSync(join(place, `${service}.db`));
    // What a crash would destroy is thrown away at the end of the benchmark.
    db.exec(
      `PRAGMA busy_timeout=10000; PRAGMA synchronous=OFF; PRAGMA cache_size=-${CACHE_KIB}; PRAGMA foreign_keys=OFF; PRAGMA wal_autocheckpoint=${LOG_PAGES}; BEGIN IMMEDIATE`,
    );
    files.set(service, db);
  }
  const statementOf = (part: string, columns: readonly string[]) => {
    const known = statements.get(part);
    if (known !== undefined) return known;
    const [service = '', table = ''] = part.split('/');
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
    const made = (files.get(service) as InstanceType<typeof DatabaseSync>).prepare(sql);
    statements.set(part, made);
    return made;
  };
  return {
    insert(part, rows) {
      const statement = statementOf(part, Object.keys(rows[0] ?? {}));
      for (const row of rows) statement.run(...(Object.values(row) as never[]));
    },
    commit() {
      for (const db of files.values()) db.exec('COMMIT; BEGIN IMMEDIATE');
    },
    close() {
      for (const db of files.values()) {
        db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
        db.close();
      }
    },
  };
}

const stores = kind === 'sqlite' ? SERVICES.map(openSqlite) : await openMongoCopies(place, SERVICES);
const model = await readSettled(stores);
const waitsAt = (part: string, row: Stored): number =>
  part === 'warehouse-intake/events' && typeof row['waiting'] === 'string' ? WAITING_EVERY : 1;
const { parts, textsOf } = copyingOf(numbers, model, Date.now(), waitsAt);
const byService = new Map(stores.map((store) => [store.service, store]));
const files = kind === 'sqlite' ? openFiles() : undefined;
const begun = performance.now();

async function writeBatch(from: number): Promise<void> {
  const batch: { copy: Copy; texts: readonly string[] }[] = [];
  for (let index = from; index < Math.min(from + BATCH, copies + 1); index += 1) {
    const copy = { index, ageMs: (copies - index + 1) * ageStepMs };
    batch.push({ copy, texts: textsOf(copy) });
  }
  const rowsOf = ({ copiers, every }: (typeof parts)[number]): Stored[] =>
    batch.filter(({ copy }) => copy.index % every === 0).flatMap(({ copy, texts }) => copiers.map((copier) => copier(copy, texts)));
  const insert = async (part: (typeof parts)[number]): Promise<void> => {
    const rows = rowsOf(part);
    if (rows.length === 0) return;
    if (files !== undefined) return files.insert(part.name, rows);
    const [service = '', collection = ''] = part.name.split('/');
    await byService.get(service)?.insert(collection, rows);
  };
  if (files === undefined) await Promise.all(parts.map(insert));
  else for (const part of parts) await insert(part);
  files?.commit();
}

let next = 1;
const work = async (): Promise<void> => {
  while (next <= copies) {
    const from = next;
    next += BATCH;
    await writeBatch(from);
  }
};
await Promise.all(Array.from({ length: files === undefined ? AT_ONCE : 1 }, work));
files?.close();
await Promise.all(stores.map((store) => store.close()));
process.stdout.write(JSON.stringify({ copies, perSecond: (copies * 1000) / (performance.now() - begun) }));
