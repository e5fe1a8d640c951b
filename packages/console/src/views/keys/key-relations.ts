import type { TenantKey } from '@parcelway/contracts/key-api';

/** What relates a key to those that it replaces and that replace it. */
type Related = Pick<TenantKey, 'key_id' | 'prefix' | 'state' | 'rotated_from' | 'rotated_to'>;

/** What a key is called: by its description, or by its first characters where it has none. */
export const nameOf = ({ description, prefix }: Pick<TenantKey, 'description' | 'prefix'>): string => description || prefix;

/** What a key can be recognised by: its first characters, or its id where it is not among the loaded ones. */
export function signOf(id: string, keys: ReadonlyArray<Pick<Related, 'key_id' | 'prefix'>>): string {
  const found = keys.find(({ key_id }) => key_id === id);
  return found === undefined ? id : `${found.prefix}…`;
}

/** Ids of the keys before a key in a row of rotations, or after it, nearest first. The last one may not be loaded. */
function idsOn(side: 'rotated_from' | 'rotated_to', start: string | null, keys: readonly Related[]): string[] {
  const byId = new Map(keys.map((each) => [each.key_id, each]));
  const ids = new Set<string>();
  for (let id = start; id !== null && !ids.has(id); id = byId.get(id)?.[side] ?? null) ids.add(id);
  return [...ids];
}

/**
 * The keys before and after a key in a row of rotations that still work, newest first.
 * @param keys those that are loaded; a former key on a page that is not loaded is not found
 */
export function othersThatWork<Key extends Related>(key: Pick<Related, 'rotated_from' | 'rotated_to'>, keys: readonly Key[]): Key[] {
  const ids = [...idsOn('rotated_from', key.rotated_from, keys), ...idsOn('rotated_to', key.rotated_to, keys)];
  return keys.filter(({ key_id, state }) => state === 'active' && ids.includes(key_id));
}

/** Id of the nearest former key of which nothing is known, since it is not among the loaded ones; undefined when all are. */
export function unknownFormer({ rotated_from }: Pick<Related, 'rotated_from'>, keys: readonly Related[]): string | undefined {
  const last = idsOn('rotated_from', rotated_from, keys).at(-1);
  return keys.some(({ key_id }) => key_id === last) ? undefined : last;
}
