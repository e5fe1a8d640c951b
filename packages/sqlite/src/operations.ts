/** What a process has done with SQLite. */
export interface SqliteOperations {
  /** Queries and writes, without the statements that begin and end transactions. */
  readonly statements: number;
  /** Group commits; with full durability each waits for the disk. */
  readonly commits: number;
}

/** Counts of this process since its start, all databases together. {@link SqliteDatabase} and its group commits add to them. */
export const counted = { statements: 0, commits: 0 };

/** A copy of the counts, for measurements. */
export function sqliteOperations(): SqliteOperations {
  return { ...counted };
}
