import { usageDays } from '@parcelway/store/shared/usage-days';
import type { Store, Stored } from '@parcelway/store/store';
import { type Content, contents } from '../contents/contents-collection.ts';
import type { StoredContents } from './ports.ts';

const sizeOf = ({ pdf, photo }: Content): number => pdf?.size ?? photo?.size ?? 0;

/** What tenants have stored. */
export function createStoredContents(store: Store): StoredContents {
  return {
    async nextTenant(after) {
      // Whoever has had files has days of usage: each measurement adds one.
      const next = { after, limit: 1 };
      const found = await Promise.all([store.groups(contents.by.stored, next), store.groups(usageDays.by.days, next)]);
      return found
        .flat()
        .map(({ group }) => String(group))
        .sort()[0];
    },
    async page(tenantId, kind, after, limit) {
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
