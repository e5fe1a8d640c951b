import type { Logger } from '@parcelway/kernel/logger';
import type { TextSealer } from '@parcelway/kernel/sealed-text';
import { type ConnectionStore, placeOf, type StoredConnection } from './ports.ts';

/** What sealing again needs. */
export interface ResealOptions {
  readonly store: Pick<ConnectionStore, 'page' | 'get' | 'replace'>;
  readonly sealer: TextSealer;
  readonly logger: Logger;
}

const PAGE = 100;
/** One start goes through at most this many pages: a million connections. */
const MAX_PAGES = 10_000;

/**
 * Seals the credentials that a former secret has sealed with the current one, so that the former one is not needed any more. What another process seals at the
 * same time needs no more than that. One that a process without the current secret changes meanwhile, and one that no secret opens, are counted in the log.
 * @param isStopping ends the work before the next connection
 * @throws AppError 50301 when the store is out
 */
async function resealConnections({ store, sealer, logger }: ResealOptions, isStopping: () => boolean): Promise<void> {
  const counts = { resealed: 0, changed: 0, unreadable: 0 };

  const reseal = async (before: StoredConnection): Promise<keyof typeof counts | undefined> => {
    const place = placeOf(before.connectionId);
    let text: string;
    try {
      text = sealer.open(before.sealedCredentials, place);
    } catch (error) {
      logger.error({ err: error, connection_id: before.connectionId }, 'The credentials of a connection cannot be opened; it is not used');
      return 'unreadable';
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
  if (counts.resealed + counts.changed + counts.unreadable === 0) return;
  logger.info(counts, 'Credentials of connections were sealed again with the current secret');
}

/** Work in the background of a service. */
export interface Resealing {
  /** Resolves when the work has ended. */
  start(): Promise<void>;
  /** Resolves when the work has ended; what is not done is done after the next start. */
  stop(): Promise<void>;
}

/** Seals again, once after a start, what a former secret has sealed. A failure is logged: the former secret is needed for longer. */
export function createResealing(options: ResealOptions): Resealing {
  let isStopping = false;
  let running: Promise<void> | undefined;
  return {
    start() {
      running ??= resealConnections(options, () => isStopping).catch((error: unknown) => {
        options.logger.warn({ err: error }, 'Credentials of connections could not be sealed again; the next start tries it again');
      });
      return running;
    },
    async stop() {
      isStopping = true;
      await running;
    },
  };
}
