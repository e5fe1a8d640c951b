import type { ConnectionCredentials } from './connection.ts';
import type { SourceDescription } from './connection-input.ts';

/**
 * Credentials after a change. A secret that proves pushes has a companion, `previous_<name>`, among the names of its source: it gets the former value, so
 * that both are valid until the vendor signs with the new one.
 * @param changes a new value by name; null removes it, with its companion
 */
export function changedCredentials(
  former: ConnectionCredentials,
  changes: Readonly<Record<string, string | null>>,
  { credentials }: Pick<SourceDescription, 'credentials'>,
): ConnectionCredentials {
  const next = new Map(Object.entries(former));
  const given = new Map(Object.entries(changes));
  for (const [name, value] of given) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  for (const name of [...credentials.required, ...credentials.optional]) {
    const companion = `previous_${name}`;
    const value = given.get(name);
    if (!credentials.optional.includes(companion) || value === undefined || given.has(companion)) continue;
    const before = former[name];
    if (value === null) next.delete(companion);
    else if (before !== undefined && before !== value) next.set(companion, before);
  }
  return Object.fromEntries(next);
}
