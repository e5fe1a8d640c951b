import { backup, DatabaseSync } from '@photostructure/sqlite';

/** A file and where its copy goes. */
export interface CopyOrder {
  readonly from: string;
  readonly to: string;
}

type Connection = InstanceType<typeof DatabaseSync>;

/** The platform's writers wait 2 s for a file that somebody holds; all of them are held for less than that together. */
const HOLD_MS = 200;
const TRIES = 50;
const PAGES_AT_ONCE = 500;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function isBusy(error: unknown): boolean {
  return (((error as { sqliteExtendedCode?: number }).sqliteExtendedCode ?? 0) & 0xff) === 5;
}

/** Ends what a connection has begun, and the connection. */
function release(connections: readonly Connection[]): void {
  for (const connection of connections) connection.close();
}

/**
 * Opens a view of every file as it is at one moment: writers of all files are kept out for the milliseconds that it takes.
 * @throws the driver's error when a file is held by somebody else or is none
 */
function viewTogether(files: readonly string[]): Connection[] {
  const holders: Connection[] = [];
  const views: Connection[] = [];
  try {
    for (const file of files) {
      const holder = new DatabaseSync(file);
      holders.push(holder);
      holder.exec(`PRAGMA busy_timeout=${HOLD_MS}; BEGIN IMMEDIATE`);
    }
    for (const file of files) {
      const view = new DatabaseSync(file, { readOnly: true });
      views.push(view);
      // A transaction sees the file as it is at its first read, whatever is written afterwards.
      view.exec('BEGIN');
      view.prepare('SELECT count(*) FROM sqlite_master').get();
    }
    return views;
  } catch (error) {
    release(views);
    throw error;
  } finally {
    release(holders);
  }
}

/**
 * Copies SQLite files as they are at one and the same moment, while a process goes on writing to them: what was committed
 * before that moment, to any of them, is in the copies, and nothing of what came after. The copies are files of their own,
 * without a write-ahead log.
 * @param onView called once the moment is fixed
 * @throws Error when the files are written to without a pause for ten seconds
 */
export async function copyTogether(orders: readonly CopyOrder[], onView: () => void = () => undefined): Promise<void> {
  let views: Connection[] = [];
  for (let tries = 1; views.length === 0; tries += 1) {
    try {
      views = viewTogether(orders.map(({ from }) => from));
    } catch (error) {
      if (!isBusy(error) || tries === TRIES) throw error;
      // Writers that waited come first: they must not run into their deadline.
      await pause(HOLD_MS / 2);
    }
  }
  onView();
  try {
    for (const [index, { to }] of orders.entries()) {
      await backup(views[index] as Connection, to, { rate: PAGES_AT_ONCE });
      const copy = new DatabaseSync(to);
      // Complete in itself: nobody has to keep a -wal file beside it.
      copy.exec('PRAGMA journal_mode=DELETE');
      copy.close();
    }
  } finally {
    release(views);
  }
}
