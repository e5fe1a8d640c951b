/** What a process has done with SQLite. */
export interface SqliteOperations {
  /** Queries and writes; what begins and ends transactions is left out. */
  readonly statements: number;
  /** Group commits; with full durability each waits for the disk. */
  readonly commits: number;
}

const counted = { statements: 0, commits: 0 };

/** Counts a query or a write. */
export function countStatement(): void {
  counted.statements += 1;
}

/** Counts a commit. */
export function countCommit(): void {
  counted.commits += 1;
}

/** What this process has done since its start, all databases together: two numbers that cost nothing, for measurements. */
export function sqliteOperations(): SqliteOperations {
  return { ...counted };
}
