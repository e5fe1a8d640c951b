import type { ConnectionLimits } from '@parcelway/contracts/carrier-connection-api';

/** What metrics call a connection. */
export interface ConnectionLabels {
  readonly connection: string;
  readonly owner: 'operator' | 'tenant';
}

/** Labels of a connection. Tenants may have any number of connections: theirs are counted together, under the name of the source. */
export function connectionLabels({ connectionId, tenantId, source }: Connection): ConnectionLabels {
  return tenantId === null ? { connection: shownId(connectionId), owner: 'operator' } : { connection: source, owner: 'tenant' };
}

/** What a connection calls its vendor with, by name. */
export type ConnectionCredentials = Readonly<Record<string, string>>;

/** A way to ask one vendor for parcels: whose account, and for which carriers. */
export interface Connection {
  /** The last part of the address of its pushes. */
  readonly connectionId: string;
  /** Whose it is; null for the operator's, which serves every tenant. */
  readonly tenantId: string | null;
  readonly source: string;
  /** In the place of the vendor's own address, without a slash at the end; null for that. */
  readonly baseUrl: string | null;
  /** Carrier codes in lower case; `*` for all. */
  readonly carriers: readonly string[];
  /** In the place of the vendor's standard limits; null for those. */
  readonly limits: ConnectionLimits | null;
  readonly credentials: ConnectionCredentials;
}

/** Where the credentials of a connection are kept, for the seal. */
export function placeOf(connectionId: string): string {
  return `tracking/connections/${connectionId}`;
}

/** Ids from this length on are shortened. */
const LONG_ID_LENGTH = 24;

/** An id as metrics and logs show it: of a long one, the beginning. Who knows the whole id knows where to send forged pushes. */
export function shownId(connectionId: string): string {
  return connectionId.length < LONG_ID_LENGTH ? connectionId : `${connectionId.slice(0, 10)}…`;
}

/** Stands for every carrier but the simulated one: whoever connects a vendor in the sandbox goes on to simulate parcels. */
export const ANY_CARRIER = '*';
/** Code of the carrier that the sandbox simulates. A connection serves it only when it names it. */
const SIMULATED_CARRIER = 'simulated';

/** How a code is compared: warehouses write it in any case. */
export function normalCarrierCode(carrierCode: string): string {
  return carrierCode.trim().toLowerCase();
}

/** Place of a connection among those that serve a carrier; the lowest is asked first. Undefined when it does not serve it. */
function rankOf({ tenantId, carriers }: Connection, askingTenant: string, code: string): number | undefined {
  if (tenantId !== null && tenantId !== askingTenant) return undefined;
  const base = tenantId === null ? 2 : 0;
  if (carriers.includes(code)) return base;
  return carriers.includes(ANY_CARRIER) && code !== SIMULATED_CARRIER ? base + 1 : undefined;
}

/**
 * The connections that serve a carrier, in the order in which they are asked: the tenant's own before the operator's, one that names the
 * carrier before one that serves all, and otherwise as they were listed. Each is the fallback of the one before it.
 */
export function connectionsFor(connections: readonly Connection[], tenantId: string, carrierCode: string): readonly Connection[] {
  const code = normalCarrierCode(carrierCode);
  const ranked = connections.flatMap((connection) => {
    const rank = rankOf(connection, tenantId, code);
    return rank === undefined ? [] : [{ connection, rank }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ connection }) => connection);
}
