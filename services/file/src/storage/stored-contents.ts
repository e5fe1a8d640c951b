import { usageDays } from '@parcelway/store/shared/usage-days';
import type { Store, Stored } from '@parcelway/store/store';
import { type Content, contents } from '../contents/contents-collection.ts';

const sizeOf = ({ pdf, photo }: Content): number => pdf?.size ?? photo?.size ?? 0;

export type StoredContents = ReturnType<typeof createStoredContents>;
/** What of a tenant is measured: PDFs that it uploaded, or its own images. */
export type StoredKind = NonNullable<Content['stored']>;

/**
 * What tenants have stored: their PDFs and own images, without those that they, or the retention, have deleted. Each step reads an index alone, and throws
 * AppError 50301.
 */
export function createStoredContents(store: Store) {
  return {
    /** The first tenant behind another, in the order of ids. It has files, or has had some. @param after a tenant; '' at first */
    async nextTenant(after: string): Promise<string | undefined> {
      // Whoever has had files has days of usage: each measurement adds one.
      const next = { after, limit: 1 };
      const found = await Promise.all([store.groups(contents.by.stored, next), store.groups(usageDays.by.days, next)]);
      return found
        .flat()
        .map(({ group }) => String(group))
        .sort()[0];
    },
    /**
     * The next files of a kind of a tenant, in an order that nothing changes; fewer than `limit` are the last ones.
     * @param after the place of the last one before, as `last` says it; '' at first
     */
    async page(tenantId: string, kind: StoredKind, after: string, limit: number) {
      const { items } = await store.find(contents.by.stored, { eq: [tenantId, kind], ...(after !== '' && { after }), limit });
      const last: Stored<Content> | undefined = items.at(-1);
      return {
        files: items.length,
        bytes: items.reduce((sum, { value }) => sum + sizeOf(value), 0),
        last: last === undefined ? '' : store.placeIn(contents.by.stored, 2, last),
      };
    },
  };
}
