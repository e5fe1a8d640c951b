import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { TextSealer } from '@parcelway/kernel/sealed-text';
import type { ConnectionStore } from './connection-store.ts';
import {
  type Connection,
  type ConnectionCredentials,
  connectionsFor,
  placeOf,
  type StoredConnection,
  shownId,
} from './domain/connection.ts';

/** What looking up connections needs. */
export interface FindConnectionsOptions {
  readonly configured: readonly Connection[];
  readonly store: Pick<ConnectionStore, 'list' | 'get'>;
  readonly sealer: TextSealer;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A process sees the changes of another one after this time at the latest. */
export const SEEN_WITHIN_MS = 5000;
/** Look-ups that are remembered; the oldest is forgotten first. */
const MAX_REMEMBERED = 10_000;

/** The connection that was stored. Undefined when its credentials cannot be opened, which is logged: the secret of the installation differs. */
export function openConnection(stored: StoredConnection, sealer: TextSealer, logger: Logger): Connection | undefined {
  const { connectionId, tenantId, source, baseUrl, carriers, limits, sealedCredentials } = stored;
  try {
    const credentials = JSON.parse(sealer.open(sealedCredentials, placeOf(connectionId))) as ConnectionCredentials;
    return { connectionId, tenantId, source, baseUrl, carriers, limits, credentials };
  } catch (error) {
    logger.error({ err: error, connection_id: shownId(connectionId) }, 'The credentials of a connection cannot be opened; it is not used');
    return undefined;
  }
}

/** Without those whose ids are configured, too: of two connections with one id, the configured one is used. */
export function withoutHidden<T extends Pick<Connection, 'connectionId'>>(
  stored: readonly T[],
  configured: readonly Pick<Connection, 'connectionId'>[],
): readonly T[] {
  return stored.filter(({ connectionId }) => !configured.some((one) => one.connectionId === connectionId));
}

/** Remembers a bounded number of look-ups for a short time. A look-up under way is shared. */
class Remembered<T> {
  readonly #clock: Clock;
  readonly #entries = new Map<string, { readonly value: Promise<T>; readonly at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(key: string, read: () => Promise<T>): Promise<T> {
    const now = this.#clock.now();
    const known = this.#entries.get(key);
    if (known !== undefined && now - known.at < SEEN_WITHIN_MS) return known.value;
    this.#entries.delete(key);
    const entry = { value: read(), at: now };
    this.#entries.set(key, entry);
    // A failure is not remembered; whoever waits for it gets it.
    entry.value.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    if (this.#entries.size > MAX_REMEMBERED) this.#entries.delete(this.#entries.keys().next().value as string);
    return entry.value;
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }
}

/** The connections of an installation. A change is seen by this process at once, and by others within {@link SEEN_WITHIN_MS}. */
export type FindConnections = ReturnType<typeof createFindConnections>;

/** Makes the look-up of connections. It throws AppError 50301 when the store is out. */
export function createFindConnections({ configured, store, sealer, clock, logger }: FindConnectionsOptions) {
  const owners = new Remembered<readonly Connection[]>(clock);
  const byId = new Remembered<Connection | undefined>(clock);
  const opened = (stored: readonly StoredConnection[]): readonly Connection[] =>
    stored.flatMap((one) => openConnection(one, sealer, logger) ?? []);

  /** Those of one owner; null for the operator. */
  const ofOwner = (tenantId: string | null): Promise<readonly Connection[]> =>
    owners.get(tenantId ?? '', async () => {
      const stored = opened(await store.list(tenantId));
      return tenantId === null ? [...configured, ...withoutHidden(stored, configured)] : stored;
    });

  return {
    /** Those that serve a carrier for a tenant, in the order in which they are asked. */
    async serving(tenantId: string, carrierCode: string): Promise<readonly Connection[]> {
      const [own, operator] = await Promise.all([ofOwner(tenantId), ofOwner(null)]);
      return connectionsFor([...own, ...operator], tenantId, carrierCode);
    },
    async byId(connectionId: string): Promise<Connection | undefined> {
      const known = configured.find((one) => one.connectionId === connectionId);
      if (known !== undefined) return known;
      return byId.get(connectionId, async () => {
        const stored = await store.get(connectionId);
        return stored && openConnection(stored, sealer, logger);
      });
    },
    ofOwner,
    /** Forgets what was read of an owner and of a connection. */
    forget(tenantId: string | null, connectionId: string): void {
      owners.forget(tenantId ?? '');
      byId.forget(connectionId);
    },
  };
}
