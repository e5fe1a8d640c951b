import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { photoUses } from './mongo-retention-schema.ts';

/** The token of what says which revision of a forecast's own images was noted last. Each forecast with own images has one, so it is never looked up by token. */
export const MARK = '';

/** The tokens of photos, without the marker. */
export function photoTokens(tokens: readonly string[]): readonly string[] {
  return tokens.filter((token) => token !== MARK);
}

/**
 * Photos among these that forecasts have. Reads one use of each, however many forecasts have it.
 * @param others which uses count besides; it may leave out those of one tenant, or the one of one forecast
 */
export async function shownAmong(db: MongoDatabase, tokens: readonly string[], others: object = {}): Promise<ReadonlySet<string>> {
  const uses = db.model(photoUses).collection;
  const shown = new Set<string>();
  for (const token of photoTokens(tokens)) {
    const use = await uses.findOne({ token, ...others }, { projection: { _id: 1 }, hint: 'by_token' });
    if (use !== null) shown.add(token);
  }
  return shown;
}
