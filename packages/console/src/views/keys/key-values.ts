import type { KeyChange, KeyCreation, TenantKey } from '@parcelway/contracts/key-api';
import { tenantScopes } from '@parcelway/contracts/scopes';
import { instantOfLocal, localOfInstant } from '../../format.ts';

export type TenantScope = (typeof tenantScopes)[number];

/** Seconds for which a rotated key may still work, the standard first. */
export const overlaps = [86_400, 0, 3_600, 604_800, 2_592_000] as const;

export interface KeyValues {
  readonly description: string;
  readonly scopes: readonly TenantScope[];
  /** As a field of the kind `datetime-local` has it; empty for never. */
  readonly expiresAt: string;
  /** One address or network a line; empty for all. */
  readonly addresses: string;
}

/** Scopes that a form may offer: those that both the calling key and the changed one have. @param own of the calling key @param changed undefined for a new key */
export const offeredScopes = (own: readonly string[], changed: readonly string[] | undefined): readonly TenantScope[] =>
  tenantScopes.filter((scope) => own.includes(scope) && (changed?.includes(scope) ?? true));

/** What a form begins with: a new key may do nothing until scopes are chosen. @param key undefined for a new one */
export function valuesOfKey(key: TenantKey | undefined): KeyValues {
  if (key === undefined) return { description: '', scopes: [], expiresAt: '', addresses: '' };
  return {
    description: key.description,
    scopes: tenantScopes.filter((scope) => key.scopes.includes(scope)),
    expiresAt: key.expires_at === null ? '' : localOfInstant(Date.parse(key.expires_at)),
    addresses: key.allowed_addresses.join('\n'),
  };
}

/** Addresses as they are typed: separated by lines, blanks or commas. */
const addressesOf = (text: string): string[] => text.split(/[\s,]+/).filter((address) => address !== '');

export function creationOfKey(values: KeyValues): KeyCreation {
  const expiresAt = instantOfLocal(values.expiresAt);
  return {
    description: values.description.trim(),
    scopes: [...values.scopes],
    allowed_addresses: addressesOf(values.addresses),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
  };
}

/** The body that changes a key to what its form says: only what is different. Empty when nothing is. */
export function changeOfKey(values: KeyValues, key: TenantKey): KeyChange {
  const before = valuesOfKey(key);
  const addresses = addressesOf(values.addresses);
  return {
    ...(values.description.trim() === key.description ? {} : { description: values.description.trim() }),
    ...(values.scopes.length === before.scopes.length && values.scopes.every((scope) => before.scopes.includes(scope))
      ? {}
      : { scopes: [...values.scopes] }),
    ...(values.expiresAt === before.expiresAt ? {} : { expires_at: instantOfLocal(values.expiresAt) ?? null }),
    ...(addresses.join() === key.allowed_addresses.join() ? {} : { allowed_addresses: addresses }),
  };
}

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
