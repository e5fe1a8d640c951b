import { join } from 'node:path';
import { until } from '@parcelway/kernel/testing/until';
import { DatabaseSync } from '@photostructure/sqlite';
import { type CopiedPart, type Copy, copyingOf, type Stored, type StoredPart } from '../suites/growth/copies.ts';
import { AGE_STEP_MS, COPIED_PARTS, type FillOrder, SERVICES, WAITING_EVERY } from '../suites/growth/model.ts';

/*
 * Adds copies of a new platform's parcels to its database files while its services run. Argument: JSON of a FillOrder. Prints { perSecond }.
 */

const { directory, copies, numbers } = JSON.parse(process.argv[2] ?? '{}') as FillOrder;
/** Copies per commit. */
const BATCH = 500;
/** A platform that is about new has fewer rows in each table. */
const MOST_ROWS = 1_000;
const SETTLED_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 1_000;
/** Pages that a connection keeps in memory, in KiB: the order of random keys needs many. */
const CACHE_KIB = 200_000;
/** Pages of the log before they are moved into the file: those that are written again and again are moved once. */
const LOG_PAGES = 30_000;
const TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid LIMIT 100";

/** Database file of each service. */
const files = SERVICES.map((service) => {
  const db = new DatabaseSync(join(directory, `${service}.db`));
  // What a crash would destroy is thrown away at the end of the benchmark.
  db.exec(
    `PRAGMA busy_timeout=10000; PRAGMA synchronous=OFF; PRAGMA cache_size=-${CACHE_KIB}; PRAGMA foreign_keys=OFF; PRAGMA wal_autocheckpoint=${LOG_PAGES}`,
  );
  return { service, db };
});

function readModel(): readonly StoredPart[] {
  const parts = files.flatMap(({ service, db }) => {
    const names = (db.prepare(TABLES).all() as { name: string }[]).filter(({ name }) => COPIED_PARTS.has(`${service}/${name}`));
    const rowsOf = (name: string) => db.prepare(`SELECT * FROM ${name} LIMIT ${MOST_ROWS}`).all() as Stored[];
    return names.map(({ name }) => ({ name: `${service}/${name}`, rows: rowsOf(name) }));
  });
  return parts.filter(({ rows }) => rows.length > 0);
}

/** {@link readModel}, once two reads are equal and no delivery is pending. */
function readSettled(): Promise<readonly StoredPart[]> {
  let last = '';
  const look = (): readonly StoredPart[] | undefined => {
    const parts = readModel();
    const now = JSON.stringify(parts);
    const waits = parts.some(({ rows }) => rows.some(({ status }) => status === 'pending' || status === 'sending'));
    const isSettled = now === last && !waits;
    last = now;
    return isSettled ? parts : undefined;
  };
  return until(look, { within: SETTLED_WITHIN_MS, what: 'the model to be settled', everyMs: LOOK_EVERY_MS });
}

const statements = new Map<string, { run(...values: never[]): unknown }>();
function insert(part: string, row: Stored): void {
  let statement = statements.get(part);
  if (statement === undefined) {
    const [service = '', table = ''] = part.split('/');
    const columns = Object.keys(row);
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
    statement = (files.find((file) => file.service === service) as (typeof files)[number]).db.prepare(sql);
    statements.set(part, statement);
  }
  statement.run(...(Object.values(row) as never[]));
}

const executeEverywhere = (sql: string): void => {
  for (const { db } of files) db.exec(sql);
};

const waitsAt = (part: string, row: Stored): number =>
  part === 'warehouse-intake/events' && typeof row['waiting'] === 'string' ? WAITING_EVERY : 1;
const { parts, textsOf } = copyingOf(numbers, await readSettled(), Date.now(), waitsAt);

function insertCopies(
  { name, every, copiers }: CopiedPart,
  batch: readonly { readonly copy: Copy; readonly texts: readonly string[] }[],
): void {
  for (const { copy, texts } of batch) if (copy.index % every === 0) for (const copier of copiers) insert(name, copier(copy, texts));
}

const begun = performance.now();
executeEverywhere('BEGIN IMMEDIATE');
for (let from = 1; from <= copies; from += BATCH) {
  const batch = Array.from({ length: Math.min(BATCH, copies + 1 - from) }, (_, at) => {
    const copy: Copy = { index: from + at, ageMs: (copies - from - at + 1) * AGE_STEP_MS };
    return { copy, texts: textsOf(copy) };
  });
  for (const part of parts) insertCopies(part, batch);
  executeEverywhere('COMMIT; BEGIN IMMEDIATE');
}
executeEverywhere('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
for (const { db } of files) db.close();
process.stdout.write(JSON.stringify({ perSecond: (copies * 1000) / (performance.now() - begun) }));
