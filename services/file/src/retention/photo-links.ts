import { collection } from '@parcelway/store/collection';
import type { Store, Stored, Write } from '@parcelway/store/store';
import Type from 'typebox';
import { contentsOf, endContents } from '../contents/content-records.ts';
import type { Content } from '../contents/contents-collection.ts';

/** Uses of photos that one step reads. */
const AT_ONCE = 200;

/** Tokens of the photos of a forecast. @throws AppError 50301 */
export async function photosOf(store: Store, tenantId: string, forecastNo: string): Promise<readonly string[]> {
  const tokens: string[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const place = after === undefined ? {} : { after };
    const { items, next } = await store.find(photoUses.by.forecast, { eq: [tenantId, forecastNo], ...place, limit: AT_ONCE });
    tokens.push(...items.map(({ value }) => value.token));
    after = next;
  }
  return tokens;
}

/** Takes photos from a forecast. @throws AppError 50301 */
export async function unlinkPhotos(store: Store, tenantId: string, forecastNo: string, tokens: readonly string[]): Promise<void> {
  const keys = tokens.map((token) => [tenantId, forecastNo, token]);
  const links = await store.read(photoUses, keys);
  await store.apply(links.map((link): Write => ({ in: photoUses, delete: link })));
}

/** True when a forecast has the photo; only others than `but`, if one is given. */
async function isLinked(store: Store, token: string, but?: { readonly tenantId: string; readonly forecastNo: string }): Promise<boolean> {
  const { items } = await store.find(photoUses.by.token, { eq: [token], limit: 2 });
  return items.some(({ value }) => value.tenantId !== but?.tenantId || value.forecastNo !== but.forecastNo);
}

/**
 * Takes photos from a forecast, and ends those that no other has. The links go after that: a crash before leaves them to the repeat. A tenant's own images
 * stay: they end with the lists that have them.
 * @param photos those of them that are there
 */
export async function endPhotos(store: Store, tenantId: string, forecastNo: string, tokens: readonly string[]): Promise<void> {
  const photos = (await contentsOf(store, tokens)).filter(({ value }) => value.photo !== undefined && value.stored === undefined);
  const endUnlinked = async (some: readonly Stored<Content>[], but?: { readonly tenantId: string; readonly forecastNo: string }) => {
    const kept: Stored<Content>[] = [];
    const over: Stored<Content>[] = [];
    for (const photo of some) ((await isLinked(store, photo.value.token ?? '', but)) ? kept : over).push(photo);
    await endContents(store, over);
    return kept;
  };
  const kept = await endUnlinked(photos, { tenantId, forecastNo });
  await unlinkPhotos(store, tenantId, forecastNo, tokens);
  // Of two forecasts that end at once each has seen the other.
  await endUnlinked(kept);
}

export const photoUses = collection(
  'photo_uses',
  Type.Object({ tenantId: Type.String(), forecastNo: Type.String(), token: Type.String() }, { additionalProperties: false }),
  {
    describe: 'Photos of warehouses, and the forecasts that they were reported of',
    key: ['tenantId', 'forecastNo', 'token'],
    lists: {
      forecast: ['tenantId', 'forecastNo'],
      // Not by tenant: a photo belongs to its warehouse, and may have been reported of forecasts of several tenants.
      token: ['token', 'tenantId'],
    },
    tenant: 'tenantId',
    shard: 'tenantId',
    ends: 'with its forecast',
    copy: 'the photos are listed with the weighings',
  },
);
