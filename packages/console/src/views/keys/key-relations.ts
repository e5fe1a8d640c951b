import type { TenantKey } from '@parcelway/contracts/key-api';

/** What relates a key to those that it replaces and that replace it. */
type Related = Pick<TenantKey, 'key_id' | 'prefix' | 'state' | 'expires_at' | 'rotated_from' | 'rotated_to'>;

/** What a key is called: by its description, or by its first characters where it has none. */
export const nameOf = ({ description, prefix }: Pick<TenantKey, 'description' | 'prefix'>): string => description || prefix;

/** What a key can be recognised by: its first characters, or its id where it is not among the loaded ones. */
export function signOf(id: string, keys: ReadonlyArray<Pick<Related, 'key_id' | 'prefix'>>): string {
  const found = keys.find(({ key_id }) => key_id === id);
  return found === undefined ? id : `${found.prefix}…`;
}

/**
 * The keys before and after a key in a row of rotations that still work, newest first.
 * @param keys those that are loaded; a former key on a page that is not loaded is not found
 */
export function othersThatWork<Key extends Related>(
  key: Pick<Related, 'key_id' | 'rotated_from' | 'rotated_to'>,
  keys: readonly Key[],
): Key[] {
  const byId = new Map(keys.map((each) => [each.key_id, each]));
  const chain = new Set<string>();
  for (const side of ['rotated_from', 'rotated_to'] as const) {
    for (let id = key[side]; id !== null && !chain.has(id); id = byId.get(id)?.[side] ?? null) chain.add(id);
  }
  return keys.filter(({ key_id, state }) => state === 'active' && chain.has(key_id) && key_id !== key.key_id);
}
