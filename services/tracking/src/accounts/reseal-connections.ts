import type { Logger } from '@parcelway/kernel/logger';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { TextSealer } from '@parcelway/kernel/sealed-text';
import type { Store } from '@parcelway/store/store';
import { connections } from './connection-collections.ts';
import { placeOf, shownId } from './domain/connection.ts';

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

/** Seals the credentials of a connection with the current secret. */
const reseal = ({ store, sealer }: ResealOptions, connectionId: string): Promise<'resealed' | 'unreadable' | 'current'> =>
  untilWritten(async () => {
    const stored = await store.get(connections, [connectionId]);
    if (stored === undefined || sealer.isCurrent(stored.value.sealedCredentials)) return 'current';
    const place = placeOf(connectionId);
    let text: string;
    try {
      text = sealer.open(stored.value.sealedCredentials, place);
    } catch {
      return 'unreadable';
    }
    const [outcome] = await store.apply([{ in: connections, patch: stored, set: { sealedCredentials: sealer.seal(text, place) } }]);
    return outcome?.kind === 'written' ? 'resealed' : undefined;
  });

async function resealAll(options: ResealOptions, isStopping: () => boolean): Promise<void> {
  const { store, logger } = options;
  let resealed = 0;
  const unreadable: string[] = [];
  let after: string | null | undefined;
  while (after !== null && !isStopping()) {
    const page = await store.find(connections.by.all, { eq: [], limit: PAGE, ...(after !== undefined && { after }) });
    for (const { value } of page.items) {
      const outcome = isStopping() ? 'current' : await reseal(options, value.connectionId);
      if (outcome === 'unreadable') unreadable.push(shownId(value.connectionId));
      if (outcome === 'resealed') resealed += 1;
    }
    after = page.next;
  }
  if (unreadable.length > 0) logger.warn({ unreadable: unreadable.length, connections: unreadable.slice(0, MAX_NAMED) }, UNREADABLE);
  if (resealed > 0) logger.info({ resealed }, 'Credentials of connections were sealed again with the current secret');
}

/**
 * Seals again with the current secret, once after a start, what a former one has sealed: then the former one is not needed any more. What it does not
 * finish, the next start does.
 */
export function createResealing(options: ResealOptions) {
  let isStopping = false;
  let running: Promise<void> | undefined;
  return {
    start(): Promise<void> {
      running ??= resealAll(options, () => isStopping).catch((error: unknown) => {
        options.logger.warn({ err: error }, 'Credentials of connections could not be sealed again; the next start tries it again');
      });
      return running;
    },
    /** Resolves when the work has ended. */
    async stop(): Promise<void> {
      isStopping = true;
      await running;
    },
  };
}
