/** Who writes the values of a contract, and so whose word binds. */
export type Direction =
  /** Others write, we read: what was valid must stay valid. */
  | 'read'
  /** We write, others read: they must receive nothing that was not documented. */
  | 'write';

/** One thing in which the new contract breaks the old one. */
export interface Misfit {
  /** Place in the value, such as `items[].sku_code`; empty for the value itself. */
  readonly path: string;
  /** Keyword of JSON Schema, or what else changed. */
  readonly rule: string;
  /** What changed, in words. */
  readonly change: string;
  /** Alternatives of the schema in which it changed, by the constant that distinguishes them; empty when there is but one. */
  readonly branches: readonly string[];
}

/** A misfit of a schema without alternatives. */
export function misfit(path: string, rule: string, change: string): Misfit {
  return { path, rule, change, branches: [] };
}

/** A value as a sentence shows it. */
export function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

/** Equal misfits of several alternatives as one, with the names of all. */
export function joined(misfits: readonly Misfit[]): Misfit[] {
  const byText = new Map<string, Misfit>();
  for (const each of misfits) {
    const key = `${each.path}\n${each.rule}\n${each.change}`;
    const before = byText.get(key);
    byText.set(key, before ? { ...before, branches: [...new Set([...before.branches, ...each.branches])] } : each);
  }
  return [...byText.values()];
}
