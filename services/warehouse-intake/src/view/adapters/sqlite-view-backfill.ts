import type { Clock } from '@parcelway/kernel/clock';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { BackfillProgress, BackfillState } from '../ports.ts';

/** How far the view is filled, in the service's file: one row. Only one process has the file, so nobody else takes the work. */
export class SqliteViewBackfill implements BackfillProgress {
  readonly #db: SqliteDatabase;
  readonly #clock: Clock;
  readonly #passes: number;

  /** @param db migrated with the service's migrations @param passes after which it is done */
  constructor(db: SqliteDatabase, clock: Clock, passes: number) {
    this.#db = db;
    this.#clock = clock;
    this.#passes = passes;
  }

  async claim(): Promise<BackfillState | 'done' | 'later'> {
    const row = this.#db.get<BackfillState & { readonly due: number }>('SELECT pass, after, copied, due FROM view_backfill WHERE id = 1');
    const { due = 0, ...state } = row ?? { pass: 1, after: null, copied: 0 };
    if (state.pass > this.#passes) return 'done';
    return due > this.#clock.now() ? 'later' : state;
  }

  record(from: BackfillState, to: BackfillState, due: number): Promise<boolean> {
    return this.#db.transaction(() => {
      const { changes } = this.#db.run(
        `UPDATE view_backfill SET pass = ?, after = ?, copied = ?, due = ? WHERE id = 1 AND pass = ? AND after IS ?`,
        to.pass,
        to.after,
        to.copied,
        due,
        from.pass,
        from.after,
      );
      return changes > 0;
    });
  }
}
