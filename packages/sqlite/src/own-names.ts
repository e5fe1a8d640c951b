/** What the names of a service's tables begin with. */
export const prefixOf = (service: string): string => (service === '' ? '' : `${service.replaceAll('-', '_')}_`);

/** Makes tables: SQL, or what makes it from the prefix of their names. */
export type SqlScript = string | ((prefix: string) => string);

/** A table or index that a script makes. */
const MADE = /CREATE (?:UNIQUE )?(?:TABLE|INDEX) (?:IF NOT EXISTS )?"?(\w+)"?/g;

/** Where a name is that of a table or index, and not of a column: behind one of these, or in front of a dot. */
const BEHIND = '(?<=\\b(?:FROM|JOIN|INTO|UPDATE|TABLE|INDEX|INDEXED BY|EXISTS|ON|REFERENCES)\\s+)';

/**
 * Puts the prefix of a service in front of the names of its tables and indexes in SQL that was written by hand. Names in quotes are left alone: those are of
 * statements that the store makes, which have the prefix.
 */
export class OwnNames {
  readonly #prefix: string;
  #pattern: RegExp | undefined;
  readonly #names = new Set<string>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** The SQL of a script. Its names are known from then on. */
  madeBy(script: SqlScript): string {
    const sql = typeof script === 'string' ? script : script(this.#prefix);
    if (this.#prefix === '') return sql;
    for (const [, name = ''] of sql.matchAll(MADE)) this.#names.add(typeof script === 'string' ? name : name.slice(this.#prefix.length));
    const names = `(?:${[...this.#names].join('|')})`;
    this.#pattern = new RegExp(`${BEHIND}${names}\\b|(?<![\\w.])${names}(?=\\.)`, 'g');
    return typeof script === 'string' ? this.in(sql) : sql;
  }

  /** The SQL with the prefix where a name of the service is. */
  in(sql: string): string {
    return this.#pattern === undefined ? sql : sql.replace(this.#pattern, (name) => this.#prefix + name);
  }
}
