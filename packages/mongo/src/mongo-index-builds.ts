import type { Connection } from 'mongoose';

/** How often a long build says how far it is. */
const SAY_EVERY_MS = 10_000;
/** Time that the server has to say how far it is. */
const ASK_MS = 2_000;

interface IndexBuild {
  readonly progress?: { readonly done: number; readonly total: number };
}

/** Part of the documents that the server has gone through in this phase of the build; undefined when it does not say so, or this user may not ask. */
async function partDone(connection: Connection, collection: string): Promise<number | undefined> {
  const pipeline = [{ $currentOp: { allUsers: true } }, { $match: { ns: `${connection.name}.${collection}`, msg: /^Index Build/ } }];
  try {
    const admin = connection.getClient().db('admin');
    // The only read concern that it takes.
    const options = { readConcern: { level: 'local' }, maxTimeMS: ASK_MS } as const;
    const builds = await admin.aggregate<IndexBuild>(pipeline, options).toArray();
    const parts = builds.flatMap(({ progress }) =>
      progress === undefined || progress.total === 0 ? [] : [progress.done / progress.total],
    );
    return parts.length === 0 ? undefined : Math.min(...parts);
  } catch {
    // Only what is said depends on it.
    return undefined;
  }
}

/**
 * Waits for the build of a collection's indexes, however long that takes, and says every ten seconds how far it is.
 * @param building the command that builds them
 * @param progress hears a line for a person
 */
export async function whileBuilding(
  connection: Connection,
  collection: string,
  building: PromiseLike<unknown>,
  progress: (line: string) => void,
): Promise<void> {
  const startedAt = performance.now();
  let isOver = false;
  const say = async (): Promise<void> => {
    const part = await partDone(connection, collection);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const done = part === undefined ? '' : `, ${Math.floor(part * 100)} % of this phase is done`;
    if (!isOver) progress(`${collection}: indexes have been under construction for ${seconds} s${done}`);
  };
  const timer = setInterval(() => void say(), SAY_EVERY_MS);
  try {
    await building;
  } finally {
    isOver = true;
    clearInterval(timer);
  }
}
