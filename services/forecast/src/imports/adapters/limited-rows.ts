import { charactersOf } from '../domain/cell-characters.ts';
import type { RowLimit, StoredRow } from '../ports.ts';

/** Rows as a store collects them, up to a limit. */
export class LimitedRows {
  readonly rows: StoredRow[] = [];
  readonly #limit: RowLimit;
  #characters = 0;

  constructor(limit: RowLimit) {
    this.#limit = limit;
  }

  /** True once the limit has been reached. */
  get isFull(): boolean {
    return this.rows.length >= this.#limit.rows || this.#characters >= this.#limit.characters;
  }

  /** Adds a row, also when the limit has been reached. */
  add(row: StoredRow): void {
    this.rows.push(row);
    this.#characters += charactersOf(row.cells);
  }
}
