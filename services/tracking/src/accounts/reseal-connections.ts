import type { Logger } from '@parcelway/kernel/logger';
import type { TextSealer } from '@parcelway/kernel/sealed-text';
import type { Store, Stored } from '@parcelway/store/store';
import { connections } from './connection-collections.ts';
import { placeOf, shownId } from './domain/connection.ts';

type Document = NonNullable<(typeof connections)['document']>;

export interface ResealOptions {
  readonly store: Store;
  readonly sealer: TextSealer;
  readonly logger: Logger;
}

const PAGE = 100;
/** Connections that one log line names. */
const MAX_NAMED = 20;

const UNREADABLE =
  'No secret opens the credentials of these connections, so they are not used. Set the former secret as CREDENTIALS_SECRET_PREVIOUS and restart, or send all ' +
  'their credentials again';

/**
 * Seals the credentials that a former secret has sealed with the current one, so that the former one is not needed any more. What another process seals at the
 * same time needs no more than that. One that a process without the current secret changes meanwhile is counted in the log, and one that no secret opens is
 * a warning.
 * @param isStopping ends the work before the next connection
 * @throws AppError 50301 when the store is out
 */
async function resealConnections({ store, sealer, logger }: ResealOptions, isStopping: () => boolean): Promise<void> {
  const counts = { resealed: 0, changed: 0 };
  const unreadable: string[] = [];
  const reasons = new Set<string>();

  const reseal = async (before: Stored<Document>): Promise<keyof typeof counts | undefined> => {
    const { connectionId, sealedCredentials } = before.value;
    const place = placeOf(connectionId);
    let text: string;
    try {
      text = sealer.open(sealedCredentials, place);
    } catch (error) {
      unreadable.push(shownId(connectionId));
      reasons.add(error instanceof Error ? error.message : String(error));
      return undefined;
    }
    const [outcome] = await store.apply([{ in: connections, patch: before, set: { sealedCredentials: sealer.seal(text, place) } }]);
    if (outcome?.kind !== 'lost') return 'resealed';
    const now = outcome.current?.value as Document | undefined;
    return now === undefined || sealer.isCurrent(now.sealedCredentials) ? undefined : 'changed';
  };

  let after: string | null | undefined;
  while (after !== null && !isStopping()) {
    const page = await store.find(connections.by.all, { eq: [], limit: PAGE, ...(after !== undefined && { after }) });
    for (const stored of page.items) {
      if (isStopping()) break;
      const outcome = sealer.isCurrent(stored.value.sealedCredentials) ? undefined : await reseal(stored);
      if (outcome !== undefined) counts[outcome] += 1;
    }
    after = page.next;
  }
  if (unreadable.length > 0) {
    const named = { connections: unreadable.slice(0, MAX_NAMED), reasons: [...reasons].slice(0, MAX_NAMED) };
    logger.warn({ unreadable: unreadable.length, ...named }, UNREADABLE);
  }
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
