import { ANY_CARRIER, type Connection } from './domain/connection.ts';
import type { FindConnections } from './find-connections.ts';

/** A carrier, and what is asked for its parcels first. */
export interface ServedCarrier {
  readonly carrierCode: string;
  readonly servedBy: 'own' | 'platform';
  readonly source: string;
}

/** What is served for a tenant. */
export interface ServedCarriers {
  readonly carriers: readonly ServedCarrier[];
  readonly servesAll: boolean;
}

type Server = Omit<ServedCarrier, 'carrierCode'>;

/**
 * The carriers that are served, in the order of {@link connectionsFor}: whatever a tenant connects comes before what the operator connects.
 * @param own connections of the tenant
 * @param operators connections of the operator
 */
export function servedCarriers(own: readonly Connection[], operators: readonly Connection[]): ServedCarriers {
  const served = new Map<string, Server>();
  const add = (code: string, server: Server): void => {
    if (code !== ANY_CARRIER && !served.has(code)) served.set(code, server);
  };
  for (const { carriers, source } of own) for (const code of carriers) add(code, { servedBy: 'own', source });
  const ownForAll = own.find(({ carriers }) => carriers.includes(ANY_CARRIER));
  const first = (server: Server): Server => (ownForAll === undefined ? server : { servedBy: 'own', source: ownForAll.source });
  for (const { carriers, source } of operators) for (const code of carriers) add(code, first({ servedBy: 'platform', source }));
  const carriers = [...served].map(([carrierCode, server]) => ({ carrierCode, ...server }));
  return {
    carriers: carriers.sort((a, b) => (a.carrierCode < b.carrierCode ? -1 : 1)),
    servesAll: [...own, ...operators].some((connection) => connection.carriers.includes(ANY_CARRIER)),
  };
}

type Connections = Pick<FindConnections, 'ofOwner'>;

/** The carriers that are served for a tenant. @throws AppError 50301 when the store is out */
export async function listCarriers(connections: Connections, tenantId: string): Promise<ServedCarriers> {
  const [own, operators] = await Promise.all([connections.ofOwner(tenantId), connections.ofOwner(null)]);
  return servedCarriers(own, operators);
}

/** The codes that warehouses are offered: those of the operator's connections. What a tenant names is nobody else's business. @throws AppError 50301 when the store is out */
export async function listOperatorCarriers(connections: Connections): Promise<readonly string[]> {
  const named = (await connections.ofOwner(null)).flatMap(({ carriers }) => carriers);
  return [...new Set(named)].filter((code) => code !== ANY_CARRIER);
}
