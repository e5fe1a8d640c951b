import { mongo } from 'mongoose';
import type { LedgerFields } from './ledger-fields.ts';

const DEADLINE_MS = 10_000;

/** Changes what a connection has called, in the database of a running installation. @param prefix of the installation */
export async function writeMongoLedger(url: string, prefix: string, connectionId: string, fields: LedgerFields): Promise<void> {
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
