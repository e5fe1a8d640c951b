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
