import { AppError } from '@parcelway/kernel/app-error';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { workLeases } from '@parcelway/mongo/mongo-work-lease';
import type { Model } from 'mongoose';
import { type ForecastDocument, forecasts } from '../../adapters/mongo-schema.ts';
import type { CanonicalForecast } from '../../domain/canonical.ts';
import { termsOf } from '../../domain/search-terms.ts';
import type { SearchTerms } from '../../ports.ts';
import { FILLED, FILLING } from '../domain/filling.ts';
import type { FillableForecast, TermFilling } from '../ports.ts';

const WHOLE = { tenant_id: 1, content: 1, 'progress.dispatch': 1, 'progress.furtherDispatches': 1, terms: 1, version: 1 } as const;

type WholeDocument = Pick<ForecastDocument, '_id' | 'tenant_id' | 'content' | 'progress' | 'terms' | 'version'>;

/** A step is read again when others have changed some of its forecasts, so many times at most. */
const MAX_TRIES = 5;

const isSame = (terms: readonly string[], others: readonly string[] | undefined): boolean => {
  const known = new Set(others);
  return others !== undefined && terms.length === known.size && terms.every((term) => known.has(term));
};

/** The write that gives a forecast its terms, unless it has changed since; undefined when it has them. */
function writeOf({ _id, tenant_id, content, progress, terms: stored, version }: WholeDocument) {
  const terms = termsOf(JSON.parse(content) as CanonicalForecast, progress);
  if (isSame(terms, stored)) return undefined;
  // The version stays: nobody's decision depends on the terms.
  return { updateOne: { filter: { _id, tenant_id, version }, update: { $set: { terms } } } };
}

/** Gives forecasts from before the search their terms in MongoDB. */
export class MongoTermFilling implements TermFilling, SearchTerms {
  readonly #db: MongoDatabase;
  readonly #model: Model<ForecastDocument>;
  #isComplete = false;

  /** @param db migrated with forecastCollections */
  constructor(db: MongoDatabase) {
    this.#db = db;
    this.#model = db.model(forecasts);
  }

  async next(after: string | null, limit: number): Promise<readonly FillableForecast[]> {
    const found = await this.#db.run(() =>
      this.#model
        .find({ _id: { $gt: after ?? '' } }, { item_count: 1 })
        .sort({ _id: 1 })
        .limit(limit)
        .hint({ _id: 1 })
        .lean<Pick<ForecastDocument, '_id' | 'item_count'>[]>(),
    );
    return found.map(({ _id, item_count: itemCount }) => ({ place: _id, itemCount }));
  }

  fill(places: readonly string[]): Promise<number> {
    return this.#db.run(async () => {
      let filled = 0;
      for (let tried = 0; tried < MAX_TRIES; tried += 1) {
        const [written, wanted] = await this.#fillOnce(places);
        filled += written;
        if (written === wanted) return filled;
      }
      throw AppError.unavailable('Forecasts were changed each time that their terms were to be written');
    });
  }

  async areComplete(): Promise<boolean> {
    if (this.#isComplete) return true;
    const lease = await this.#db.run(() =>
      this.#db
        .model(workLeases)
        .findOne({ _id: { $eq: FILLING } }, { place: 1 })
        .lean(),
    );
    this.#isComplete = lease?.place === FILLED;
    return this.#isComplete;
  }

  /** @returns how many were written, and how many were to be */
  async #fillOnce(places: readonly string[]): Promise<readonly [number, number]> {
    // Places begin with their tenant: with it the server knows where they are.
    const tenants = [...new Set(places.map((place) => place.slice(0, place.indexOf(' '))))];
    const found = await this.#model
      .find({ _id: { $in: places }, tenant_id: { $in: tenants } }, WHOLE)
      .hint({ _id: 1 })
      .lean<WholeDocument[]>();
    const writes = found.flatMap((document) => writeOf(document) ?? []);
    if (writes.length === 0) return [0, 0];
    const { matchedCount } = await this.#model.collection.bulkWrite(writes as never, { ordered: false });
    return [matchedCount, writes.length];
  }
}
