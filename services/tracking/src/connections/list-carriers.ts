import { ANY_CARRIER } from './domain/connection.ts';
import { type ServedCarriers, servedCarriers } from './domain/served-carriers.ts';
import type { FindConnections } from './find-connections.ts';

/** What the list of carriers needs. */
export interface ListCarriersOptions {
  readonly connections: Pick<FindConnections, 'ofOwner'>;
  /** Codes of CARRIERS, in lower case. */
  readonly configured: readonly string[];
}

/** The carriers that are served for a tenant. @throws AppError 50301 when the store is out */
export async function listCarriers({ connections, configured }: ListCarriersOptions, tenantId: string): Promise<ServedCarriers> {
  const [own, operators] = await Promise.all([connections.ofOwner(tenantId), connections.ofOwner(null)]);
  return servedCarriers(own, operators, configured);
}

/** The codes that warehouses are offered: those of the operator's connections. What a tenant names is nobody else's business. @throws AppError 50301 when the store is out */
export async function listOperatorCarriers({ connections, configured }: ListCarriersOptions): Promise<readonly string[]> {
  const named = (await connections.ofOwner(null)).flatMap(({ carriers }) => carriers);
  return [...new Set([...configured, ...named])].filter((code) => code !== ANY_CARRIER);
}
