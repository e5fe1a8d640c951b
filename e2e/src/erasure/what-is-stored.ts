import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceNames } from '@parcelway/contracts/service-name';
import { platformMode } from '@parcelway/harness/installation';
import type { PlatformProcess } from '@parcelway/harness/platform-process';
import { DatabaseSync } from '@photostructure/sqlite';
import { mongo } from 'mongoose';
import { redisCommand } from '../faults/breaks.ts';

/** Tables and collections that remember an erased tenant by its id: for good, or as the place where regular work goes on. */
const REMEMBERS = /\.(erased_tenants|erasures|work_leases)$/;

/** What the operator's own entries of the audit log say of a tenant, by its id alone: who created it, and who began its erasure. */
const OF_OPERATORS: readonly unknown[] = ['tenant.created', 'tenant.erased'];

/** The rows of a table without those that are the operator's own. */
function ofTenants(name: string, rows: string): string {
  if (!name.endsWith('.audit_entries')) return rows;
  const entries = JSON.parse(rows) as { readonly action?: unknown; readonly body?: string; readonly tenantId: string }[];
  const actionOf = ({ action, body = '{}' }: (typeof entries)[number]): unknown =>
    action ?? (JSON.parse(body) as { action: unknown }).action;
  return JSON.stringify(entries.filter((entry) => entry.tenantId !== '' || !OF_OPERATORS.includes(actionOf(entry))));
}

const DATABASE = 'parcelway.db';

/** The bytes of a database without its log, which keeps messages until their time is over, as the report says. */
function withoutLog(file: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'without-log-'));
  const copy = join(folder, DATABASE);
  copyFileSync(file, copy);
  const db = new DatabaseSync(copy);
  // Overwrites what it deletes, and nothing else.
  db.exec('PRAGMA secure_delete=ON; DELETE FROM records; PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  const bytes = readFileSync(copy);
  rmSync(folder, { recursive: true });
  return bytes;
}

/** Names of the files of a data directory that contain a text: also what a database has deleted and not overwritten. */
function filesWith(directory: string, texts: readonly string[]): readonly string[] {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.flatMap(({ parentPath, name }) => {
    const file = join(parentPath, name);
    const bytes = name === DATABASE ? withoutLog(file) : readFileSync(file);
    return texts.filter((text) => bytes.includes(text)).map((text) => `${text} in ${name}`);
  });
}

/** How many keys of Redis contain a text. Lua, because it looks into the values as well. */
async function redisKeysWith(url: string, prefix: string, text: string): Promise<number> {
  const script =
    "local n=0;for _,k in ipairs(redis.call('KEYS',ARGV[1]..'*'))do local t=redis.call('TYPE',k).ok;" +
    "local v=t=='string'and redis.call('GET',k)or'';if string.find(k..v,ARGV[2],1,true)then n=n+1 end end;return n";
  return Number((await redisCommand(url, `EVAL "${script}" 0 ${prefix}: ${text}`)).slice(1));
}

/**
 * Where texts are still stored, the log and the memory of erased tenants aside: tables, collections, files, `redis`. Embedded, the platform is stopped for
 * it and started again, so that its files are complete.
 */
export async function placesWith(platform: PlatformProcess, texts: readonly string[]): Promise<readonly string[]> {
  const embedded = platformMode() === 'embedded';
  const { MONGODB_URL = '', REDIS_URL = '', RESOURCE_PREFIX = '' } = platform.servers;
  if (embedded) await platform.stop();
  const dump = embedded ? dumpSqlite(platform.dataDirectory) : await dumpMongo(MONGODB_URL, RESOURCE_PREFIX);
  const places: string[] = [];
  for (const text of texts) {
    for (const [name, rows] of dump) if (!REMEMBERS.test(name) && ofTenants(name, rows).includes(text)) places.push(`${text} in ${name}`);
    if (!embedded && (await redisKeysWith(REDIS_URL, RESOURCE_PREFIX, text)) > 0) places.push(`${text} in redis`);
  }
  if (embedded) await platform.start();
  return places;
}

/** Which files of the data directory of a stopped platform have a text. Embedded mode only: elsewhere the servers have it. */
export function rawPlacesWith(platform: PlatformProcess, texts: readonly string[]): readonly string[] {
  return filesWith(platform.dataDirectory, texts);
}

/** Every row of every table of a stopped platform, the log aside: `service.table` → its rows as JSON. @param dataDirectory of the platform */
function dumpSqlite(dataDirectory: string): ReadonlyMap<string, string> {
  const dump = new Map<string, string>();
  const db = new DatabaseSync(join(dataDirectory, DATABASE));
  try {
    const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[];
    for (const { name } of tables) {
      const service = serviceNames.find((one) => name.startsWith(`${one.replaceAll('-', '_')}_`));
      if (service === undefined) continue;
      const own = name.slice(service.length + 1);
      dump.set(`${service}.${own}`, JSON.stringify(db.prepare(`SELECT * FROM "${name}"`).all()));
    }
  } finally {
    db.close();
  }
  return dump;
}

const DEADLINE_MS = 10_000;

/** Every document of every collection of an installation: `service.collection` → its documents as JSON. @param prefix of the installation */
async function dumpMongo(url: string, prefix: string): Promise<ReadonlyMap<string, string>> {
  const client = new mongo.MongoClient(url, { serverSelectionTimeoutMS: DEADLINE_MS, socketTimeoutMS: DEADLINE_MS });
  const dump = new Map<string, string>();
  try {
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
    for (const { name } of databases.filter((one) => one.name.startsWith(`${prefix}-`))) {
      for (const collection of await client.db(name).collections()) {
        const key = `${name.slice(prefix.length + 1)}.${collection.collectionName}`;
        dump.set(key, JSON.stringify(await collection.find().toArray()));
      }
    }
  } finally {
    await client.close();
  }
  return dump;
}
