import type { ListPosition } from '@parcelway/kernel/list-position';
import type { KeyRecord } from '../proxy/domain/key.ts';
import type { TenantRecord } from '../tenants/domain/records.ts';
import type { KeyFilter } from './key-collection.ts';
import type { KeyStores } from './manage-keys.ts';

/** A part of a list. */
export interface AccountsPage<T> {
  readonly records: readonly T[];
  /** Where the next page begins; null on the last page. */
  readonly next: ListPosition | null;
}

/** The page in up to one record more than it has: that one shows that another page follows. */
function pageOf<T>(found: readonly T[], limit: number, positionOf: (record: T) => ListPosition): AccountsPage<T> {
  const records = found.slice(0, limit);
  const last = records.at(-1);
  return { records, next: found.length > limit && last !== undefined ? positionOf(last) : null };
}

/**
 * A page of the tenants, oldest first.
 * @param after where the page begins; undefined to begin with the oldest
 */
export async function listTenants(
  { tenants }: Pick<KeyStores, 'tenants'>,
  limit: number,
  after: ListPosition | undefined,
): Promise<AccountsPage<TenantRecord>> {
  return pageOf(await tenants.list(limit + 1, after), limit, ({ createdAt, id }) => ({ createdAt, id }));
}

/** Tenants that are found. */
const MAX_FOUND = 100;

/** The tenant with this id, and those whose name begins with the text, by name; at most 100 of these. */
export async function searchTenants({ tenants }: Pick<KeyStores, 'tenants'>, text: string): Promise<readonly TenantRecord[]> {
  const [named, one] = await Promise.all([tenants.startingWith(text, MAX_FOUND), tenants.find(text)]);
  return one === undefined ? named : [one, ...named.filter(({ id }) => id !== one.id)];
}

/**
 * A page of the keys, newest first.
 * @param after where the page begins; undefined to begin with the newest
 */
export async function listKeys(
  { keys }: Pick<KeyStores, 'keys'>,
  filter: KeyFilter,
  limit: number,
  after: ListPosition | undefined,
): Promise<AccountsPage<KeyRecord>> {
  return pageOf(await keys.list(filter, limit + 1, after), limit, ({ createdAt, keyId }) => ({ createdAt, id: keyId }));
}
