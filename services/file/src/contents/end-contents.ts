import type { Store, Stored, Write } from '@parcelway/store/store';
import { type Content, contents, ENDED } from './contents-collection.ts';

/** Documents of a forecast that one step ends. */
const AT_ONCE = 100;

/** Ends contents; the sweep removes them. One that has changed meanwhile stays. @throws AppError 50301 */
export async function endContents(store: Store, ended: readonly Stored<Content>[]): Promise<void> {
  await store.apply(ended.map((content): Write => ({ in: contents, patch: content, set: ENDED })));
}

/** Ends the documents of a forecast: those of versions before one, or all. @throws AppError 50301 */
export async function endDocuments(store: Store, tenantId: string, forecastNo: string, before?: number): Promise<void> {
  let count: number;
  do {
    const range = { eq: [tenantId, forecastNo], ...(before !== undefined && { to: before }) };
    const { items } = await store.find(contents.by.documents, { ...range, limit: AT_ONCE });
    await endContents(store, items);
    count = items.length;
  } while (count === AT_ONCE);
}
