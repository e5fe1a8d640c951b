import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { contents } from '../../adapters/mongo-schema.ts';
import { imageUnusedSince, type OwnImages } from '../ports.ts';
import { photoUses } from './mongo-retention-schema.ts';
import { MARK, photoTokens, shownAmong } from './mongo-shown-photos.ts';

/** Never by token, which the markers of all forecasts share. */
const BY_FORECAST = { hint: 'use' } as const;

/**
 * See FileRetention.noteImages, but for a forecast that was deleted. The revision is noted last: a crash leaves the rest to the repeat of the event. What
 * is unused is looked up once more before it ends, so an image that another forecast takes at the same moment stays.
 */
export async function noteImages(db: MongoDatabase, { tenantId, forecastNo, revision, images }: OwnImages, now: number): Promise<void> {
  const uses = db.model(photoUses).collection;
  const own = { tenant_id: tenantId, forecast_no: forecastNo };
  const known = await uses
    .find({ ...own, revision: { $exists: true } }, { projection: { _id: 0, token: 1, revision: 1 }, ...BY_FORECAST })
    .toArray();
  const noted = known.find(({ token }) => token === MARK)?.['revision'] ?? 0;
  if (revision <= Number(noted)) return;
  const image = (token: string) => ({ token, owner_id: tenantId, recorded: 'photo' }) as const;
  for (const token of images) {
    await uses.updateOne({ ...own, token }, { $set: { revision } }, { upsert: true, ...BY_FORECAST });
    await db.model(contents).collection.updateOne(image(token), { $unset: { unused_since: '' } });
  }
  const removed = photoTokens(known.map(({ token }) => String(token))).filter((token) => !images.includes(token));
  if (removed.length > 0) {
    await uses.deleteMany({ ...own, token: { $in: removed } }, BY_FORECAST);
    const shown = await shownAmong(db, removed);
    for (const token of removed) {
      if (!shown.has(token)) await db.model(contents).collection.updateOne(image(token), { $set: { unused_since: imageUnusedSince(now) } });
    }
  }
  await uses.updateOne({ ...own, token: MARK }, { $set: { revision } }, { upsert: true, ...BY_FORECAST });
}
