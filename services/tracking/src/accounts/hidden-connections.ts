import type { Logger } from '@parcelway/kernel/logger';
import { type Connection, shownId } from './domain/connection.ts';
import type { ConnectionStore } from './ports.ts';

/** What the comparison needs. */
export interface HiddenConnectionsOptions {
  readonly configured: readonly Connection[];
  readonly store: Pick<ConnectionStore, 'get'>;
  readonly logger: Logger;
}

/** Warns, once after a start, of connections in the store whose ids TRACKING_SOURCES has, too: those of TRACKING_SOURCES are used. Never rejects. */
export async function warnOfHiddenConnections({ configured, store, logger }: HiddenConnectionsOptions): Promise<void> {
  try {
    const connections: string[] = [];
    for (const { connectionId } of configured) {
      if ((await store.get(connectionId)) !== undefined) connections.push(shownId(connectionId));
    }
    if (connections.length === 0) return;
    logger.warn(
      { connections },
      'These connections are in TRACKING_SOURCES and in the store: those of TRACKING_SOURCES are used. To remove one from the store, take its id out of ' +
        'TRACKING_SOURCES, restart, and remove it',
    );
  } catch (error) {
    logger.warn(
      { err: error },
      'Connections of TRACKING_SOURCES could not be compared with those in the store; the next start tries it again',
    );
  }
}
