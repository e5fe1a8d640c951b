import { AppError } from '@parcelway/kernel/app-error';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import { mongo } from 'mongoose';

/** Inserts documents; with `ordered`, up to the first that a unique index refuses. @returns the indexes of the refused ones in `documents` */
async function refusedOf<T extends { readonly _id: string }>(
  collection: mongo.Collection<T>,
  documents: readonly T[],
  ordered: boolean,
): Promise<readonly number[]> {
  if (documents.length === 0) return [];
  try {
    await collection.insertMany(documents as unknown as mongo.OptionalUnlessRequiredId<T>[], { ordered });
    return [];
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError) || !isDuplicateKey(error)) throw error;
    const refused = [error.writeErrors].flat().map(({ index }) => index);
    // Not confirmed by the majority, or broken off on the way: then it is open whether the others are safe.
    const isWhole = error.insertedCount === (ordered ? refused[0] : documents.length - refused.length);
    if (error.result.getWriteConcernError() !== undefined || !isWhole) {
      throw AppError.unavailable('The store did not confirm a write; try again', error);
    }
    return refused;
  }
}

/**
 * Inserts those documents that no unique index refuses.
 * @returns the places in `documents` of those that were refused
 */
export async function insertNew<T extends { readonly _id: string }>(
  collection: mongo.Collection<T>,
  documents: readonly T[],
): Promise<ReadonlySet<number>> {
  return new Set(await refusedOf(collection, documents, false));
}

/**
 * Inserts documents in their order, up to the first that a unique index refuses.
 * @returns how many were inserted
 */
export async function insertInOrder<T extends { readonly _id: string }>(
  collection: mongo.Collection<T>,
  documents: readonly T[],
): Promise<number> {
  const [refused = documents.length] = await refusedOf(collection, documents, true);
  return refused;
}
