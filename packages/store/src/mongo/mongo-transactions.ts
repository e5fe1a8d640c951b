import { UNCAST } from '@parcelway/mongo/mongo-collection';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { refusalsOf } from '@parcelway/mongo/mongo-errors';
import type { MongoOutbox } from '@parcelway/mongo/mongo-outbox';
import { newOutbox, withOutbox } from '@parcelway/mongo/mongo-outbox-fields';
import { type ClientSession, type Model, mongo } from 'mongoose';
import { type Collection, keyOf, nameOfKey } from '../collection.ts';
import type { DriverWrite, StoreDriver } from '../driver.ts';
import type { Outcome } from '../store.ts';
import { deletableOf, documentOf, updateOf, versionOf } from './mongo-statements.ts';
import type { StoredDocument } from './mongo-store-schema.ts';

type Operations = Parameters<Model<StoredDocument>['bulkWrite']>[0];

/** Writes that could not be made: one that a unique index refused, or several of which some were out of date. */
interface FailedGroup {
  readonly writes: readonly DriverWrite[];
  readonly refusal?: Error;
}

/** The driver that the transactions are a part of. */
interface Driver extends Pick<StoreDriver, 'read'> {
  model(collection: Collection): Model<StoredDocument>;
  outbox(collection: Collection): Pick<MongoOutbox, 'instants' | 'noteWaiting'>;
  takenBy(write: DriverWrite, refusal: Error): Promise<Outcome>;
}

/** Far longer than a transaction takes: one that is open for so long and does nothing is that of a process which has died. */
const ABANDONED_MS = 1000;
const BY_ID = { _id: 1 } as const;

/** Writes that are made together, in transactions. */
export class MongoTransactions {
  readonly #database: MongoDatabase;
  readonly #driver: Driver;
  /** Since when transactions have met others, and none has been made; an instant of `performance.now()`. */
  #conflictsSince: number | undefined;

  constructor(database: MongoDatabase, driver: Driver) {
    this.#database = database;
    this.#driver = driver;
  }

  /** Makes all writes, or none. A conflict with another transaction undoes them: the caller reads again, and decides again. */
  async write(writes: readonly DriverWrite[], sparesMessages: boolean): Promise<readonly Outcome[]> {
    const failed = await this.#database.run(() => this.#tryTogether(writes, sparesMessages));
    if (failed === 'again') await this.#noteConflict();
    else {
      this.#conflictsSince = undefined;
      if (failed === undefined)
        return writes.map((write) => ({ kind: 'written', version: write.kind === 'insert' ? 1 : write.version + 1 }));
      const why = await this.#whyNot(failed, sparesMessages);
      if (why !== undefined) return writes.map((write) => (write === why.write ? why.outcome : { kind: 'undone' }));
    }
    return writes.map(() => ({ kind: 'undone' }));
  }

  /** After conflicts alone for some time, a process that has died may be what is in the way. */
  async #noteConflict(): Promise<void> {
    const now = performance.now();
    this.#conflictsSince ??= now;
    if (now - this.#conflictsSince < ABANDONED_MS) return;
    this.#conflictsSince = undefined;
    // A user who may not look waits for the server.
    await this.#endAbandoned().catch(() => undefined);
  }

