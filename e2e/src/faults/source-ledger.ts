import { join } from 'node:path';
import { platformMode } from '@parcelway/harness/installation';
import { DatabaseSync } from '@photostructure/sqlite';
import { mongo } from 'mongoose';
import type { SourceStage, TrackedSource } from './tracked-source.ts';

/* What of a connection's calls these tests set. A platform has no other clock than the machine's, so hours and days pass here. */

interface LedgerFields {
  /** Days since 1970 (UTC). */
  readonly day: number;
  /** Calls of that day. */
  readonly used: number;
  /** Epoch milliseconds. */
  readonly blocked_until: number;
}

const DEADLINE_MS = 10_000;
const WRITE = `INSERT INTO call_ledgers (connection_id, day, used, next_call_at, blocked_until, last_push_at) VALUES (?, ?, ?, 0, ?, 0)
  ON CONFLICT DO UPDATE SET day = excluded.day, used = excluded.used, blocked_until = excluded.blocked_until`;

function writeSqlite(dataDirectory: string, connectionId: string, { day, used, blocked_until }: LedgerFields): void {
  const db = new DatabaseSync(join(dataDirectory, 'tracking.db'), { timeout: DEADLINE_MS });
  try {
    db.prepare(WRITE).run(connectionId, day, used, blocked_until);
  } finally {
    db.close();
  }
}

async function writeMongo(url: string, prefix: string, connectionId: string, fields: LedgerFields): Promise<void> {
  const client = new mongo.MongoClient(url, { serverSelectionTimeoutMS: DEADLINE_MS, socketTimeoutMS: DEADLINE_MS });
  try {
    const untouched = { next_call_at: 0, last_push_at: 0 };
    await client
      .db(`${prefix}-tracking`)
      .collection<{ _id: string; revision: number }>('call_ledgers')
      .updateOne({ _id: connectionId }, { $set: fields, $setOnInsert: untouched, $inc: { revision: 1 } }, { upsert: true });
  } finally {
    await client.close();
  }
}

type Stage = Pick<SourceStage, 'platform'>;

async function write({ platform }: Stage, connectionId: string, fields: LedgerFields): Promise<void> {
  if (platformMode() === 'embedded') writeSqlite(platform.dataDirectory, connectionId, fields);
  else await writeMongo(String(platform.servers['MONGODB_URL']), String(platform.servers['RESOURCE_PREFIX']), connectionId, fields);
}

/** Ends whatever a connection waits for: the refusals of the vendor, and the day. Registrations that a quota stops have a ledger of their own. */
export async function letTimePass(stage: Stage, { connectionId }: Pick<TrackedSource, 'connectionId'>): Promise<void> {
  for (const id of [connectionId, `${connectionId}/registrations`]) await write(stage, id, { day: 0, used: 0, blocked_until: 0 });
}
