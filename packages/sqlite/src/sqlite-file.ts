import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { type CheckpointPace, Checkpoints } from './checkpoints.ts';
import { CommitSchedule, type PendingTransaction } from './commit-schedule.ts';
import { GroupCommit } from './group-commit.ts';
import { hasLeftLog, LateFlush } from './late-flush.ts';
import { isDiskFailure, namingDamaged } from './sqlite-errors.ts';
import { openingPragmas, restartLog } from './write-ahead-log.ts';

/** An open SQLite file in WAL mode: the connection, its commits, and how they come to the disk. */
export class SqliteFile {
  readonly path: string;
  readonly db: DatabaseSyncInstance;
  readonly commits: GroupCommit;
  readonly lateFlush: LateFlush;
  readonly checkpoints: Checkpoints;
  /** What forgets the statements of those who work with the file. */
  readonly onClose: (() => void)[] = [];
  isClosed = false;
  readonly #schedule: CommitSchedule;

  /** Opens or creates the file. @param path file path, or `:memory:` @param pace of checkpoints */
  constructor(path: string, pace?: CheckpointPace) {
    const flushes = path !== ':memory:';
    if (flushes) mkdirSync(dirname(path), { recursive: true });
    this.path = path;
    const isLogLeft = hasLeftLog(path);
    this.db = new DatabaseSync(path);
    this.naming(() => this.db.exec(openingPragmas()));
    this.lateFlush = new LateFlush({ path, flushes, checkpoint: () => restartLog(this.db) });
    if (isLogLeft) this.lateFlush.committed();
    this.commits = new GroupCommit({ db: this.db, lateFlush: this.lateFlush });
    this.#schedule = new CommitSchedule((group) => {
      this.commits.commit(group);
      if (flushes) this.checkpoints.committed();
    });
    this.checkpoints = new Checkpoints({
      path,
      db: this.db,
      ...(pace && { pace }),
      hold: () => this.#schedule.hold(),
      release: () => this.#schedule.release(),
      failed: (error) => {
        if (isDiskFailure(error)) this.lateFlush.failed();
      },
    });
  }

  /** Plans the commit of a transaction. @param deferMs see `TransactionOptions` */
  transaction(transaction: PendingTransaction, deferMs: number): void {
    const reject = (error: unknown): void => transaction.reject(namingDamaged(error, this.path));
    this.#schedule.add({ ...transaction, reject }, deferMs);
  }

  /** What SQLite says of a damaged file begins with its name. */
  naming<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw namingDamaged(error, this.path);
    }
  }

  /** Commits what is pending and closes the file. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#schedule.close();
    void this.checkpoints.stop();
    this.commits.close();
    for (const forget of this.onClose) forget();
    // Prepared statements keep the driver from tidying up at close: without this, what was committed last stays in the
    // -wal file, and a copy of the main file alone would lack it.
    this.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.db.close();
    // Everything is on the disk.
    void this.lateFlush.close();
  }
}
