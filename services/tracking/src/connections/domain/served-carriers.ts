import { ANY_CARRIER, type Connection } from './connection.ts';

/** A carrier, and what is asked for its parcels first. */
export interface ServedCarrier {
  readonly carrierCode: string;
  readonly servedBy: 'own' | 'platform';
  /** Name of the source. */
  readonly source: string;
}

/** What is served for a tenant. */
export interface ServedCarriers {
  /** Each carrier that somebody names, by code. */
  readonly carriers: readonly ServedCarrier[];
  /** True when a connection serves every carrier. */
  readonly servesAll: boolean;
}

type Server = Omit<ServedCarrier, 'carrierCode'>;

/** Name of the source behind CARRIERS. */
const INTERFACE_OF_CARRIER = 'generic';

/**
 * The carriers that are served, in the order of {@link connectionsFor}: whatever a tenant connects comes before what the operator connects, and the carriers of
 * CARRIERS before an operator's connection for all carriers alone.
 * @param own connections of the tenant
 * @param operators connections of the operator
 * @param configured codes of CARRIERS, in lower case
 */
export function servedCarriers(
  own: readonly Connection[],
  operators: readonly Connection[],
  configured: readonly string[],
): ServedCarriers {
  const served = new Map<string, Server>();
  const add = (code: string, server: Server): void => {
    if (code !== ANY_CARRIER && !served.has(code)) served.set(code, server);
  };
  for (const { carriers, source } of own) for (const code of carriers) add(code, { servedBy: 'own', source });
  const ownForAll = own.find(({ carriers }) => carriers.includes(ANY_CARRIER));
  const first = (server: Server): Server => (ownForAll === undefined ? server : { servedBy: 'own', source: ownForAll.source });
  for (const { carriers, source } of operators) for (const code of carriers) add(code, first({ servedBy: 'platform', source }));
  const mixed = operators.find(({ carriers }) => carriers.length > 1 && carriers.includes(ANY_CARRIER));
  for (const code of configured) add(code, first({ servedBy: 'platform', source: mixed?.source ?? INTERFACE_OF_CARRIER }));
  const carriers = [...served].map(([carrierCode, server]) => ({ carrierCode, ...server }));
  return {
    carriers: carriers.sort((a, b) => (a.carrierCode < b.carrierCode ? -1 : 1)),
    servesAll: [...own, ...operators].some((connection) => connection.carriers.includes(ANY_CARRIER)),
  };
}
