import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { mongo } from 'mongoose';
import { beginAgain, beginErasure, type ErasureRecord, tryAgain } from '../tenants/domain/erasure.ts';
import type { ErasureStore } from '../tenants/ports.ts';
import { type ErasureDocument, erasures } from './mongo-schema.ts';

function toRecord(document: ErasureDocument): ErasureRecord {
  return {
    tenantId: document._id,
    startedAt: document.started_at,
    rememberedAt: document.remembered_at,
    finishedAt: document.finished_at,
    counts: JSON.parse(document.counts) as ErasureRecord['counts'],
    deadLettersLeft: document.dead_letters_left,
    failures: document.failures,
    failure: document.failure,
  };
}

const progressOf = ({ rememberedAt, finishedAt, counts, deadLettersLeft, failures, failure }: ErasureRecord) => ({
  failures,
  failure,
  remembered_at: rememberedAt,
  finished_at: finishedAt,
  counts: JSON.stringify(counts),
  dead_letters_left: deadLettersLeft,
});

/** Erasures in MongoDB. Every step is one write of one document. */
export class MongoErasures implements ErasureStore {
  readonly #db: MongoDatabase;
  readonly #erasures: mongo.Collection<ErasureDocument>;

  constructor(db: MongoDatabase) {
    this.#db = db;
    this.#erasures = db.model(erasures).collection as unknown as mongo.Collection<ErasureDocument>;
  }

  async find(tenantId: string): Promise<ErasureRecord | undefined> {
    const found = await this.#db.run(() => this.#erasures.findOne({ _id: tenantId }));
    return found === null ? undefined : toRecord(found);
  }

  begin(tenantId: string, now: number): Promise<ErasureRecord> {
    return this.#db.run(async () => {
      const fresh = { started_at: now, ...progressOf(beginErasure(tenantId, now)), lease_owner: '', lease_until: 0 };
      const options = { upsert: true, returnDocument: 'after' } as const;
      const found = await this.#erasures.findOneAndUpdate({ _id: tenantId }, { $setOnInsert: fresh }, options);
      const record = found === null ? beginErasure(tenantId, now) : toRecord(found);
      if (found !== null && record.finishedAt === null && found.lease_owner === '') return this.#tryAgain(record);
      if (record.finishedAt === null) return record;
      const again = beginAgain(record);
      // Another request may have begun it again meanwhile: it runs then.
      await this.#erasures.updateOne({ _id: tenantId, finished_at: record.finishedAt }, { $set: progressOf(again) });
      return again;
    });
  }

  /** Ends the pause of an erasure that failed, unless a process has taken it meanwhile: it runs then. */
  async #tryAgain(record: ErasureRecord): Promise<ErasureRecord> {
    const again = tryAgain(record);
    const { failures, failure } = again;
    const waiting = { _id: record.tenantId, lease_owner: '', finished_at: null };
    const { matchedCount } = await this.#erasures.updateOne(waiting, { $set: { failures, failure, lease_until: 0 } });
    return matchedCount === 1 ? again : record;
  }

  async lease(owner: string, now: number, until: number): Promise<ErasureRecord | undefined> {
    const free = { finished_at: null, $or: [{ lease_until: { $lte: now } }, { lease_owner: owner }] };
    const found = await this.#db.run(() =>
      this.#erasures.findOneAndUpdate(free, { $set: { lease_owner: owner, lease_until: until } }, { returnDocument: 'after' }),
    );
    return found === null ? undefined : toRecord(found);
  }

  async postpone(tenantId: string, owner: string, failure: string, until: number): Promise<void> {
    const update = { $set: { lease_owner: '', lease_until: until, failure }, $inc: { failures: 1 } };
    await this.#db.run(() => this.#erasures.updateOne({ _id: tenantId, lease_owner: owner, finished_at: null }, update));
  }

  async save(record: ErasureRecord, owner: string, until: number): Promise<boolean> {
    const update = { $set: { ...progressOf(record), lease_until: until } };
    const { matchedCount } = await this.#db.run(() => this.#erasures.updateOne({ _id: record.tenantId, lease_owner: owner }, update));
    return matchedCount === 1;
  }
}
