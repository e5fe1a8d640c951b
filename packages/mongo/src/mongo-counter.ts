import { Schema } from 'mongoose';
import { defineCollection } from './mongo-collection.ts';
import type { MongoDatabase } from './mongo-database.ts';

/** Last number given out, by name of the series. */
export const counters = defineCollection<{ _id: string; last: number }>(
  'counters',
  new Schema({ _id: { type: String, required: true }, last: { type: Number, required: true } }),
  { sharding: { unsharded: 'a few documents, each of all tenants' } },
);

/** Numbers are taken from the store in blocks of this size: one round trip for so many inserts, gaps after a restart. */
const BLOCK = 64;

/** Gives out whole numbers from 1, each once over all processes; rising within a process, with gaps. */
export class MongoCounter {
  readonly #database: MongoDatabase;
  readonly #series: string;
  #next = 1;
  #end = 1;
  #refill: Promise<void> | undefined;

  /** @param database migrated with {@link counters} */
  constructor(database: MongoDatabase, series: string) {
    this.#database = database;
    this.#series = series;
  }

  /** @throws AppError 50301 */
  async next(): Promise<number> {
    while (this.#next >= this.#end) {
      this.#refill ??= this.#takeBlock().finally(() => {
        this.#refill = undefined;
      });
      await this.#refill;
    }
    const number = this.#next;
    this.#next += 1;
    return number;
  }

  async #takeBlock(): Promise<void> {
    const model = this.#database.model(counters);
    const updated = await this.#database.run(() =>
      model.findOneAndUpdate({ _id: this.#series }, { $inc: { last: BLOCK } }, { upsert: true, returnDocument: 'after' }).lean(),
    );
    this.#end = updated.last + 1;
    this.#next = this.#end - BLOCK;
  }
}
