import type { TenantKey } from '@parcelway/contracts/key-api';
import { tenantScopes } from '@parcelway/contracts/scopes';
import { choices, instant, text, type ValuesOf, words } from '../../data/body.ts';

export type TenantScope = (typeof tenantScopes)[number];

/** Seconds for which a rotated key may still work, the standard first. */
export const overlaps = [86_400, 0, 3_600, 604_800, 2_592_000] as const;

/** A key as its form has it. A new one may do nothing until scopes are chosen; one address or network a line, none for all. */
export const keyFields = { description: text, scopes: choices(tenantScopes), expires_at: instant, allowed_addresses: words('\n') };
export type KeyValues = ValuesOf<typeof keyFields>;

/** Scopes that a form may offer: those that both the calling key and the changed one have. @param own of the calling key @param changed undefined for a new key */
export const offeredScopes = (own: readonly string[], changed: readonly string[] | undefined): readonly TenantScope[] =>
  tenantScopes.filter((scope) => own.includes(scope) && (changed?.includes(scope) ?? true));

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

/** Newest first. @param keys loaded keys; a former key on another page is not found */
export function othersThatWork<Key extends Related>(key: Pick<Related, 'rotated_from' | 'rotated_to'>, keys: readonly Key[]): Key[] {
  const ids = [...idsOn('rotated_from', key.rotated_from, keys), ...idsOn('rotated_to', key.rotated_to, keys)];
  return keys.filter(({ key_id, state }) => state === 'active' && ids.includes(key_id));
}

/** Id of the nearest former key of which nothing is known, since it is not among the loaded ones; undefined when all are. */
export function unknownFormer({ rotated_from }: Pick<Related, 'rotated_from'>, keys: readonly Related[]): string | undefined {
  const last = idsOn('rotated_from', rotated_from, keys).at(-1);
  return keys.some(({ key_id }) => key_id === last) ? undefined : last;
}
