import { AppError } from '@parcelway/kernel/app-error';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import { mongo } from 'mongoose';

/**
 * Inserts those documents that no unique index refuses.
 * @returns the places in `documents` of those that were refused
 */
export async function insertNew<T extends { readonly _id: string }>(
  collection: mongo.Collection<T>,
  documents: readonly T[],
): Promise<ReadonlySet<number>> {
  if (documents.length === 0) return new Set();
  try {
    await collection.insertMany(documents as unknown as mongo.OptionalUnlessRequiredId<T>[], { ordered: false });
    return new Set();
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError) || !isDuplicateKey(error)) throw error;
    const refused = new Set([error.writeErrors].flat().map(({ index }) => index));
    // Not confirmed by the majority, or broken off on the way: then it is open whether the others are safe.
    const isWhole = error.insertedCount + refused.size === documents.length;
    if (error.result.getWriteConcernError() !== undefined || !isWhole) {
      throw AppError.unavailable('The store did not confirm a write; try again', error);
    }
    return refused;
  }
}

/**
 * Inserts documents in their order, up to the first that a unique index refuses.
 * @returns how many were inserted
 */
export async function insertInOrder<T extends { readonly _id: string }>(
  collection: mongo.Collection<T>,
  documents: readonly T[],
): Promise<number> {
  if (documents.length === 0) return 0;
  try {
    await collection.insertMany(documents as unknown as mongo.OptionalUnlessRequiredId<T>[], { ordered: true });
    return documents.length;
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError) || !isDuplicateKey(error)) throw error;
    const [refused] = [error.writeErrors].flat();
    // Not confirmed by the majority, or broken off on the way: then it is open whether the others are safe.
    const isWhole = refused !== undefined && error.insertedCount === refused.index;
    if (error.result.getWriteConcernError() !== undefined || !isWhole) {
      throw AppError.unavailable('The store did not confirm a write; try again', error);
    }
    return error.insertedCount;
  }
}