  async #tryTogether(writes: readonly DriverWrite[], sparesMessages: boolean): Promise<FailedGroup | 'again' | undefined> {
    const session = await this.#database.connection.startSession();
    try {
      session.startTransaction();
      for (const collection of new Set(writes.map((write) => write.in))) {
        const failed = await this.#writeIn(
          session,
          writes.filter((write) => write.in === collection),
          sparesMessages,
        );
        if (failed === undefined) continue;
        await session.abortTransaction();
        return failed;
      }
      await session.commitTransaction();
      for (const { in: collection, messages } of writes) if (messages.length > 0) this.#driver.outbox(collection).noteWaiting();
      return undefined;
    } catch (error) {
      if (error instanceof mongo.MongoError && error.hasErrorLabel('TransientTransactionError')) return 'again';
      throw error;
    } finally {
      await session.endSession();
    }
  }

  /**
   * Ends transactions that dead processes left open in this database. The server waits a minute before it does so, and their documents are locked
   * meanwhile. A slow process loses its transaction too, and repeats it.
   */
  async #endAbandoned(): Promise<void> {
    await this.#database.run(async () => {
      const admin = this.#database.connection.getClient().db('admin');
      const isAbandoned = {
        appName: this.#database.connection.name,
        active: false,
        'transaction.timeOpenMicros': { $gt: ABANDONED_MS * 1000 },
      };
      const readConcern = { level: 'local' } as const;
      const found = await admin.aggregate([{ $currentOp: { idleSessions: true } }, { $match: isAbandoned }], { readConcern }).toArray();
      if (found.length > 0) await admin.command({ killSessions: found.map(({ lsid }) => ({ id: lsid.id })) });
    });
  }

  /** Writes of one collection, in a transaction. @returns what could not be made */
  async #writeIn(session: ClientSession, writes: readonly DriverWrite[], sparesMessages: boolean): Promise<FailedGroup | undefined> {
    const { in: collection } = writes[0] as DriverWrite;
    const instants = collection.hasMessages ? this.#driver.outbox(collection).instants(writes.length) : [];
    const documents = writes.map((write, place) =>
      write.kind === 'insert' ? { ...documentOf(write), ...newOutbox(write.messages, instants[place] ?? 0) } : undefined,
    );
    const operations = writes.map((write, place) => {
      const now = instants[place] ?? 0;
      if (write.kind === 'insert') return { insertOne: { document: documents[place] } };
      if (write.kind === 'delete') return { deleteOne: { filter: deletableOf(write, sparesMessages), hint: BY_ID } };
      return { updateOne: { filter: versionOf(write), update: withOutbox(updateOf(write, undefined), write.messages, now), hint: BY_ID } };
    });
    if (writes.some(({ kind, messages }) => kind === 'delete' && messages.length > 0))
      throw new Error('Deletion with messages is not supported yet');
    try {
      const model = this.#driver.model(collection);
      const inserts = documents.filter((document) => document !== undefined);
      if (inserts.length === writes.length) {
        await model.insertMany(inserts, { session, ...UNCAST, ordered: true });
        return undefined;
      }
      const options = { session, ordered: true, timestamps: false, throwOnValidationError: true } as const;
      const result = await model.bulkWrite(operations as unknown as Operations, options);
      const made = result.insertedCount + result.matchedCount + result.deletedCount;
      return made === writes.length ? undefined : { writes };
    } catch (error) {
      const [refused] = refusalsOf(error) ?? [];
      if (refused === undefined) throw error;
      const [place, refusal] = refused;
      return { writes: [writes[place] as DriverWrite], refusal };
    }
  }

  /** Which write of a group could not be made, and why; undefined when none of them is out of date now. */
  async #whyNot(
    { writes, refusal }: FailedGroup,
    sparesMessages: boolean,
  ): Promise<{ readonly write: DriverWrite; readonly outcome: Outcome } | undefined> {
    const [first] = writes as readonly [DriverWrite];
    if (refusal !== undefined) return { write: first, outcome: await this.#driver.takenBy(first, refusal) };
    const found = await this.#driver.read(
      first.in,
      writes.map(({ key }) => key),
      [],
    );
    const present = new Map(found.map((one) => [nameOfKey(keyOf(first.in, one.value)), one]));
    for (const write of writes) {
      if (write.kind === 'insert') continue;
      const current = present.get(nameOfKey(write.key));
      // Perhaps it holds messages.
      const isSpared = sparesMessages && write.kind === 'delete' && write.in.hasMessages;
      if (isSpared || current?.version !== write.version) return { write, outcome: { kind: 'lost', current } };
    }
    return undefined;
  }
}
