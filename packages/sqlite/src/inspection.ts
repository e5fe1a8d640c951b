import { DatabaseSync } from '@photostructure/sqlite';

const BUSY_MS = 1000;
/** Findings of a check beyond these say nothing new. */
const MAX_FINDINGS = 5;

/** A pause in which the process can do something else; the driver blocks it. */
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Looks into a SQLite file, also one that a running process works with. Changes nothing. Close it. */
export class SqliteInspector {
  readonly #db: InstanceType<typeof DatabaseSync>;

  /** @throws the driver's error when the file is none or cannot be read */
  constructor(path: string) {
    this.#db = new DatabaseSync(path, { readOnly: true });
    this.#db.exec(`PRAGMA busy_timeout=${BUSY_MS}`);
  }

  /** All rows of a query. */
  all<Row extends object>(sql: string, ...values: (string | number)[]): Row[] {
    return this.#db.prepare(sql).all(...values) as Row[];
  }

  /** Whether the file has a table. */
  has(table: string): boolean {
    return this.all("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", table).length > 0;
  }

  /**
   * `PRAGMA quick_check`, table by table, so that the process goes on in between.
   * @param untilMs by the clock of {@link performance}; tables that are not begun by then are left out
   * @returns what is broken, in SQLite's words (none: nothing), and how many tables were looked at
   */
  async quickCheck(untilMs: number): Promise<{ readonly broken: readonly string[]; readonly tables: number; readonly checked: number }> {
    const tables = this.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => name);
    const broken: string[] = [];
    let checked = 0;
    for (const table of tables) {
      if (performance.now() > untilMs || broken.length >= MAX_FINDINGS) break;
      const rows = this.all<{ quick_check: string }>(`PRAGMA quick_check("${table.replaceAll('"', '""')}")`);
      broken.push(...rows.map((row) => row.quick_check).filter((text) => text !== 'ok'));
      checked += 1;
      await breathe();
    }
    return { broken: broken.slice(0, MAX_FINDINGS), tables: tables.length, checked };
  }

  close(): void {
    this.#db.close();
  }
}
