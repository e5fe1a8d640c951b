import type { LogFields, Logger } from '@parcelway/kernel/logger';
import type { TextSealer } from '@parcelway/kernel/sealed-text';
import type { ConnectionStore } from './connection-store.ts';
import { placeOf, type StoredConnection, shownId } from './domain/connection.ts';

/** What sealing again needs. */
export interface ResealOptions {
  readonly store: Pick<ConnectionStore, 'page' | 'get' | 'replace'>;
  readonly sealer: TextSealer;
  readonly logger: Logger;
}

const PAGE = 100;
/** Connections that one log line names. */
const MAX_NAMED = 20;
/** One start goes through at most this many pages: a million connections. */
const MAX_PAGES = 10_000;

const UNREADABLE =
  'No secret opens the credentials of these connections, so they are not used. Set the former secret as CREDENTIALS_SECRET_PREVIOUS and restart, or send all ' +
  'their credentials again';

/** Fields of a log line that names connections, and why they cannot be opened. Both are bounded. */
function named(unreadable: readonly StoredConnection[], reasons: ReadonlySet<string>): LogFields {
  const connections = unreadable.slice(0, MAX_NAMED).map(({ connectionId }) => shownId(connectionId));
  return { connections, reasons: [...reasons].slice(0, MAX_NAMED) };
}

/**
 * Seals the credentials that a former secret has sealed with the current one, so that the former one is not needed any more. What another process seals at the
 * same time needs no more than that. One that a process without the current secret changes meanwhile is counted in the log, and one that no secret opens is
 * a warning.
 * @param isStopping ends the work before the next connection
 * @throws AppError 50301 when the store is out
 */
async function resealConnections({ store, sealer, logger }: ResealOptions, isStopping: () => boolean): Promise<void> {
  const counts = { resealed: 0, changed: 0 };
  const unreadable: StoredConnection[] = [];
  const reasons = new Set<string>();

  const reseal = async (before: StoredConnection): Promise<keyof typeof counts | undefined> => {
    const place = placeOf(before.connectionId);
    let text: string;
    try {
      text = sealer.open(before.sealedCredentials, place);
    } catch (error) {
      unreadable.push(before);
      reasons.add(error instanceof Error ? error.message : String(error));
      return undefined;
    }
    if (await store.replace(before, { ...before, sealedCredentials: sealer.seal(text, place) })) return 'resealed';
    const now = await store.get(before.connectionId);
    return now === undefined || sealer.isCurrent(now.sealedCredentials) ? undefined : 'changed';
  };

  let after: string | null = null;
  for (let page = 0; page < MAX_PAGES && !isStopping(); page += 1) {
    const connections: readonly StoredConnection[] = await store.page(after, PAGE);
    for (const connection of connections) {
      if (isStopping()) break;
      const outcome = sealer.isCurrent(connection.sealedCredentials) ? undefined : await reseal(connection);
      if (outcome !== undefined) counts[outcome] += 1;
    }
    const last = connections.at(-1);
    if (connections.length < PAGE || last === undefined) break;
    after = last.connectionId;
  }
  if (unreadable.length > 0) logger.warn({ unreadable: unreadable.length, ...named(unreadable, reasons) }, UNREADABLE);
  if (counts.resealed + counts.changed === 0) return;
  logger.info(counts, 'Credentials of connections were sealed again with the current secret');
}

/** Seals again, once after a start, what a former secret has sealed. A failure is logged: the former secret is needed for longer. */
export function createResealing(options: ResealOptions) {
  let isStopping = false;
  let running: Promise<void> | undefined;
  return {
    start(): Promise<void> {
      running ??= resealConnections(options, () => isStopping).catch((error: unknown) => {
        options.logger.warn({ err: error }, 'Credentials of connections could not be sealed again; the next start tries it again');
      });
      return running;
    },
    /** Resolves when the work has ended; what is not done is done after the next start. */
    async stop(): Promise<void> {
      isStopping = true;
      await running;
    },
  };
}
