import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import { type CallLedger, EMPTY_LEDGER } from '../domain/call-ledger.ts';
import type { CallLedgers } from '../ports.ts';
import { type CallLedgerDocument, callLedgers } from './mongo-schema.ts';

/** A ledger with the revision that it was read at; 0 when there is none yet. */
interface Known {
  readonly ledger: CallLedger;
  readonly revision: number;
}

/**
 * What connections have called, in MongoDB, for any number of processes: a ledger is written only if it is still as it was decided on, so no
 * two processes take the same call. Times are those of the deciding process: clocks that differ by more than a tenth of a second let
 * calls come closer than the rate allows.
 */
export function createMongoCallLedgers(db: MongoDatabase): CallLedgers {
  const model = db.model(callLedgers);

  const read = async (connectionId: string): Promise<Known> => {
    const found = await model.findOne({ _id: connectionId }).lean<CallLedgerDocument>();
    if (found === null) return { ledger: EMPTY_LEDGER, revision: 0 };
    const { day, used, next_call_at, blocked_until, last_push_at, revision } = found;
    return { ledger: { day, used, nextCallAt: next_call_at, blockedUntil: blocked_until, lastPushAt: last_push_at }, revision };
  };

  /** @returns false when another process was quicker */
  const write = async (connectionId: string, { revision }: Known, ledger: CallLedger): Promise<boolean> => {
    const { day, used, nextCallAt, blockedUntil, lastPushAt } = ledger;
    const fields = { day, used, next_call_at: nextCallAt, blocked_until: blockedUntil, last_push_at: lastPushAt, revision: revision + 1 };
    try {
      if (revision === 0) await model.collection.insertOne({ _id: connectionId, ...fields } as object);
      else return (await model.updateOne({ _id: connectionId, revision }, { $set: fields })).matchedCount === 1;
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };

  return {
    take: (connectionId, decide) =>
      db.run(() =>
        untilWritten(async () => {
          const known = await read(connectionId);
          const { ledger, verdict } = decide(known.ledger);
          return ledger === known.ledger || (await write(connectionId, known, ledger)) ? verdict : undefined;
        }),
      ),

    change: (connectionId, change) =>
      db.run(async () => {
        await untilWritten(async () => {
          const known = await read(connectionId);
          const ledger = change(known.ledger);
          return ledger === known.ledger || (await write(connectionId, known, ledger)) || undefined;
        });
      }),

    read: (connectionId) => db.run(async () => (await read(connectionId)).ledger),
  };
}
